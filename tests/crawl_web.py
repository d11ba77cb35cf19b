"""A web made by a test: any host, answered on loopback as a proxy or directly; it keeps what was asked, and when."""

import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
SECONDS = 240  # a loaded machine takes its time


class Asked(NamedTuple):
    """A request as it came."""

    url: str
    headers: Mapping[str, str]
    at: float  # monotonic seconds


class Response(NamedTuple):
    """Return the bytes of the answer. A body in pieces is sent chunked, as long as somebody reads it."""

    body: str | Iterable[bytes] = ""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()


Pages = Mapping[str, "str | Response | Callable[[Asked], Response]"]


class TestWeb:
    """`pages`: what stands at an address; all others are not there. They may be changed while it serves.

    As on the web of today, some answers have a Content-Length and others come in chunks; the address decides which.
    """

    __test__ = False

    def __init__(self, pages: Pages):
        self.pages = dict(pages)
        self.asked: list[Asked] = []
        self.sent: dict[str, int] = {}  # bytes of the body that were written, by address
        self.proxy = ""

    def urls(self) -> list[str]:
        """Return the requested addresses, without robots.txt."""
        return [one.url for one in self.asked if not one.url.endswith("/robots.txt")]

    def answer(self, asked: Asked) -> Response:
        found = self.pages.get(asked.url, Response("not here", 404))
        if callable(found):
            return found(asked)
        return found if isinstance(found, Response) else Response(found)

    @contextmanager
    def serve(self) -> Iterator["TestWeb"]:
        web = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                url = self.path if "://" in self.path else f"http://{self.headers['Host']}{self.path}"
                asked = Asked(url, dict(self.headers), time.monotonic())
                web.asked.append(asked)
                answer = web.answer(asked)
                self.send_response(answer.status)
                for name, value in ({"Content-Type": "text/html; charset=utf-8"} | dict(answer.headers)).items():
                    self.send_header(name, value)
                if not isinstance(answer.body, str):
                    self._send_chunks(url, answer.body)
                elif answer.status not in (204, 304) and is_chunked(url):
                    data = answer.body.encode()
                    self._send_chunks(url, (data[at : at + 1000] for at in range(0, len(data), 1000)))
                else:
                    body = b"" if answer.status == 304 else answer.body.encode()
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)

            def _send_chunks(self, url: str, pieces: Iterable[bytes]) -> None:
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                web.sent[url] = 0
                try:
                    for piece in pieces:
                        self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                        web.sent[url] += len(piece)
                    self.wfile.write(b"0\r\n\r\n")
                except OSError:  # nobody reads any more
                    self.close_connection = True

            def log_message(self, *words: object) -> None:
                """Nothing."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        self.proxy = f"http://127.0.0.1:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()


def is_chunked(url: str) -> bool:
    """Decide by the address whether an answer comes in chunks: about half of them do."""
    return bool(zlib.crc32(url.encode()) & 1)


def line(*words: object) -> list[str]:
    """A command of parcels."""
    return [sys.executable, "-m", "parcels.cli", *map(str, words)]


def parcels(*words: object, code: int = 0, **named: object) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end, which must be the one that is expected."""
    done = subprocess.run(line(*words), capture_output=True, text=True, timeout=SECONDS, cwd=ROOT, check=False, **named)  # type: ignore[call-overload]
    assert done.returncode == code, done.stdout + done.stderr
    return done


def crawl(
    web: TestWeb, store: Path, *words: object, code: int = 0, **named: object
) -> "subprocess.CompletedProcess[str]":
    """A crawl through the web as a proxy, without delays."""
    return parcels(
        "crawl", *words, "--store", store, "--delay", "0", "--no-progress", "--proxy", web.proxy, code=code, **named
    )
