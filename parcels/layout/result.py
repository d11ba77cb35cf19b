"""The result of `parcels.layout()` and `parcels layout`, with the same field names in both."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from parcels.common.memory import gc_paused
from parcels.html.page import Page, Source, open_page
from parcels.layout.boxes import AREAS, Boxes
from parcels.layout.render import WIDTH, LaidOut, lay_out

Box = tuple[float, float, float, float]  # x, y, width, height in px


@dataclass(frozen=True, slots=True)
class Element:
    """One element of the page; `box` is None if it is not displayed."""

    xpath: str
    tag: str
    box: Box | None
    area: str

    def to_json(self) -> dict[str, Any]:
        """Return the element as the command line prints it."""
        return {"xpath": self.xpath, "tag": self.tag, "box": self.box, "area": self.area}


@dataclass(frozen=True, slots=True)
class LeafBox:
    """One visible leaf; `hidden_reason` says why a reader cannot see it after all."""

    kind: str
    text: str
    box: Box | None
    area: str
    hidden_reason: str | None

    def to_json(self) -> dict[str, Any]:
        """Return the leaf as the command line prints it."""
        return {
            "kind": self.kind,
            "text": self.text,
            "box": self.box,
            "area": self.area,
            "hidden_reason": self.hidden_reason,
        }


@dataclass(frozen=True, slots=True)
class PageLayout:
    """A page on a screen: its elements and leaves in document order, each with its box and area."""

    page: str
    url: str | None
    width: float
    height: float
    renderer: str
    recogniser: str
    css_coverage: float  # the share of the requested style sheets that are available; 1 without requests
    elements: tuple[Element, ...]
    leaves: tuple[LeafBox, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the page as the command line prints it."""
        return {
            "page": self.page,
            "url": self.url,
            "width": self.width,
            "height": self.height,
            "renderer": self.renderer,
            "recogniser": self.recogniser,
            "css_coverage": self.css_coverage,
            "elements": [element.to_json() for element in self.elements],
            "leaves": [leaf.to_json() for leaf in self.leaves],
        }


@gc_paused
def layout(
    html: Source,
    url: str | None = None,
    *,
    css: Mapping[str, bytes] | None = None,
    folder: str = "",
    directory: Path | None = None,
    renderer: str = "virtual",
    width: float = WIDTH,
    recogniser: str = "evidence",
) -> PageLayout:
    """Lay one page out on a screen and recognise its areas.

    >>> layout("<h1>Fire at the pier</h1><p>Nobody was hurt.").elements[-1].xpath
    '/html/body/p'
    """
    laid = lay_out(
        open_page(html, url),
        css=css,
        folder=folder,
        directory=directory,
        renderer=renderer,
        width=width,
        recogniser=recogniser,
    )
    return layout_result(laid)


def layout_result(laid: LaidOut) -> PageLayout:
    """Return the result for a page that is laid out."""
    page, boxes = laid.page, laid.layout
    rows = np.flatnonzero(is_in_body(page)).tolist()
    paths, node_boxes = xpaths(page), _boxes(boxes.nodes)
    elements = tuple(
        Element(paths[row], str(page.nodes.elements[row].tag), node_boxes[row], AREAS[laid.areas.nodes[row]])
        for row in rows
    )
    leaves = tuple(
        LeafBox(kind, text, box, AREAS[area], reason)
        for kind, text, box, area, reason in zip(
            page.leaves.kind,
            page.leaves.text,
            _boxes(boxes.leaves),
            laid.areas.leaves.tolist(),
            boxes.hidden_reason,
            strict=True,
        )
    )
    return PageLayout(
        page.name,
        page.url,
        boxes.width,
        round(boxes.height, 1),
        boxes.renderer,
        laid.areas.recogniser,
        round(laid.styles.css_coverage, 3),
        elements,
        leaves,
    )


def is_in_body(page: Page) -> "np.ndarray[Any, np.dtype[np.bool_]]":
    """Return which nodes are the root, the body or inside it; all nodes of a page without a body."""
    is_inside = np.ones(len(page.nodes), np.bool_)
    for row, element in enumerate(page.nodes.elements):
        if element.tag == "head" and page.nodes.first_leaf[row] == page.nodes.end_leaf[row]:
            is_inside[row : int(page.nodes.last[row]) + 1] = False
            break
        if element.tag == "body":
            break
    return is_inside


def xpaths(page: Page) -> list[str]:
    """Return the XPath of each node as browsers give it: with a number only where siblings share the tag.

    >>> xpaths(open_page("<p>One<p>Two<br>"))
    ['/html', '/html/body', '/html/body/p[1]', '/html/body/p[2]', '/html/body/p[2]/br']
    """
    parent = page.nodes.parent.tolist()
    tags = [str(element.tag) for element in page.nodes.elements]
    counts: dict[tuple[int, str], int] = {}
    place = []
    for above, tag in zip(parent, tags, strict=True):
        key = (above, tag)
        counts[key] = counts.get(key, 0) + 1
        place.append(counts[key])
    paths: list[str] = []
    for above, tag, number in zip(parent, tags, place, strict=True):
        step = f"/{tag}[{number}]" if counts[above, tag] > 1 else f"/{tag}"
        paths.append(paths[above] + step if above >= 0 else step)
    return paths


def _boxes(boxes: Boxes) -> list[Box | None]:
    is_there: list[bool] = np.all(np.isfinite(boxes), axis=1).tolist()
    rounded: list[list[float]] = np.round(boxes.astype(float), 1).tolist()
    return [(box[0], box[1], box[2], box[3]) if there else None for box, there in zip(rounded, is_there, strict=True)]
