"""Detect pages that are empty without scripts, and render them with Chromium if `--render auto` is given.

Rendering costs a hundred times a plain fetch, so it is a fallback: off by default, with `auto` only for pages that turn
out empty, and no longer for a host where it has not helped.
"""

import re
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse

from crawler.fetch.browser import Browser
from parcels.errors import SkipRecord
from parcels.html.page import Page, read_page
from parcels.urls import host_of

MIN_TEXT = 200  # characters that a page without scripts must show, or it may be empty
TRIES = 3  # pages of a host that rendering may fail to fill before the host is left alone
FLAG = "rendered"
RENDERED = "X-Parcels-Rendered"  # a header of the stored row; no server sent it
MAX_HOSTS = 10_000
_APP_ROOT = re.compile(r"^(?:root|app|__next|__nuxt|main|app-root|react-root|svelte)$")
_NEEDS = re.compile(
    r"(?:enable|requires?|activate|turn on|need|without|aktivier\w+|activer)\W{0,3}(?:\w+\W+){0,3}java\s?script"
    r"|java\s?script\W+(?:is|must|has|needs?)\W+(?:\w+\W+){0,3}(?:required|enabled|disabled)",
    re.I,
)


def empty_reason(page: Page) -> str | None:
    """Return why a page looks as if scripts have yet to fill it, in one word, or None if it does not.

    >>> empty_reason(read_page('<body><div id="root"></div><script src="/app.js"></script><p hidden>x</p> .'))
    'empty-root'
    >>> empty_reason(read_page("<p>" + "A page with its own words. " * 20 + "<script>x()</script>")) is None
    True
    """
    shown = shown_text(page)
    if shown >= MIN_TEXT or next(page.root.iter("script"), None) is None:
        return None
    if any(_NEEDS.search("".join(map(str, element.itertext()))) for element in page.root.iter("noscript")):
        return "asks-for-scripts"
    for element in page.root.iter("div", "main", "app-root"):
        if _APP_ROOT.match(element.get("id") or str(element.tag)) and not "".join(map(str, element.itertext())).strip():
            return "empty-root"
    return "no-text" if shown < MIN_TEXT // 4 else None


def shown_text(page: Page) -> int:
    """Return the number of characters that the page shows."""
    return sum(len(text) for kind, text in zip(page.leaves.kind, page.leaves.text, strict=True) if kind == "text")


@dataclass(slots=True)
class HostRecord:
    """The number of a host's empty pages that were rendered, and how many of them showed more afterwards."""

    rendered: int = 0
    filled: int = 0

    @property
    def is_worth_it(self) -> bool:
        """Return False if rendering was tried often enough and never helped."""
        return self.filled > 0 or self.rendered < TRIES


class Hosts:
    """The records of the hosts met last; older ones are dropped."""

    def __init__(self) -> None:
        self._records: OrderedDict[str, HostRecord] = OrderedDict()

    def of(self, host: str) -> HostRecord:
        """Return the record of a host."""
        record = self._records.setdefault(host, HostRecord())
        self._records.move_to_end(host)
        if len(self._records) > MAX_HOSTS:
            self._records.popitem(last=False)
        return record


class RenderMiddleware:
    """A Scrapy downloader middleware that renders empty HTML responses and gives them the flag `rendered`.

    Setting RENDER: `off` (default) or `auto`. A page whose rendering fails stays as it was, with its reason as a flag.
    """

    def __init__(self, browser: Browser):
        self._browser, self.hosts = browser, Hosts()

    @classmethod
    def from_crawler(cls, crawler: Any) -> "RenderMiddleware":
        """Make the middleware as Scrapy does; raise NotConfigured unless RENDER is `auto`."""
        settings = crawler.settings
        if settings.get("RENDER", "off") != "auto":
            raise NotConfigured
        middleware = cls(
            Browser(
                proxy=settings.get("PROXY") or None, is_private_allowed=settings.getbool("ALLOW_PRIVATE"),
                user_agent=settings.get("USER_AGENT"),
            )
        )  # fmt: skip
        crawler.signals.connect(middleware.spider_closed, signals.spider_closed)
        return middleware

    async def process_response(self, request: Any, response: Any) -> Any:
        """Return the response, rendered if it is empty."""
        if not isinstance(response, HtmlResponse) or response.status != 200:
            return response
        host = self.hosts.of(host_of(request.url) or "")
        reason, shown = _look(response.body, request.url)
        if reason is None or not host.is_worth_it:
            return response
        host.rendered += 1
        try:
            url, html = await self._browser.html(request.url)
        except SkipRecord as skipped:
            return response.replace(flags=[*response.flags, skipped.reason])
        body = html.encode("utf-8", "replace")
        if _look(body, url)[1] <= shown:
            return response.replace(flags=[*response.flags, "render-in-vain"])
        host.filled += 1
        return response.replace(url=url, body=body, encoding="utf-8", flags=[*response.flags, FLAG, reason])

    async def spider_closed(self) -> None:
        """End the browser with the crawl."""
        await self._browser.close()


def _look(body: bytes, url: str) -> tuple[str | None, int]:
    """Return why the page is empty, if it is, and the number of characters that it shows."""
    try:
        page = read_page(body, url)
    except SkipRecord as skipped:
        return ("no-text" if skipped.reason == "empty" and b"<script" in body.lower() else None), 0
    return empty_reason(page), shown_text(page)
