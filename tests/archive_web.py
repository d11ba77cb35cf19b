"""A web server with files for the tests: byte ranges, and connections that break off or are refused at first."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class FileWeb:
    """Files by path. `cut_at` ends each response after so many bytes; `refusals` are statuses of the next requests."""

    def __init__(self, files: dict[str, bytes]):
        self.files, self.cut_at = files, 0
        self.refusals: list[int] = []
        self.ranges: list[str | None] = []
        self.base = ""

    @contextmanager
    def serve(self) -> Iterator["FileWeb"]:
        web = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                web.answer(self)

            def log_message(self, *_: Any) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        self.base = f"http://127.0.0.1:{server.server_port}"
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()
            thread.join()

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        self.ranges.append(handler.headers.get("Range"))
        data = self.files.get(handler.path)
        status = self.refusals.pop(0) if self.refusals else 404 if data is None else 200
        if data is None or status != 200:
            handler.send_response(status)
            handler.send_header("Content-Length", "0")
            handler.end_headers()
            return
        asked = re.fullmatch(r"bytes=(\d+)-", handler.headers.get("Range") or "")
        begin = int(asked[1]) if asked else 0
        handler.send_response(206 if asked else 200)
        if asked:
            handler.send_header("Content-Range", f"bytes {begin}-{len(data) - 1}/{len(data)}")
        handler.send_header("Content-Length", str(len(data) - begin))
        handler.send_header("ETag", f'"{len(data)}"')
        handler.end_headers()
        end = begin + self.cut_at if self.cut_at else len(data)
        handler.wfile.write(data[begin:end])
        handler.close_connection = True
