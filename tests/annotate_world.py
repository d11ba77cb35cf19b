"""A store to label, a server in a process of its own that can be killed, and pages that mean harm."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from parcels import example_web
from parcels.importing.run_record import RunRecord
from parcels.store import Store, open_store
from parcels.urls import page_id

CRAWL = "test"
SECONDS = 60.0
PAGES = Path(__file__).parent / "pages" / "annotate"
PLAIN = (PAGES / "plain.html").read_bytes()


def hostile(outside: str) -> bytes:
    """A page that tries to run scripts, to leave, and to ask for things at the address `outside`."""
    return (PAGES / "hostile.html").read_bytes().replace(b"OUTSIDE", outside.encode())


def many_blocks(count: int) -> bytes:
    """A page of so many blocks."""
    items = "".join(
        f"<div class=c{n % 7}><p>Block number {n} says something of its own.</p></div>" for n in range(count)
    )
    return f"<!DOCTYPE html><title>{count} blocks</title><style>p {{ margin: 2px }}</style>{items}".encode()


def make_store(where: Path, pages: dict[str, bytes] | None = None, *, articles: int = 0) -> Store:
    """Pages by their names, and some articles of each example site."""
    store = open_store(where, create=True)
    with RunRecord(store, step="test", crawl=CRAWL, settings={}) as run:
        for name, html in (pages or {}).items():
            run.page(html, record=name, address=f"http://{name}.example/", name=name, source="test")
        for host in example_web.hosts()[:3]:
            for url in example_web.article_urls(host)[:articles]:
                run.page(example_web.fetch(url).body, record=url, address=url, name=url, source="test")
    return store


def id_of(name: str) -> str:
    return page_id(f"http://{name}.example/", CRAWL, 0)


class Served:
    """`parcels annotate` as a process."""

    def __init__(self, store: Path, *options: str):
        self.store, self.options = store, options
        self.process: subprocess.Popen[str] | None = None
        self.url = ""

    def start(self, port: int = 0) -> "Served":
        command = [sys.executable, "-m", "parcels.cli", "annotate", "--store", str(self.store), "--port", str(port),
                   "--no-browser", *self.options]  # fmt: skip
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, f"{line}{self.process.stderr.read() if self.process.stderr else ''}"
        self.url = found[0]
        return self

    @property
    def origin(self) -> str:
        return self.url.partition("?")[0].rstrip("/")

    @property
    def port(self) -> int:
        return int(self.origin.rpartition(":")[2])

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self._wait()

    def stop(self) -> None:
        """Ctrl-C."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self._wait()

    def _wait(self) -> None:
        assert self.process is not None
        self.process.wait(SECONDS)
        for stream in (self.process.stdout, self.process.stderr):
            if stream:
                stream.close()


@contextlib.contextmanager
def served(store: Path, *options: str) -> Iterator[Served]:
    server = Served(store, *options).start()
    try:
        yield server
    finally:
        server.stop()


class Outside:
    """An address that stands for the rest of the world, and counts who comes."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                found, _ = self._socket.accept()
            except OSError:
                return
            with found:
                self.asked.append(found.recv(300).decode("latin-1").split("\r\n")[0])
                found.sendall(b"HTTP/1.1 204 No\r\nContent-Length: 0\r\n\r\n")

    def close(self) -> None:
        self._socket.close()


def ask(
    url: str, *, method: str = "GET", body: Any = None, headers: dict[str, str] | None = None
) -> tuple[int, dict[str, str], str]:
    """Status, headers and text of an answer; errors of the server are answers too."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, method=method, headers=headers or {})
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=SECONDS) as answer:
            return answer.status, {k.lower(): v for k, v in answer.headers.items()}, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, {k.lower(): v for k, v in error.headers.items()}, error.read().decode()


def token_of(origin: str) -> str:
    return str(json.loads(ask(f"{origin}/api/session")[2])["token"])


def say(origin: str, page: str, annotator: str, labels: list[tuple[int, str | None]], *, step: str = "") -> int:
    """Save labels as a browser would."""
    body = {"annotator": annotator, "step": step or os.urandom(8).hex(), "labels": labels}
    headers = {"Content-Type": "application/json", "X-Parcels-Token": token_of(origin)}
    return ask(f"{origin}/api/page/{page}/labels", method="POST", body=body, headers=headers)[0]
