"""Crawl web sites with Scrapy, from a frontier that loses no address, into the pages and links of a store."""
