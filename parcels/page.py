"""A page: bytes to text, text to tree, tree to flat arrays. Everything else works on the arrays."""

from collections.abc import Sequence
from dataclasses import dataclass

from lxml import etree

from parcels.decode import decode
from parcels.errors import SkipRecord
from parcels.leaves import Leaves, Nodes, walk
from parcels.limits import DEFAULT_LIMITS, Limits
from parcels.mend import with_closed_text
from parcels.parse import parse
from parcels.revealed import reveal
from parcels.tag_paths import tag_paths


@dataclass(frozen=True, slots=True)
class Page:
    """One page, read once; its arrays are shared by all that divides, lays out or measures it."""

    name: str
    url: str | None
    charset: str
    charset_found_by: str
    root: etree._Element
    nodes: Nodes
    leaves: Leaves

    def tag_paths(self, rows: Sequence[int]) -> list[str]:
        """The tags from the root to each of the nodes.

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
    if is_blank:  # perhaps something that was never closed swallowed the page; where nothing was, this says so again
        root = parse(with_closed_text(decoded.utf8), limits=limits, where=where)
        reveal(root, decoded.utf8)
        nodes, leaves = walk(root)
    return Page(name, url, decoded.charset, decoded.found_by, root, nodes, leaves)
