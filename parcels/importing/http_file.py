"""A file on a web server, read as a stream from any position; a connection that breaks is opened again there."""

import http.client
import re
import time
import urllib.error
import urllib.request
from typing import Any

import parcels
from parcels.importing.positioned import Positioned

TRIES = 6
WAIT_SECONDS = 1.0  # doubled before each further try
TIMEOUT_SECONDS = 60.0
SKIPPED_BYTES = 1 << 20  # up to so far ahead it is cheaper to read on than to ask again
TEMPORARY = frozenset([403, 408, 425, 429, 500, 502, 503, 504])  # Common Crawl answers 403 and 503 when it is busy
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+)")


class HttpFileError(OSError):
    """Raised where the server keeps refusing."""


class HttpFile(Positioned):
    """Reads a file by HTTP range requests, from byte `at` on before the first seek."""

    def __init__(self, url: str, *, at: int = 0, tries: int = TRIES, wait_seconds: float = WAIT_SECONDS):
        self.url, self._tries, self._wait_seconds = url, tries, wait_seconds
        self._response: Any = None
        self._response_at = 0  # the position of the response's next byte
        self._tag: str | None = None
        super().__init__(-1, at)
        self._connect(at)

    def read(self, count: int = -1) -> bytes:
        """Return `count` bytes, fewer only at the end of the file."""
        end = self.size if count < 0 else min(self.at + count, self.size)
        parts: list[bytes] = []
        failures = 0
        while self.at < end:
            try:
                part = self._part(end - self.at)
            except HttpFileError:
                raise
            except (OSError, http.client.HTTPException) as error:
                part, cause = b"", error
            else:
                cause = ConnectionError("the connection ended early")
            if part:
                failures = 0
                parts.append(part)
                self.at += len(part)
                continue
            self._disconnect()
            failures += 1
            if failures >= self._tries:
                raise HttpFileError(f"{self.url}: {cause} at byte {self.at:,}, {failures} times") from cause
            if failures > 1:  # a connection that broke after it gave bytes is opened again at once
                time.sleep(self._wait_seconds * 2 ** (failures - 2))
        return b"".join(parts)

    def _part(self, count: int) -> bytes:
        ahead = self.at - self._response_at
        if self._response is not None and 0 < ahead <= SKIPPED_BYTES:
            self._response_at += len(self._response.read(ahead))
        if self._response is None or self._response_at != self.at:
            self._connect(self.at)
        part: bytes = self._response.read(count)
        self._response_at += len(part)
        return part

    def _connect(self, at: int) -> None:
        self._disconnect()
        for attempt in range(self._tries):
            if attempt:
                time.sleep(self._wait_seconds * 2 ** (attempt - 1))
            try:
                self._ask(at)
                return
            except urllib.error.HTTPError as error:
                error.close()
                if error.code not in TEMPORARY or attempt + 1 == self._tries:
                    raise HttpFileError(f"{self.url}: HTTP status {error.code}") from error
            except (OSError, http.client.HTTPException) as error:
                if attempt + 1 == self._tries:
                    raise HttpFileError(f"{self.url}: {error}") from error

    def _ask(self, at: int) -> None:
        headers = {
            "User-Agent": f"parcels/{parcels.__version__}",
            "Range": f"bytes={at}-",
            "Accept-Encoding": "identity",
        }
        if at == 0:
            del headers["Range"]
        request = urllib.request.Request(self.url, headers=headers)
        response = urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS)
        stated = _RANGE.match(response.headers.get("Content-Range") or "")
        begin, size = (
            (int(stated[1]), int(stated[2])) if stated else (0, int(response.headers.get("Content-Length", -1)))
        )
        tag = response.headers.get("ETag")
        if size < 0:
            response.close()
            raise OSError("the server states no length of the file")
        if self.size >= 0 and (size != self.size or tag != self._tag):
            response.close()
            raise OSError("the file has changed on the server while it was read")
        self.size, self._tag = size, tag
        self._response, self._response_at = response, begin
        while begin < at:  # a server that ignores ranges
            begin += len(response.read(min(at - begin, SKIPPED_BYTES)) or self._end_early())
            self._response_at = begin

    def _end_early(self) -> bytes:
        raise ConnectionError("the connection ended early")

    def _disconnect(self) -> None:
        if self._response is not None:
            self._response.close()
            self._response = None

    def close(self) -> None:
        """Close the connection."""
        self._disconnect()
        super().close()
