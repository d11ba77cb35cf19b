"""A plain Scrapy crawl in a process of its own (a reactor runs once a process): settings and addresses in, JSON out.

Standard input: {"urls", "settings", "names", "follow": [hosts], "only": [addresses]}; `names` gives for each host the
numbers that a name server of our own answers with, for one lookup after the other (the last for all further). Output:
a JSON line an answer ({"url", "status", "body" in Latin-1, "flags"}) or a failure ({"url", "error", "reason"}).
"""

import json
import socket
import sys
from typing import Any

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor

from parcels.urls import canonical, host_of

QUIET = {
    "LOG_ENABLED": False, "TELNETCONSOLE_ENABLED": False, "ROBOTSTXT_OBEY": False, "RETRY_ENABLED": False,
    "DOWNLOAD_TIMEOUT": 30, "HTTPERROR_ALLOW_ALL": True, "DOWNLOAD_DELAY": 0, "CONCURRENT_REQUESTS": 16,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 16, "URLLENGTH_LIMIT": 10_000, "METAREFRESH_ENABLED": False,
}  # fmt: skip
SAFE = {
    "DOWNLOADER_MIDDLEWARES": {
        "crawler.fetch.safety.SafetyMiddleware": 820, "crawler.fetch.safety.BoundedDecompression": 590,
        "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": None,
    },
    "TWISTED_DNS_RESOLVER": "crawler.fetch.safety.SafeResolver",
}  # fmt: skip


class Once(scrapy.Spider):
    name = "once"

    def __init__(self, order: dict[str, Any]):
        super().__init__()
        self.order = order
        self.only = {url.rstrip("/") for url in order["only"]} if "only" in order else None
        self.links = LinkExtractor(unique=True, deny_extensions=[])

    async def start(self):
        for url in self.order["urls"]:
            yield self.ask(url, dont_filter=True)

    def ask(self, url: str, *, dont_filter: bool = False) -> scrapy.Request:
        proxy = self.order["settings"].get("PROXY")
        meta = {"asked": url} | ({"proxy": proxy} if proxy else {})
        return scrapy.Request(url, self.parse, errback=self.failed, meta=meta, dont_filter=dont_filter)

    def parse(self, response):
        told = {
            "url": response.url,
            "asked": response.meta["asked"],
            "status": response.status,
            "flags": response.flags,
        }
        print(json.dumps(told | {"body": response.body.decode("latin-1")}), flush=True)
        if self.order.get("follow") and response.status == 200 and isinstance(response, scrapy.http.HtmlResponse):
            for link in self.links.extract_links(response):
                is_wanted = self.only is None or (canonical(link.url) or "").rstrip("/") in self.only
                if host_of(link.url) in self.order["follow"] and is_wanted:
                    yield self.ask(link.url)

    def failed(self, failure):
        reason = getattr(failure.value, "reason", None)
        told = {
            "url": failure.request.url,
            "asked": failure.request.meta["asked"],
            "error": type(failure.value).__name__,
        }
        print(json.dumps(told | {"reason": reason if isinstance(reason, str) else None}), flush=True)


def main() -> None:
    order = json.load(sys.stdin)
    names = order.get("names", {})

    def look_up(host: str, port: int, *words: Any) -> list[Any]:
        if host not in names:
            return socket.getaddrinfo(host, port, *words)
        numbers = names[host].pop(0) if len(names[host]) > 1 else names[host][0]
        return [found for number in numbers for found in socket.getaddrinfo(number, port, *words)]

    process = CrawlerProcess(QUIET | (SAFE if order.get("is_safe", True) else {}) | order["settings"])
    process.crawl(Once, order=order)
    from twisted.internet import reactor

    reactor.nameResolver._getaddrinfo = look_up
    process.start()


if __name__ == "__main__":
    main()
