"""What the Python functions return and the command line prints as JSON: the same field names in both."""

from dataclasses import dataclass, field
from typing import Any

from parcels.divide import DIVIDERS, block_text
from parcels.errors import ConfigError
from parcels.page import Page, read_page


@dataclass(frozen=True, slots=True)
class Leaf:
    """One visible leaf; `label` only where it differs from its block's."""

    kind: str
    text: str
    label: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The leaf as the command line prints it."""
        out: dict[str, Any] = {"kind": self.kind, "text": self.text}
        if self.label is not None:
            out["label"] = self.label
        return out


@dataclass(frozen=True, slots=True)
class Vote:
    """What one view says of a block."""

    label: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Span:
    """A place, source, reporter or time inside a block's text."""

    label: str
    start: int
    end: int
    confidence: float


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a page; what no model or layout has said yet is None."""

    n: int
    text: str
    leaves: tuple[Leaf, ...]
    tag_path: str
    label: str | None = None
    confidence: float | None = None
    views: dict[str, Vote] = field(default_factory=dict)
    importance: int | None = None
    area: str | None = None
    box: tuple[float, float, float, float] | None = None
    spans: tuple[Span, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The block as the command line prints it."""
        return {
            "n": self.n,
            "label": self.label,
            "confidence": self.confidence,
            "views": {name: {"label": vote.label, "confidence": vote.confidence} for name, vote in self.views.items()},
            "importance": self.importance,
            "area": self.area,
            "box": self.box,
            "tag_path": self.tag_path,
            "text": self.text,
            "leaves": [leaf.to_json() for leaf in self.leaves],
            "spans": [
                {"label": span.label, "start": span.start, "end": span.end, "confidence": span.confidence}
                for span in self.spans
            ],
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


def blocks(html: bytes | str, url: str | None = None, *, divider: str = "fine") -> PageBlocks:
    """Divide one page into blocks.

    >>> [block.text for block in blocks("<h1>Fire at the pier</h1><p>Nobody was hurt.").blocks]
    ['Fire at the pier', 'Nobody was hurt.']
    """
    return blocks_of(read_page(html, url), divider=divider)


def blocks_of(page: Page, *, divider: str = "fine") -> PageBlocks:
    """Divide a page that was read before."""
    divide = DIVIDERS.get(divider)
    if divide is None:
        raise ConfigError(f"there is no divider '{divider}'; known: {', '.join(DIVIDERS)}")
    division = divide(page)
    leaves = page.leaves
    paths = page.tag_paths(division.container.tolist())
    found = [
        Block(n, block_text(page, first, end), tuple(map(Leaf, leaves.kind[first:end], leaves.text[first:end])), path)
        for n, ((first, end), path) in enumerate(zip(division.ranges(), paths, strict=True))
    ]
    return PageBlocks(page.name, page.url, page.charset, divider, tuple(found))
