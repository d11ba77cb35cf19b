"""Serve stored pages of every host through an HTTP proxy on loopback that never connects to anywhere."""

import asyncio
import contextlib
import threading
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from ssl import SSLError

from crawler.replay.files import find_files
from crawler.replay.index import PageIndex
from crawler.replay.responses import ReplayResponse, respond
from crawler.replay.tls import server_context

LOOPBACK = "127.0.0.1"
IDLE_SECONDS = 60.0
MAX_HEAD_BYTES = 64 << 10
START_SECONDS = 30.0


@dataclass
class Replay:
    """A web of stored pages: its responses, and how often each status was sent."""

    index: PageIndex
    port: int = 0
    counts: Counter[int] = field(default_factory=Counter)

    @classmethod
    def open(cls, source: str, *, crawl: str | None = None) -> "Replay":
        """Open the pages of a store, a Parquet file or a folder of Parquet files."""
        return cls(PageIndex(find_files(source, crawl=crawl)))

    @property
    def proxy(self) -> str:
        """Return the address to give as HTTP proxy."""
        return f"http://{LOOPBACK}:{self.port}"

    async def listen(self, port: int = 0) -> asyncio.Server:
        """Start the server; port 0 takes a free one."""
        server = await asyncio.start_server(self._talk, LOOPBACK, port, limit=MAX_HEAD_BYTES)
        self.port = server.sockets[0].getsockname()[1]
        return server

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Handle one connection, until either side closes it."""
        origin = ""  # `https://host` after a CONNECT
        try:
            while True:
                head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), IDLE_SECONDS)
                method, target, headers = _request(head)
                if method == "CONNECT":
                    writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                    await writer.drain()
                    await writer.start_tls(server_context())
                    origin = f"https://{target}"
                    continue
                given = self._answer(method, _url(origin, target, headers), headers)
                self.counts[given.status] += 1
                keeps = headers.get("connection", "").lower() != "close" and method in ("GET", "HEAD")
                writer.write(_bytes(given, has_body=method != "HEAD", keeps=keeps))
                await writer.drain()
                if not keeps:
                    return
        except (
            TimeoutError,
            asyncio.CancelledError,  # the server ends
            asyncio.IncompleteReadError,
            asyncio.LimitOverrunError,
            ConnectionError,
            SSLError,
            OSError,
        ):
            return  # the client has gone, or does not speak HTTP
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError, SSLError, OSError, asyncio.CancelledError):
                await writer.wait_closed()

    def _answer(self, method: str, url: str, headers: dict[str, str]) -> ReplayResponse:
        if method not in ("GET", "HEAD"):
            return ReplayResponse(405, (("Allow", "GET, HEAD"),), b"405: stored pages can only be read\n")
        return respond(self.index, url, if_none_match=headers.get("if-none-match"))


def _request(head: bytes) -> tuple[str, str, dict[str, str]]:
    first, *lines = head.decode("latin-1").split("\r\n")
    method, _, rest = first.partition(" ")
    pairs = (line.partition(":") for line in lines if ":" in line)
    return (
        method.upper(),
        rest.rpartition(" ")[0].strip(),
        {name.strip().lower(): value.strip() for name, _, value in pairs},
    )


def _url(origin: str, target: str, headers: dict[str, str]) -> str:
    """Return the requested address: a full one, or a path on the host of the connection or of the Host header."""
    if target.lower().startswith(("http://", "https://")):
        return target
    return f"{origin or 'http://' + headers.get('host', '')}{target}"


def _bytes(given: ReplayResponse, *, has_body: bool, keeps: bool) -> bytes:
    try:
        phrase = HTTPStatus(given.status).phrase
    except ValueError:
        phrase = "Stored"
    lines = [f"HTTP/1.1 {given.status} {phrase}", *(f"{name}: {value}" for name, value in given.headers)]
    if given.status != 304:
        lines.append(f"Content-Length: {len(given.body)}")
    lines.append(f"Connection: {'keep-alive' if keeps else 'close'}")
    head = "\r\n".join(lines).encode("latin-1", "replace") + b"\r\n\r\n"
    return head + given.body if has_body else head


@contextmanager
def serving(source: str, *, crawl: str | None = None, port: int = 0) -> Iterator[Replay]:
    """Serve a replay in a thread of its own until the block ends."""
    replay = Replay.open(source, crawl=crawl)
    ready, loop = threading.Event(), asyncio.new_event_loop()
    problems: list[OSError] = []

    async def run(stop: asyncio.Event) -> None:
        try:
            server = await replay.listen(port)
        except OSError as error:
            problems.append(error)
            return
        finally:
            ready.set()
        async with server:
            await stop.wait()

    stop = asyncio.Event()
    thread = threading.Thread(target=_run_all, args=(loop, run(stop)), daemon=True)
    thread.start()
    ready.wait(START_SECONDS)
    try:
        if problems:
            raise problems[0]
        yield replay
    finally:
        if thread.is_alive():
            loop.call_soon_threadsafe(stop.set)
        thread.join(START_SECONDS)


def _run_all(loop: asyncio.AbstractEventLoop, work: Coroutine[None, None, None]) -> None:
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(work)
