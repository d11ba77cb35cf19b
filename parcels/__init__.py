"""PARCELS: pages in, labelled blocks out. The core that the crawler and the jobs share: no Spark, no Scrapy here."""

__version__ = "0.1.0"
