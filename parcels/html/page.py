"""A page: decoded, parsed and flattened to arrays, on which everything else works."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from parcels.errors import ConfigError, InputMissing, SkipRecord
from parcels.html.decode import decode
from parcels.html.leaves import Leaves, Nodes, walk
from parcels.html.parse import parse
from parcels.html.repair import with_closed_text
from parcels.html.reveal import reveal
from parcels.html.tag_paths import tag_paths
from parcels.inputs import SUFFIXES, is_address, page_name, read_file
from parcels.limits import DEFAULT_LIMITS, Limits

LONGEST_PATH = 1024  # characters of a string without a tag that may be a path given by mistake

Source = bytes | bytearray | memoryview | str | os.PathLike[str]  # the accepted types of a page


@dataclass(frozen=True, slots=True)
class Page:
    """One page, read once; dividers, layout and features share its arrays."""

    name: str
    url: str | None
    charset: str
    charset_found_by: str
    root: etree._Element
    nodes: Nodes
    leaves: Leaves

    def tag_paths(self, rows: Sequence[int]) -> list[str]:
        """Return the tags from the root to each of the nodes.

        >>> page = read_page("<table><tr><td>x")
        >>> page.tag_paths(page.leaves.node.tolist())
        ['html/body/table/tr/td']
        """
        return tag_paths(self.nodes.parent.tolist(), self.nodes.tags, list(rows))


def read_page(
    html: bytes | str,
    url: str | None = None,
    *,
    name: str = "",
    content_type: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Page:
    """Read a page; raises SkipRecord with a reason for what is not a page or passes a limit.

    >>> read_page("<p>Hello <b>world</b>").leaves.text
    ['Hello', 'world']
    """
    where = url or name
    if isinstance(html, str):
        html, content_type = html.encode("utf-8", "replace"), "text/html; charset=utf-8"
    decoded = decode(html, content_type, where=where)
    try:
        root = parse(decoded.utf8, limits=limits, where=where)
        reveal(root, decoded.utf8)
        nodes, leaves = walk(root)
        is_blank = not len(leaves)
    except SkipRecord as skipped:
        if skipped.reason != "empty":
            raise
        is_blank = True
    if is_blank:  # an unclosed element may have swallowed the page; if not, this raises again
        root = parse(with_closed_text(decoded.utf8), limits=limits, where=where)
        reveal(root, decoded.utf8)
        nodes, leaves = walk(root)
    return Page(name, url, decoded.charset, decoded.found_by, root, nodes, leaves)


def open_page(source: Source, url: str | None = None) -> Page:
    """Read a page from its bytes, its text, or the file that a `pathlib.Path` names (`.gz` is decompressed).

    A string is always HTML, never opened as a file: a page's text must not decide what is read from the disk.

    >>> open_page("<p>Hello").leaves.text
    ['Hello']
    >>> open_page("pages/pier.html")
    Traceback (most recent call last):
    parcels.errors.ConfigError: 'pages/pier.html' is a path, not HTML. Pass pathlib.Path('pages/pier.html') to read ...
    """
    if isinstance(source, os.PathLike):
        path = Path(source)
        if not path.is_file():
            raise InputMissing(f"There is no file {path}. Check the path.")
        return read_page(read_file(path), url, name=page_name(path))
    if isinstance(source, str):
        _refuse_names(source)
    elif isinstance(source, bytearray | memoryview):
        source = bytes(source)
    elif not isinstance(source, bytes):
        raise TypeError(f"A page must be bytes, str or pathlib.Path, got {type(source).__name__}.")
    return read_page(source, url)


def _refuse_names(html: str) -> None:
    """Raise ConfigError where a string names a page instead of holding it."""
    given = html.strip()
    if not given or len(given) > LONGEST_PATH or "<" in given or "\n" in given or "\0" in given:
        return
    if is_address(given) and not any(sign.isspace() for sign in given):
        raise ConfigError(
            f"{given!r} is an address, not HTML. Fetch it and pass the body, with url={given!r}; "
            f"the command line fetches addresses: parcels extract {given}"
        )
    if given.lower().endswith(SUFFIXES) or Path(given).is_file():
        raise ConfigError(
            f"{given!r} is a path, not HTML. Pass pathlib.Path({given!r}) to read the file, or the file's contents."
        )
