"""The crawler: Scrapy spiders over a frontier that never loses a URL; writes pages and links into the store."""
