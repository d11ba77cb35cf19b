"""What the Python functions return and the command line prints as JSON: the same field names in both."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
import orjson
from numpy.typing import NDArray

from parcels.common.memory import gc_paused
from parcels.divide import DIVIDERS, Division, block_text
from parcels.errors import ConfigError
from parcels.html.page import Page, Source, open_page

if TYPE_CHECKING:
    from parcels.labels.blocks import Labelled
    from parcels.layout.render import LaidOut

DEFAULT_MODEL = "news"
MAX_LAID_OUT = 50_000  # elements; the largest of 10,000 corpus pages has 11,218
Box = tuple[float, float, float, float]  # x, y, width, height
_Row = TypeVar("_Row", bound=tuple[Any, ...])


def rows_of(kind: type[_Row], fields: Iterable[tuple[Any, ...]]) -> list[_Row]:
    """Many named tuples from their fields in order, without a call of Python's own for each.

    >>> rows_of(Vote, [("title", 0.9)])
    [Vote(label='title', confidence=0.9)]
    """
    make: Callable[[tuple[Any, ...]], _Row] = partial(tuple.__new__, kind)
    return list(map(make, fields))


class Leaf(NamedTuple):
    """One visible leaf; `label` only where it differs from its block's."""

    kind: str
    text: str
    label: str | None = None
    hidden_reason: str | None = None  # why a reader cannot see it, where style hides it

    def to_json(self) -> dict[str, Any]:
        """The leaf as the command line prints it."""
        kind, text, label, hidden_reason = self
        out: dict[str, Any] = {"kind": kind, "text": text}
        if label is not None:
            out["label"] = label
        if hidden_reason is not None:
            out["hidden_reason"] = hidden_reason
        return out


class Vote(NamedTuple):
    """What one view says of a block."""

    label: str
    confidence: float


class Span(NamedTuple):
    """A place, source, reporter or time inside a block's text."""

    label: str
    start: int
    end: int
    confidence: float


