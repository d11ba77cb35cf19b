"""Find the style sheets of a page: in the page, in a mapping beside it, or in a directory."""

import codecs
import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote

from parcels.css.sheets.parser import DEFAULT_CACHE, SheetCache
from parcels.css.sheets.rules import Sheet
from parcels.css.values.conditions import DEFAULT_SCREEN, Screen, media_holds
from parcels.html.page import Page
from parcels.html.tree import Attributes
from parcels.inputs import RawPage

MAX_SHEETS = 500  # of one page, imported ones included
MAX_IMPORT_DEPTH = 8
MAX_FILE_BYTES = 20_000_000  # of one sheet in a directory
_SHEET_TAGS = frozenset(["style", "link", "base"])
_CHARSET = re.compile(rb"\A@charset \"([-\w.]{1,40})\"\s*;", re.I)
_SCHEME = re.compile(r"[a-z][-+.a-z0-9]*:", re.I)
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


@dataclass(frozen=True)
class SheetSource:
    """Where external sheets are searched; the default has none."""

    css: Mapping[str, bytes] = field(default_factory=dict)  # path or address -> bytes
    folder: str = ""  # where the page lies among the paths of `css`
    directory: Path | None = None  # files by host and path, by path, or by name

    @classmethod
    def of(cls, raw: RawPage, directory: Path | None = None) -> "SheetSource":
        """Return the sheets that came with a page."""
        return cls(raw.css, raw.folder, directory)

    def find(self, address: str, *, near: str = "", url: str | None = None) -> tuple[str, bytes] | None:
        """Return path and bytes of the sheet at an address; None if it is not available.

        `near` is the path of the importing sheet, empty for the page.

        >>> source = SheetSource({"cdn.example/a.css?v=1.css": b"p{}"}, "www.example/news")
        >>> source.find("../../cdn.example/a.css%3Fv=1.css")[0], source.find("http://cdn.example/a.css?v=1")[0]
        ('cdn.example/a.css?v=1.css', 'cdn.example/a.css?v=1.css')
        """
        if self.directory is None and not self.css:
            return None
        paths = _paths(address, near or (self.folder + "/" if self.folder else ""), url)
        for path in paths:
            for spelling in (path, path + ".css", path.partition("?")[0]):
                key = self._by_path.get(spelling)
                if key is not None:
                    return key, self.css[key]
        if self.directory is not None:
            for path in (*paths, posixpath.basename(paths[0]) if paths else ""):
                data = self._in_directory(path)
                if data is not None:
                    return path, data
        return self._by_suffix(paths)

    @cached_property
    def _by_path(self) -> dict[str, str]:
        return {_without_scheme(key): key for key in self.css}

    def _by_suffix(self, paths: list[str]) -> tuple[str, bytes] | None:
        """Return the sheet with the longest matching path suffix: the file name and at least one folder."""
        for path in paths:
            wanted = path.partition("?")[0].split("/")
            best, most = "", 1
            for known, key in self._by_path.items():
                if key != known:  # a whole address: it is this one or none
                    continue
                parts = known.partition("?")[0].split("/")
                alike = 0
                while alike < min(len(parts), len(wanted)) and parts[-1 - alike] == wanted[-1 - alike]:
                    alike += 1
                if alike > most:
                    best, most = key, alike
            if best:
                return best, self.css[best]
        return None

    def _in_directory(self, path: str) -> bytes | None:
        assert self.directory is not None
        root = self.directory.resolve()
        for name in (path, path.partition("?")[0]):
            try:
                file = (root / name.lstrip("/")).resolve()
                if name and file.is_relative_to(root) and file.is_file() and file.stat().st_size <= MAX_FILE_BYTES:
                    return file.read_bytes()
            except (OSError, ValueError):  # a name that no file can have
                continue
        return None


@dataclass(slots=True)
class PageSheets:
    """The sheets of one page in cascade order, and the sheets that are missing."""

    sheets: list[tuple[Sheet, str]] = field(default_factory=list)  # and the layer that an @import puts them in
    requested: int = 0
    missing: list[str] = field(default_factory=list)

    @property
    def coverage(self) -> float:
        """The share of the requested sheets that are available; 1 if none is requested."""
        return 1.0 - len(self.missing) / self.requested if self.requested else 1.0


