"""The peer: plain Scrapy with JOBDIR that finds the same links and writes the same Parquet.

python -m benchmarks.speed.crawl_peer SEED STORE PROXY JOBDIR
"""

import datetime as dt
import sys
from typing import Any

import scrapy
from scrapy.crawler import AsyncCrawlerProcess

from crawler.links.extract import links_of
from parcels.importing.http import media_type
from parcels.store import open_store
from parcels.urls import content_hash, host_of, page_id

BATCH = 2000
CRAWL = "peer"


class Peer(scrapy.Spider):
    name = "peer"

    def __init__(self, seeds: list[str], **words: Any):
        super().__init__(**words)
        self.start_urls = seeds

    def parse(self, response: Any) -> Any:
        depth = response.meta.get("depth", 0)
        at = dt.datetime.now(dt.UTC)
        key = page_id(response.url, CRAWL, 1)
        stated = (response.headers.get("Content-Type") or b"").decode("latin-1")
        kind, charset = media_type(stated)
        headers = [
            {"name": name.decode("latin-1"), "value": value.decode("latin-1")}
            for name, values in response.headers.items()
            for value in values
        ]
        found = links_of(response.body, response.url, stated)
        page = {
            "page_id": key, "url": response.url, "final_url": response.url, "host": host_of(response.url),
            "fetched_at": at, "status": response.status, "headers": headers, "content_type": kind, "charset": charset,
            "html": response.body, "content_hash": content_hash(response.body), "byte_count": len(response.body),
            "is_truncated": False, "depth": depth, "visit": 1, "source": "crawl", "fetched_date": at.date(),
        }  # fmt: skip
        links = [
            {
                "page_id": key, "n": n, "target": link.target, "target_host": host_of(link.target),
                "anchor": link.anchor, "rel": link.rel, "score": 0.0, "is_queued": False, "fetched_date": at.date(),
            }
            for n, link in enumerate(found.links)
        ]  # fmt: skip
        yield {"page": page, "links": links}
        for link in found.links:
            yield scrapy.Request(link.target, callback=self.parse)


class ParquetPipeline:
    def __init__(self, crawler: Any):
        self._store = open_store(crawler.settings["STORE"], create=True)
        self._rows: dict[str, list[dict[str, Any]]] = {"pages": [], "links": []}

    @classmethod
    def from_crawler(cls, crawler: Any) -> "ParquetPipeline":
        return cls(crawler)

    def open_spider(self) -> None:
        self._writers = {name: self._store.writer(name, crawl=CRAWL) for name in self._rows}

    def process_item(self, item: Any) -> Any:
        self._rows["pages"].append(item["page"])
        self._rows["links"] += item["links"]
        for name, rows in self._rows.items():
            if len(rows) >= BATCH:
                self._writers[name].add(rows)
                self._rows[name] = []
        return item

    def close_spider(self) -> None:
        for name, writer in self._writers.items():
            writer.add(self._rows[name])
            writer.close()


class Proxy:
    def __init__(self, proxy: str):
        self._proxy = proxy

    @classmethod
    def from_crawler(cls, crawler: Any) -> "Proxy":
        return cls(crawler.settings["PEER_PROXY"])

    def process_request(self, request: Any) -> None:
        request.meta["proxy"] = self._proxy


def main(seeds: str, store: str, proxy: str, jobdir: str) -> None:
    settings = {
        "JOBDIR": jobdir, "STORE": store, "PEER_PROXY": proxy, "LOG_LEVEL": "WARNING", "TELNETCONSOLE_ENABLED": False,
        "REMOTE_CONTROL_ENABLED": False, "CONCURRENT_REQUESTS": 16, "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
        "ITEM_PIPELINES": {ParquetPipeline: 300}, "DOWNLOADER_MIDDLEWARES": {Proxy: 100},
    }  # fmt: skip
    process = AsyncCrawlerProcess(settings)
    process.crawl(Peer, seeds=seeds.split())
    process.start()


if __name__ == "__main__":
    main(*sys.argv[1:])