class Block(NamedTuple):
    """One block of a page; what no model or layout has said yet is None."""

    n: int
    text: str
    leaves: tuple[Leaf, ...]
    tag_path: str
    label: str | None = None
    confidence: float | None = None
    views: Mapping[str, Vote] = MappingProxyType({})
    importance: int | None = None
    area: str | None = None
    box: Box | None = None
    spans: tuple[Span, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The block as the command line prints it."""
        n, text, leaves, tag_path, label, confidence, views, importance, area, box, spans = self
        return {
            "n": n,
            "label": label,
            "confidence": confidence,
            "views": {name: {"label": label, "confidence": sure} for name, (label, sure) in views.items()},
            "importance": importance,
            "area": area,
            "box": box,
            "tag_path": tag_path,
            "text": text,
            "leaves": [leaf.to_json() for leaf in leaves],
            "spans": [span._asdict() for span in spans],
        }


@dataclass(frozen=True, slots=True)
class PageBlocks:
    """The blocks of one page, in document order; every visible leaf is in exactly one of them."""

    page: str
    url: str | None
    charset: str
    divider: str
    blocks: tuple[Block, ...]

    def to_json(self) -> dict[str, Any]:
        """The page as the command line prints it."""
        return {
            "page": self.page,
            "url": self.url,
            "charset": self.charset,
            "divider": self.divider,
            "blocks": [block.to_json() for block in self.blocks],
        }


@gc_paused()
def blocks(
    html: Source,
    url: str | None = None,
    *,
    divider: str = "fine",
    model: str | None = DEFAULT_MODEL,
    css: Mapping[str, bytes] | None = None,
    folder: str = "",
) -> PageBlocks:
    """Divide one page into blocks and label them, with their boxes and areas on the virtual screen.

    `model` is the name of a shipped model or a model's folder; None leaves blocks without labels. `css` are external
    style sheets by path or address, `folder` is where the page lies among those paths.

    >>> [block.text for block in blocks("<h1>Fire at the pier</h1><p>Nobody was hurt.").blocks]
    ['Fire at the pier', 'Nobody was hurt.']
    """
    page = open_page(html, url)
    return blocks_of(page, divider=divider, laid=laid_within_bounds(page, css=css, folder=folder), model=model)


def laid_within_bounds(page: Page, *, css: Mapping[str, bytes] | None = None, folder: str = "") -> "LaidOut | None":
    """The page on the virtual screen; None for a page of so many elements that laying it out would take too long."""
    from parcels.layout.render import lay_out

    return lay_out(page, css=css, folder=folder) if len(page.nodes) <= MAX_LAID_OUT else None


def blocks_of(
    page: Page, *, divider: str = "fine", laid: "LaidOut | None" = None, model: str | None = None
) -> PageBlocks:
    """Divide a page that was read before; boxes, areas and labels are known where it was laid out."""
    of = _columns(page, divider, laid, model)
    leaves = rows_of(Leaf, zip(page.leaves.kind, page.leaves.text, of.leaf_labels, of.reasons, strict=True))
    said: Sequence[Any] = of.labelled.blocks() if of.labelled else [(None, None, {}, None, ())] * len(of.ranges)
    found = [
        (n, text, tuple(leaves[first:end]), path, label, confidence, views, importance, area, box, spans)
        for n, ((first, end), text, path, area, box, (label, confidence, views, importance, spans)) in enumerate(
            zip(of.ranges, of.texts, of.paths, of.areas, _boxes(of.edges, len(of.ranges)), said, strict=True)
        )
    ]
    return PageBlocks(page.name, page.url, page.charset, divider, tuple(rows_of(Block, found)))


def blocks_to_json(
    page: Page, *, divider: str = "fine", laid: "LaidOut | None" = None, model: str | None = None
) -> dict[str, Any]:
    """Return a page's blocks as the command line prints them, without making an object for each.

    >>> page = open_page("<h1>Fire at the pier</h1><p>Nobody was hurt.")
    >>> blocks_to_json(page) == blocks_of(page).to_json()
    True
    """
    of = _columns(page, divider, laid, model)
    leaves = []
    for kind, text, label, reason in zip(page.leaves.kind, page.leaves.text, of.leaf_labels, of.reasons, strict=True):
        leaf: dict[str, Any] = {"kind": kind, "text": text}
        if label is not None:
            leaf["label"] = label
        if reason is not None:
            leaf["hidden_reason"] = reason
        leaves.append(leaf)
    size = len(of.ranges)
    views: list[dict[str, Any]] = [{} for _ in range(size)]
    said: Sequence[Any] = [(None, None)] * size
    levels: Sequence[Any] = [None] * size
    spans: Sequence[tuple[Span, ...]] = [()] * size
    if of.labelled is not None:
        said, levels, spans = of.labelled.best, of.labelled.importance, of.labelled.spans
        for name, votes in of.labelled.votes.items():
            for view, (label, confidence) in zip(views, votes, strict=True):
                view[name] = {"label": label, "confidence": confidence}
    found, boxes = [], _boxes(of.edges, size)
    for n, (first, end) in enumerate(of.ranges):
        label, confidence = said[n]
        found.append(
            {
                "n": n,
                "label": label,
                "confidence": confidence,
                "views": views[n],
                "importance": levels[n],
                "area": of.areas[n],
                "box": boxes[n],
                "tag_path": of.paths[n],
                "text": of.texts[n],
                "leaves": leaves[first:end],
                "spans": [span._asdict() for span in spans[n]],
            }
        )
    return {"page": page.name, "url": page.url, "charset": page.charset, "divider": divider, "blocks": found}


def blocks_to_line(
    page: Page, *, divider: str = "fine", laid: "LaidOut | None" = None, model: str | None = None
) -> bytes:
    """Return the JSON of a page's blocks as the command line prints it.

    >>> blocks_to_line(open_page("<h1>Fire at the pier</h1>"), divider="fine")[:41]
    b'{"page":"","url":null,"charset":"utf-8","'
    """
    return orjson.dumps(blocks_to_json(page, divider=divider, laid=laid, model=model))


class _Columns(NamedTuple):
    """What is known of a page's blocks and leaves, one list a field."""

    ranges: list[tuple[int, int]]  # of leaves
    texts: list[str]
    paths: list[str]
    areas: list[str | None]
    edges: NDArray[np.float32] | None  # left, top, right and bottom of the blocks
    leaf_labels: Sequence[str | None]
    reasons: Sequence[str | None]  # why a leaf is hidden
    labelled: "Labelled | None"


def _columns(page: Page, divider: str, laid: "LaidOut | None", model: str | None) -> _Columns:
    divide = DIVIDERS.get(divider)
    if divide is None:
        raise ConfigError(f"there is no divider '{divider}'; known: {', '.join(DIVIDERS)}")
    division = divide(page)
    labelled = _labelled(division, laid, model, is_fine=divider == "fine")
    nothing = (None,) * len(page.leaves)
    edges, areas = _places(division, laid, labelled.edges if labelled else None)
    ranges = list(division.ranges())
    texts = labelled.texts if labelled else None
    if texts is None:
        texts = [block_text(page, first, end) for first, end in ranges]
    paths = page.tag_paths(division.container.tolist())
    own = labelled.leaf_labels if labelled else nothing
    return _Columns(ranges, texts, paths, areas, edges, own, laid.layout.hidden_reason if laid else nothing, labelled)


def _labelled(division: Division, laid: "LaidOut | None", model: str | None, *, is_fine: bool) -> "Labelled | None":
    if model is None or laid is None or not len(division):
        return None
    from parcels.labels.blocks import label_blocks
    from parcels.labels.model import model_at

    return label_blocks(division, laid, model_at(model), is_fine=is_fine)


def _places(
    division: Division, laid: "LaidOut | None", edges: NDArray[np.float32] | None
) -> tuple[NDArray[np.float32] | None, list[str | None]]:
    """Of each block the edges of the rectangle around its leaves (`edges` where at hand), and the area of its first."""
    if laid is None or not len(division):
        return None, [None] * len(division)
    from parcels.layout.boxes import AREAS

    first, leaves = division.first, laid.layout.leaves
    if edges is None:
        far = (np.fmax.reduceat(leaves[:, side] + leaves[:, 2 + side], first) for side in range(2))
        edges = np.stack([*(np.fmin.reduceat(leaves[:, side], first) for side in range(2)), *far], axis=1)
    return edges, [AREAS[code] for code in laid.areas.leaves[first].tolist()]


def _boxes(edges: NDArray[np.float32] | None, size: int) -> list[Box | None]:
    """The rectangles that have these edges; None where no leaf has a box."""
    if edges is None:
        return [None] * size
    rectangles = edges.copy()
    rectangles[:, 2:] -= edges[:, :2]
    return [
        None if is_missing else tuple(box)
        for box, is_missing in zip(
            rectangles.astype(np.float64).round(1).tolist(), np.isnan(edges[:, 0]).tolist(), strict=True
        )
    ]