def sheets_of(
    page: Page,
    source: SheetSource,
    *,
    screen: Screen = DEFAULT_SCREEN,
    is_quirky: bool = False,
    cache: SheetCache = DEFAULT_CACHE,
) -> PageSheets:
    """Return the sheets of a page in document order: `<style>`, `<link rel=stylesheet>` and their imports."""
    collector = _Collector(page, source, screen, is_quirky, cache)
    title = ""
    for tag, attributes, element in page.nodes.iter_metadata():
        if tag not in _SHEET_TAGS:
            continue
        if tag == "base":
            collector.base = collector.base or attributes.get("href") or ""
            continue
        if not _is_requested(tag, attributes, screen):
            continue
        own = (attributes.get("title") or "").strip()
        title = title or own
        if own and own != title:  # another set of sheets to choose from: CSSOM, section 6.2
            continue
        if tag == "style":
            text = element.text
            if text:
                collector.page_sheets.requested += 1
                collector.add(text, "", "", 0)
        else:
            collector.fetch((attributes.get("href") or "").strip(), "", "", 0)
    return collector.page_sheets


def _is_requested(tag: str, attributes: Attributes, screen: Screen) -> bool:
    if tag != "style":
        words = (attributes.get("rel") or "").lower().split()
        if "stylesheet" not in words or "alternate" in words or attributes.get("disabled") is not None:
            return False
    kind, media = attributes.get("type"), attributes.get("media")
    return not (kind and "css" not in kind.lower()) and (not media or media_holds(media, screen))


class _Collector:
    def __init__(self, page: Page, source: SheetSource, screen: Screen, is_quirky: bool, cache: SheetCache):
        self.page, self.source, self.screen, self.is_quirky, self.cache = page, source, screen, is_quirky, cache
        self.base = ""
        self.page_sheets = PageSheets()

    def add(self, text: str, near: str, layer: str, depth: int, above: frozenset[str] = frozenset()) -> None:
        """Add a sheet's text behind its imports."""
        if len(self.page_sheets.sheets) >= MAX_SHEETS:
            return
        sheet = self.cache.sheet(text, self.screen, is_quirky=self.is_quirky)
        for imported in sheet.imports:
            if media_holds(imported.media, self.screen):
                inner = f"{layer}.{imported.layer}".strip(".")
                self.fetch(imported.address, near, inner, depth + 1, above)
        self.page_sheets.sheets.append((sheet, layer))

    def fetch(self, address: str, near: str, layer: str, depth: int, above: frozenset[str] = frozenset()) -> None:
        """Add an external sheet if it is available."""
        if not address or self.page_sheets.requested >= MAX_SHEETS:
            return
        if depth > MAX_IMPORT_DEPTH:
            return
        self.page_sheets.requested += 1
        if address[:5].lower() == "data:":
            self.add(_from_data(address), near, layer, depth, above)
            return
        hit = self.source.find(address, near=near, url=self.page.url)
        if hit is None and self.base and not near:
            hit = self.source.find(address, near=_without_scheme(self.base), url=self.base)
        if hit is None:
            self.page_sheets.missing.append(address)
            return
        path, data = hit
        if path in above:  # an import of itself
            self.page_sheets.requested -= 1
            return
        self.add(sheet_text(data), path, layer, depth, above | {path})


def sheet_text(data: bytes) -> str:
    """Decode a sheet: byte order mark, @charset, UTF-8, else Latin-1.

    >>> sheet_text(b"p{content:'\\xe9'}")
    "p{content:'é'}"
    """
    for mark, name in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace")
    parse_declaration = _CHARSET.match(data)
    if parse_declaration is not None:
        try:
            return data.decode(parse_declaration[1].decode("ascii"))
        except (LookupError, ValueError):
            pass
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _from_data(address: str) -> str:
    import base64
    import binascii

    head, _, body = address.partition(",")
    if not head.lower().endswith("base64"):
        return unquote(body)
    try:
        return sheet_text(base64.b64decode(unquote(body) + "==", validate=False))
    except (binascii.Error, ValueError):
        return ""


def _without_scheme(address: str) -> str:
    if address.startswith("//"):
        return address[2:]
    return _SCHEME.sub("", address, count=1).lstrip("/") if _SCHEME.match(address) else address


def _paths(address: str, near: str, url: str | None) -> list[str]:
    """Return the paths, host first, that an address may refer to, the most likely first."""
    address, near = address.partition("#")[0], _without_scheme(near).partition("?")[0]
    paths: list[str] = []
    for spelling in dict.fromkeys((unquote(address), address)):
        if spelling.startswith("//") or _SCHEME.match(spelling):
            paths.append(_without_scheme(spelling))
            continue
        host = near.partition("/")[0]
        for base in (near, _without_scheme(url) if url else ""):
            if spelling.startswith("/"):
                host = base.partition("/")[0]
                paths.append(_normal(host + spelling))
            else:
                paths.append(_normal(posixpath.join(posixpath.dirname(base), spelling)))
        paths.append(_normal(spelling.lstrip("/")))
    return list(dict.fromkeys(path for path in paths if path))


def _normal(path: str) -> str:
    path, mark, query = path.partition("?")
    path = posixpath.normpath(path) if path else ""
    return path.lstrip("/") + mark + query
