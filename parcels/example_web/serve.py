"""Serve the example web with a threaded HTTP server on loopback.

It answers as a proxy (`GET http://lumen.example/ HTTP/1.1`) and by the Host header, with keep-alive, and keeps a list
of what was asked for.
"""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

from parcels.example_web.site import Response
from parcels.example_web.web import fetch

LOOPBACK = "127.0.0.1"
IDLE_SECONDS = 30  # a kept connection on which nothing more is asked is closed after this time


@dataclass(frozen=True)
class Request:
    """One answered request; `at` is seconds on the monotonic clock."""

    method: str
    host: str
    path: str
    status: int
    at: float


@dataclass
class ExampleWeb:
    """A running server: its port, the address to use as a proxy, and the requests so far, in order."""

    port: int
    requests: list[Request] = field(default_factory=list)

    @property
    def proxy(self) -> str:
        """Return the address to give as HTTP proxy."""
        return f"http://{LOOPBACK}:{self.port}"

    @classmethod
    @contextmanager
    def serve(cls, port: int = 0) -> Iterator["ExampleWeb"]:
        """Serve in a thread until the block ends; port 0 takes a free one."""
        requests: list[Request] = []
        handler = type("Handler", (_Handler,), {"requests": requests, "lock": threading.Lock()})
        with _Server((LOOPBACK, port), handler) as server:
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
            thread.start()
            try:
                yield cls(server.server_address[1], requests)
            finally:
                server.shutdown()
                thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # an idle kept connection must not delay the end
    request_queue_size = 64

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore a client that hangs up in the middle; report any other error."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = IDLE_SECONDS
    requests: ClassVar[list[Request]]
    lock: ClassVar[threading.Lock]

    def do_GET(self) -> None:
        """Answer with head and body."""
        self._answer(has_body=True)

    def do_HEAD(self) -> None:
        """Answer with the head only."""
        self._answer(has_body=False)

    def do_POST(self) -> None:
        """Refuse POST: no form of the example web accepts anything."""
        self.close_connection = True
        self._send(_text(405, "405: the example web is read-only\n"), has_body=True)

    def do_CONNECT(self) -> None:
        """Refuse CONNECT: there is no TLS here."""
        self.close_connection = True
        self._send(
            _text(501, "501: the example web speaks plain HTTP only; ask for http:// addresses\n"), has_body=True
        )

    def _answer(self, *, has_body: bool) -> None:
        is_proxied = self.path.startswith(("http://", "https://"))
        url = self.path if is_proxied else f"http://{self.headers.get('Host', '')}{self.path}"
        try:
            response = fetch(url, dict(self.headers.items()))
        except ValueError as error:  # such as a host in brackets that is no IPv6 address
            response = _text(400, f"400: {url!r} is no address ({error})\n")
        _, _, rest = url.partition("://")
        host, slash, path = rest.partition("/")
        with self.lock:
            name = host.partition(":")[0].lower()
            self.requests.append(Request(self.command, name, slash + path or "/", response.status, time.monotonic()))
        self._send(response, has_body=has_body)

    def _send(self, response: Response, *, has_body: bool) -> None:
        self.send_response_only(response.status)
        for name, value in response.headers.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if has_body and response.body:
            self.wfile.write(response.body)

    def log_message(self, *_: object) -> None:
        """Log nothing: `requests` has the requests."""


def _text(status: int, words: str) -> Response:
    body = words.encode()
    return Response(status, {"Content-Type": "text/plain; charset=utf-8", "Content-Length": str(len(body))}, body)
