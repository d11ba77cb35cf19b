"""Inputs of the page commands: a file, a folder, a Parquet file, `-` (standard input) or an http(s) address."""

import gzip
import os
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from parcels.errors import ConfigError, InputMissing, SkipRecord

MAX_BYTES = 50_000_000  # of one page, after decompression
FETCH_SECONDS = 30.0
BATCH_ROWS = 32  # of a Parquet file in memory at a time
SUFFIXES = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz")
USER_AGENT = "parcels (one-page fetch)"


@dataclass(frozen=True, slots=True)
class RawPage:
    """One unparsed page: its bytes and what is known about them."""

    name: str
    html: bytes
    url: str | None = None
    content_type: str | None = None  # the HTTP header, if any
    css: Mapping[str, bytes] = field(default_factory=dict)  # path or address -> a style sheet's bytes
    folder: str = ""  # the folder of the page in the paths of `css`


@dataclass(frozen=True, slots=True)
class BadPage:
    """A page that could not be read, with the error."""

    name: str
    error: SkipRecord


def read_pages(
    sources: Sequence[str], *, url: str | None = None, max_bytes: int = MAX_BYTES
) -> Iterator[RawPage | BadPage]:
    """Yield every page of the sources, in order; raise InputMissing for a missing source before the first page.

    >>> [page.name for page in read_pages(["no-such-file.html"])]
    Traceback (most recent call last):
    parcels.errors.InputMissing: File or folder not found: no-such-file.html
    """
    if url is not None and not is_single(sources):
        raise ConfigError(
            "--url is the address of a single page, but several pages were given. Leave --url out, or name one page."
        )
    plan = [_Source(source, url if url is None else printable_path(url), max_bytes) for source in sources]
    for source in plan:
        yield from source.pages()


def count_pages(sources: Sequence[str]) -> int:
    """Return the number of pages in the sources, without reading them."""
    return sum(_Source(source, None, 0).count() for source in sources)


def is_single(sources: Sequence[str]) -> bool:
    """Return whether the sources name exactly one page: one file, `-` or one address."""
    if len(sources) != 1:
        return False
    source = sources[0]
    return source == "-" or is_address(source) or (not Path(source).is_dir() and not source.endswith(".parquet"))


def is_address(source: str) -> bool:
    """Return whether a source is an http or https address."""
    return source.lower().startswith(("http://", "https://"))


def printable_path(path: str | Path) -> str:
    """Return a path or address as valid Unicode; bytes that are not UTF-8 are replaced.

    >>> printable_path("caf\\udce9.html")
    'caf\ufffd.html'
    """
    return os.fsencode(path).decode("utf-8", "replace")


def page_name(path: Path) -> str:
    """Return a file's name without `.html` or `.html.gz`.

    >>> page_name(Path("news/a.b.html.gz"))
    'a.b'
    """
    name = printable_path(path.name).removesuffix(".gz")
    for suffix in (".xhtml", ".html", ".htm"):
        name = name.removesuffix(suffix)
    return name


class _Source:
    """One named source, checked on creation."""

    def __init__(self, source: str, url: str | None, max_bytes: int):
        self.is_address = is_address(source)
        self.source, self.url, self.max_bytes = printable_path(source) if self.is_address else source, url, max_bytes
        if source == "-" or self.is_address:
            return
        self.path = Path(source)
        if not self.path.exists():
            raise InputMissing(f"File or folder not found: {source}")
        if self.path.is_dir():
            self.files = sorted(p for p in self.path.rglob("*") if p.name.lower().endswith(SUFFIXES) and p.is_file())
            if not self.files:
                raise InputMissing(f"The folder {source} has no .html or .html.gz files.")

    def count(self) -> int:
        if self.source == "-" or self.is_address:
            return 1
        if self.path.is_dir():
            return len(self.files)
        if self.path.suffix == ".parquet":
            return int(_open_parquet(self.path).metadata.num_rows)
        return 1

    def pages(self) -> Iterator[RawPage | BadPage]:
        if self.source == "-":
            yield _guarded("-", lambda: RawPage("-", _stdin(self.max_bytes), self.url))
        elif self.is_address:
            yield _guarded(self.source, lambda: fetch(self.source, max_bytes=self.max_bytes))
        elif self.path.is_dir():
            for file in self.files:
                yield _from_file(file, None, self.max_bytes)
        elif self.path.suffix == ".parquet":
            yield from _from_parquet(self.path)
        else:
            yield _from_file(self.path, self.url, self.max_bytes)


