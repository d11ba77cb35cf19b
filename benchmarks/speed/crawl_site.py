"""A made web for measuring crawlers: any host, pages with 20 links each, answered as a proxy; it keeps what was asked.

Page n of a host links to 2n + 1 and 2n + 2, so that every page is reached, and to others spread over the host.
"""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

LINKS = 20
WORDS = "the harbour council met again on tuesday to talk about the bridge that nobody had asked for "


class Asked(NamedTuple):
    host: str
    path: str
    at: float  # monotonic seconds


class MadeWeb:
    """`pages`: how many each host has. `seconds`: how long a host takes to answer."""

    def __init__(self, pages: Mapping[str, int], *, seconds: Mapping[str, float] | None = None, words: int = 20):
        self.pages, self.seconds = dict(pages), dict(seconds or {})
        self.asked: list[Asked] = []
        self.port = 0
        self._words = words
        self._bodies: dict[tuple[str, int], bytes] = {}

    @property
    def proxy(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def urls(self, host: str) -> set[str]:
        return {f"http://{host}/{n}" if n else f"http://{host}/" for n in range(self.pages[host])}

    def fetched(self) -> Counter[tuple[str, str]]:
        """How often each page was asked for."""
        return Counter((one.host, one.path) for one in self.asked if one.path != "/robots.txt")

    @contextmanager
    def serve(self) -> Iterator["MadeWeb"]:
        """Serve on loopback until the block is left."""
        loop = asyncio.new_event_loop()
        server = loop.run_until_complete(loop.create_server(lambda: _Connection(self), "127.0.0.1", 0, backlog=512))
        self.port = server.sockets[0].getsockname()[1]
        thread = threading.Thread(target=loop.run_forever, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            server.close()
            loop.close()

    def answer(self, host: str, path: str) -> bytes:
        number = path[1:] or "0"
        if host not in self.pages or not number.isdigit() or int(number) >= self.pages[host]:
            return b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 3\r\n\r\nno\n"
        key = host, int(number)
        if key not in self._bodies:
            self._bodies[key] = page(host, int(number), self.pages[host], self._words)
        body = self._bodies[key]
        head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n\r\n"
        return head.encode() + body


def page(host: str, n: int, size: int, words: int) -> bytes:
    targets = [2 * n + 1, 2 * n + 2, *((n * 31 + k * 977 + k * k) % size for k in range(LINKS - 2))]
    items = "".join(f'<li><a href="/{t % size or ""}">Page {t % size} of the site</a></li>' for t in targets)
    text = f"<p>{WORDS * words}</p>"
    head = f"<!DOCTYPE html><html><head><title>{host} {n}</title></head>"
    return f"{head}<body>{text}<ul>{items}</ul></body></html>".encode()


class _Connection(asyncio.Protocol):
    def __init__(self, web: MadeWeb):
        self._web, self._held = web, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._held += data
        while b"\r\n\r\n" in self._held:
            head, _, self._held = self._held.partition(b"\r\n\r\n")
            url = head.split(b" ", 2)[1].decode()
            host, _, path = url.partition("://")[2].partition("/")
            self._web.asked.append(Asked(host, f"/{path}", time.monotonic()))
            answer = self._web.answer(host, f"/{path}")
            wait = self._web.seconds.get(host)
            if wait:
                asyncio.get_running_loop().call_later(wait, self._transport.write, answer)  # type: ignore[attr-defined]
            else:
                self._transport.write(answer)  # type: ignore[attr-defined]
