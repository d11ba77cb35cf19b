"""Results that the Python functions return and the command line prints as JSON, with the same field names in both."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from parcels.common.memory import gc_paused
from parcels.divide import Division, block_text
from parcels.html.page import Source, open_page
from parcels.processed_page import ProcessedPage

if TYPE_CHECKING:
    from parcels.labels.blocks import Labelled
    from parcels.layout.render import LaidOut

DEFAULT_MODEL = "news"
Box = tuple[float, float, float, float]  # x, y, width, height
_Row = TypeVar("_Row", bound=tuple[Any, ...])


def rows_of(kind: type[_Row], fields: Iterable[tuple[Any, ...]]) -> list[_Row]:
    """Make many named tuples from their fields in order, without a Python call for each.

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
        """Return the leaf as the command line prints it."""
        kind, text, label, hidden_reason = self
        out: dict[str, Any] = {"kind": kind, "text": text}
        if label is not None:
            out["label"] = label
        if hidden_reason is not None:
            out["hidden_reason"] = hidden_reason
        return out


class Vote(NamedTuple):
    """The label that one view gives a block."""

    label: str
    confidence: float


class Span(NamedTuple):
    """A place, source, reporter or time inside a block's text."""

    label: str
    start: int
    end: int
    confidence: float


class Block(NamedTuple):
    """One block of a page; without a model or a layout, the fields that they fill are None."""

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
        """Return the block as the command line prints it."""
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
        """Return the page as the command line prints it."""
        return {
            "page": self.page,
            "url": self.url,
            "charset": self.charset,
            "divider": self.divider,
            "blocks": [block.to_json() for block in self.blocks],
        }


@gc_paused
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
    page = ProcessedPage.parsed(open_page(html, url), css=css, folder=folder, divider=divider)
    return blocks_of(page, model=model)


def blocks_of(processed: ProcessedPage, *, model: str | None = None, has_layout: bool = True) -> PageBlocks:
    """Return the blocks of a page; without a layout they have no boxes, areas and labels."""
    page = processed.page
    of = block_columns(processed, model, has_layout=has_layout)
    leaves = rows_of(Leaf, zip(page.leaves.kind, page.leaves.text, of.leaf_labels, of.reasons, strict=True))
    labels: Sequence[Any] = of.labelled.blocks() if of.labelled else [(None, None, {}, None, ())] * len(of.ranges)
    rows = [
        (n, text, tuple(leaves[first:end]), path, label, confidence, views, importance, area, box, spans)
        for n, ((first, end), text, path, area, box, (label, confidence, views, importance, spans)) in enumerate(
            zip(of.ranges, of.texts, of.paths, of.areas, _boxes(of.rectangles, len(of.ranges)), labels, strict=True)
        )
    ]
    return PageBlocks(page.name, page.url, page.charset, processed.divider, tuple(rows_of(Block, rows)))


class BlockColumns(NamedTuple):
    """A page's blocks and leaves, one list per field."""

    ranges: list[tuple[int, int]]  # of leaves
    texts: list[str]
    paths: list[str]
    areas: list[str | None]
    rectangles: NDArray[np.float64] | None  # of the blocks: left, top, width, height; NaN where no leaf has a box
    leaf_labels: Sequence[str | None]
    reasons: Sequence[str | None]  # why a leaf is hidden
    labelled: "Labelled | None"


def block_columns(processed: ProcessedPage, model: str | None = None, *, has_layout: bool = True) -> BlockColumns:
    """Compute the fields of a page's blocks and leaves; without a layout there are no boxes, areas and labels."""
    page, division = processed.page, processed.division
    layout = processed.layout if has_layout and processed.can_be_laid_out else None
    labelled = None
    if model is not None and layout is not None and len(division):
        from parcels.labels.model import model_at

        labelled = processed.labels(model_at(model))
    rectangles, areas = _places(division, layout, labelled.edges if labelled else None)
    ranges = list(division.ranges())
    texts = labelled.texts if labelled else None
    if texts is None:
        texts = [block_text(page, first, end) for first, end in ranges]
    paths = page.tag_paths(division.container.tolist())
    nothing = (None,) * len(page.leaves)
    leaf_labels = labelled.leaf_labels if labelled else nothing
    reasons = layout.layout.hidden_reason if layout else nothing
    return BlockColumns(ranges, texts, paths, areas, rectangles, leaf_labels, reasons, labelled)


def _places(
    division: Division, laid: "LaidOut | None", edges: NDArray[np.float32] | None
) -> tuple[NDArray[np.float64] | None, list[str | None]]:
    """Return for each block the rectangle around its leaves, and the area of its first leaf."""
    if laid is None or not len(division):
        return None, [None] * len(division)
    from parcels.layout.boxes import AREAS

    first, leaves = division.first, laid.layout.leaves
    if edges is None:
        far = (np.fmax.reduceat(leaves[:, side] + leaves[:, 2 + side], first) for side in range(2))
        edges = np.stack([*(np.fmin.reduceat(leaves[:, side], first) for side in range(2)), *far], axis=1)
    rectangles = edges.copy()
    rectangles[:, 2:] -= edges[:, :2]
    areas: list[str | None] = [AREAS[code] for code in laid.areas.leaves[first].tolist()]
    return rectangles.astype(np.float64).round(1), areas


def _boxes(rectangles: NDArray[np.float64] | None, size: int) -> list[Box | None]:
    """Return the rectangles as tuples; None where no leaf has a box."""
    if rectangles is None:
        return [None] * size
    is_missing = np.isnan(rectangles[:, 0]).tolist()
    return [None if missing else tuple(box) for box, missing in zip(rectangles.tolist(), is_missing, strict=True)]