def _guarded(name: str, read: Any) -> RawPage | BadPage:
    try:
        page: RawPage = read()
        return page
    except SkipRecord as error:
        return BadPage(name, error)


def _from_file(path: Path, url: str | None, max_bytes: int) -> RawPage | BadPage:
    return _guarded(page_name(path), lambda: RawPage(page_name(path), read_file(path, max_bytes), url))


def read_file(path: Path, max_bytes: int = MAX_BYTES) -> bytes:
    """Return the bytes of a file, decompressed if they are gzip; raise SkipRecord where that fails."""
    try:
        with path.open("rb") as file:
            if file.read(2) != b"\x1f\x8b":
                file.seek(0)
                data = file.read(max_bytes + 1)
            else:
                file.seek(0)
                with gzip.GzipFile(fileobj=file) as plain:
                    data = plain.read(max_bytes + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise SkipRecord("bad-gzip", printable_path(path), str(error)) from error
    except OSError as error:
        raise SkipRecord("unreadable", printable_path(path), error.strerror or str(error)) from error
    return _within(data, printable_path(path), max_bytes)


def _stdin(max_bytes: int) -> bytes:
    return _within(sys.stdin.buffer.read(max_bytes + 1), "standard input", max_bytes)


def _within(data: bytes, where: str, max_bytes: int) -> bytes:
    if len(data) > max_bytes:
        raise SkipRecord("too-large", where, f"more than {max_bytes:,} bytes")
    return data


def fetch(url: str, *, max_bytes: int = MAX_BYTES, seconds: float = FETCH_SECONDS, proxy: str | None = None) -> RawPage:
    """Return one page from the web, fetched by one request with bounded size and time."""
    import time
    import urllib.error
    import urllib.request

    request = urllib.request.Request(url, headers={"User-Agent": USER_AGENT, "Accept": "text/html, */*;q=0.5"})
    deadline = time.monotonic() + seconds
    proxies = None if proxy is None else {"http": proxy, "https": proxy}  # None: from the environment
    opener = urllib.request.build_opener(urllib.request.ProxyHandler(proxies))
    try:
        with opener.open(request, timeout=seconds) as response:
            chunks, size = [], 0
            while chunk := response.read(65536):
                chunks.append(chunk)
                size += len(chunk)
                if size > max_bytes:
                    raise SkipRecord("too-large", url, f"more than {max_bytes:,} bytes")
                if time.monotonic() > deadline:
                    raise SkipRecord("time-out", url, f"more than {seconds:g} s")
            return RawPage(url, b"".join(chunks), response.geturl(), response.headers.get("Content-Type"))
    except urllib.error.HTTPError as error:
        raise SkipRecord("http-status", url, str(error.code)) from error
    except (OSError, ValueError) as error:
        raise SkipRecord("unreachable", url, str(error)) from error


def _open_parquet(path: Path) -> Any:
    import pyarrow
    import pyarrow.parquet

    try:
        file = pyarrow.parquet.ParquetFile(path)
    except (pyarrow.ArrowInvalid, OSError) as error:
        raise InputMissing(f"Cannot read {path} as Parquet: {error}") from error
    missing = {"page", "html"} - set(file.schema_arrow.names)
    if missing:
        raise InputMissing(
            f"{path} has no column {' or '.join(sorted(missing))}. A file of pages needs the columns `page` and `html`."
        )
    return file


def _from_parquet(path: Path) -> Iterator[RawPage | BadPage]:
    file = _open_parquet(path)
    wanted = [name for name in ("page", "html", "url", "css", "dir") if name in file.schema_arrow.names]
    for batch in file.iter_batches(batch_size=BATCH_ROWS, columns=wanted):
        for row in batch.to_pylist():
            yield _from_row(row)


def _from_row(row: dict[str, Any]) -> RawPage | BadPage:
    name, html = str(row["page"]), row["html"]
    if html is None:
        return BadPage(name, SkipRecord("empty", name, "html is null"))
    css = {sheet["path"]: _bytes(sheet["text"] or b"") for sheet in row.get("css") or () if sheet and sheet.get("path")}
    return RawPage(name, _bytes(html), row.get("url"), None, css, row.get("dir") or "")


def _bytes(value: str | bytes) -> bytes:
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
