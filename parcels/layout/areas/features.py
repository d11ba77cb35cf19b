"""The evidence for a leaf's area, as numbers from 0 to 1, one column a name.

All of it is seen from where the leaf stands: its own box; the outermost *strip* (an element around it that is low, such
as a header or a footer) and the outermost *column* (one that is narrow); what stands before and after it; and what the
elements around it are called. Boxes of elements are the rectangles around their leaves, since containers of floats
collapse and wrappers are as wide as the screen.
"""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.layout.areas.names import FLAGS
from parcels.layout.boxes import Layout
from parcels.page import Page

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

STRIP_SHARE = 0.30  # of the page's height: a strip is not higher
STRIP_PX = 120.0  # and any that is no higher than this is one
LONG_TEXT = 60  # characters outside links: a sentence rather than a caption
_SHORT = 300  # letters: a longer text is no legal notice or link to one
_NOTICE = re.compile(
    r"(?P<rights>©|\(c\)|copyright|all rights|rights reserved|alle rechte|tous droits|diritti|derechos)"
    r"|(?P<legal>privacy|terms|imprint|impressum|contact|sitemap|site map|disclaimer|accessib|kontakt|cookie)"
)


@dataclass(frozen=True, slots=True)
class Scene:
    """Rectangles as shares of the page, and sums over subtrees."""

    height: float  # px
    boxes: Floats  # leaves: left, top, right, bottom; x as share of the page's extent, y in px
    nodes: Floats  # the same for elements; NaN where nothing of them is seen
    letters: Floats  # of each leaf, outside and inside links
    link_letters: Floats
    leaf_share: Floats  # of each node
    link_density: Floats  # of each node


def scene_of(page: Page, layout: Layout) -> Scene:
    """Where everything stands."""
    boxes = layout.leaves.astype(float)
    x, y, w, h = boxes.T
    with np.errstate(invalid="ignore"):
        is_seen = np.isfinite(boxes).all(axis=1) & (w > 0) & (h > 0) & (x + w > 0) & (y + h > 0)
        is_seen &= np.array([reason is None for reason in layout.hidden_reason], np.bool_)
        is_inside = is_seen & (x + w <= 1.1 * layout.width)
    left = max(float(x[is_inside].min()), 0.0) if is_inside.any() else 0.0
    right = float((x + w)[is_inside].max()) if is_inside.any() else layout.width
    extent = max(right - left, 1.0)
    height = max(float((y + h)[is_seen].max()) if is_seen.any() else layout.height, 1.0)
    shares = np.stack([(x - left) / extent, y, (x + w - left) / extent, y + h], axis=1)
    shares[~is_seen] = np.nan
    shares[:, 0::2] = shares[:, 0::2].clip(-0.2, 1.2)
    kinds_and_texts = zip(page.leaves.kind, page.leaves.text, strict=True)
    letters = np.array([len(text) if kind == "text" else 0 for kind, text in kinds_and_texts])
    link_letters = np.where(page.leaves.is_link, letters, 0)
    first, end = page.nodes.first_leaf, page.nodes.end_leaf
    letter_sum, link_sum = running(letters), running(link_letters)
    in_node = letter_sum[end] - letter_sum[first]
    density = (link_sum[end] - link_sum[first]) / np.maximum(in_node, 1.0)
    share = (end - first) / max(len(page.leaves), 1)
    return Scene(
        height,
        shares,
        _rectangles(shares, first, end),
        letters.astype(float),
        link_letters.astype(float),
        share,
        density,
    )


def running(values: NDArray[Any]) -> Floats:
    """The sums of all values before each place, and of all."""
    return np.concatenate([[0.0], np.cumsum(values, dtype=float)])


def _rectangles(boxes: Floats, first: NDArray[np.int32], end: NDArray[np.int32]) -> Floats:
    """The rectangle around each range of leaves, by a table of minima over powers of two."""
    count = len(boxes)
    found = np.full((len(first), 4), np.nan)
    is_any = end > first
    if not count or not is_any.any():
        return found
    signed = np.stack([boxes[:, 0], boxes[:, 1], -boxes[:, 2], -boxes[:, 3]], axis=1)
    table = [np.where(np.isnan(signed), np.inf, signed)]
    while 2 ** len(table) <= count:
        step, above = 2 ** (len(table) - 1), table[-1]
        table.append(np.minimum(above[:-step], above[step:]))
    a, b = first[is_any], end[is_any]
    level = np.frexp(b - a)[1] - 1
    least = np.empty((len(a), 4))
    for number in np.unique(level).tolist():
        at = level == number
        least[at] = np.minimum(table[number][a[at]], table[number][b[at] - 2**number])
    least[np.isinf(least).any(axis=1)] = np.nan
    least[:, 2:] *= -1
    found[is_any] = least
    return found


def features_of(page: Page, scene: Scene, flags: Ints) -> dict[str, Floats]:
    """The evidence for header and footer, a column a name, a row a leaf."""
    holder = page.leaves.node.astype(np.int64)
    strip = outermost(page, scene.nodes[:, 3] - scene.nodes[:, 1], max(STRIP_SHARE * scene.height, STRIP_PX))
    found = {"bias": np.ones(len(holder))}
    found |= _place(page, scene, holder)
    has_rights, is_legal = _notices(page)
    found |= _order(page, scene, has_rights)
    found |= _strips(page, scene, strip[holder], is_legal)
    found |= _names(flags[holder])
    found |= _leaf(page, scene)
    return found | {f"{one} x {other}": found[one] * found[other] for one, other in PAIRS}


def _names(flags: Ints) -> dict[str, Floats]:
    """What the elements around the leaf are called."""
    return {name: ((flags >> number) & 1).astype(float) for number, name in enumerate(FLAGS)}


def outermost(page: Page, size: Floats, largest: float) -> Ints:
    """For each node the outermost element around it, itself included, that is no larger; -1 where there is none."""
    with np.errstate(invalid="ignore"):
        is_small = (size <= largest).tolist()
    found = [-1] * len(is_small)
    for row, above in enumerate(page.nodes.parent.tolist()):
        if above >= 0 and found[above] >= 0:
            found[row] = found[above]
        elif is_small[row]:
            found[row] = row
    return np.array(found)


def near(distance: NDArray[Any], px: float) -> Floats:
    """1 at no distance, about a third at `px`, 0 far away."""
    found: Floats = np.exp(-np.clip(distance, 0.0, None) / px)
    return found


def _place(page: Page, scene: Scene, holder: Ints) -> dict[str, Floats]:
    """The leaf's own place; one that is not seen stands where the nearest element around it does."""
    boxes = scene.boxes.copy()
    unseen = np.flatnonzero(np.isnan(boxes).any(axis=1))
    around = holder[unseen]
    while (is_nowhere := np.isnan(scene.nodes[around, 0]) & (around > 0)).any():
        around = np.where(is_nowhere, page.nodes.parent[around], around)
    boxes[unseen] = scene.nodes[around]
    boxes = np.nan_to_num(boxes, nan=0.5)
    top, bottom = boxes[:, 1], boxes[:, 3]
    is_unseen = np.zeros(len(boxes))
    is_unseen[unseen] = 1.0
    return {
        "top_near": near(top, 80.0),
        "top_far": near(top, 300.0),
        "bottom_near": near(scene.height - bottom, 80.0),
        "bottom_far": near(scene.height - bottom, 300.0),
        "down": (top / scene.height).clip(0.0, 1.0),
        "unseen": is_unseen,
    }


def _notices(page: Page) -> tuple[Bools, Bools]:
    """The leaves that name rights or anything legal; all texts are searched in one pass."""
    texts = [text if len(text) <= _SHORT else "" for text in page.leaves.text]
    ends = np.cumsum([len(text) + 1 for text in texts])
    has_rights, is_legal = np.zeros(len(texts), np.bool_), np.zeros(len(texts), np.bool_)
    found = [(match.start(), match.lastgroup == "rights") for match in _NOTICE.finditer("\n".join(texts).lower())]
    if found:
        at, is_rights = np.array([start for start, _ in found]), np.array([rights for _, rights in found])
        leaf = np.minimum(np.searchsorted(ends, at, side="right"), len(texts) - 1)
        is_legal[leaf] = True
        has_rights[leaf[is_rights]] = True
    return has_rights, is_legal


def _order(page: Page, scene: Scene, has_rights: Bools) -> dict[str, Floats]:
    """What stands before and after the leaf in the source."""
    count = max(len(page.leaves), 1)
    rank = np.arange(len(page.leaves))
    plain = scene.letters - scene.link_letters
    long_text = np.where(plain >= LONG_TEXT, plain, 0.0)
    total = max(long_text.sum(), 1.0)
    before = (np.cumsum(long_text) - long_text) / total
    after = (total - np.cumsum(long_text)) / total if long_text.any() else np.zeros(len(rank))
    late = np.flatnonzero(has_rights & (rank >= count / 2))
    return {
        "first": near(rank.astype(float), 8.0),
        "early": near(rank.astype(float), 30.0),
        "last": near(count - 1.0 - rank, 8.0),
        "late": near(count - 1.0 - rank, 30.0),
        "rank": rank / count,
        "no_text_before": (before <= 0.01).astype(float),
        "no_text_after": (after <= 0.01).astype(float),
        "text_before": before,
        "rights": has_rights.astype(float),
        "after_rights": (rank >= late[0]).astype(float) if len(late) else np.zeros(len(rank)),
    }


def _strips(page: Page, scene: Scene, strip: Ints, is_legal: Bools) -> dict[str, Floats]:
    """The strip that the leaf stands in."""
    has, box = strip >= 0, np.nan_to_num(scene.nodes[np.maximum(strip, 0)])
    above, below = _content_edges(scene)
    legal = running(is_legal)
    node = np.maximum(strip, 0)
    legal_count = legal[page.nodes.end_leaf[node]] - legal[page.nodes.first_leaf[node]]
    columns = {
        "strip": np.ones(len(strip)),
        "strip_wide": (box[:, 2] - box[:, 0]).clip(0.0, 1.0),
        "strip_top_near": near(box[:, 1], 80.0),
        "strip_top_far": near(box[:, 1], 300.0),
        "strip_ends_high": near(box[:, 3], 250.0),
        "strip_bottom_near": near(scene.height - box[:, 3], 80.0),
        "strip_bottom_far": near(scene.height - box[:, 3], 300.0),
        "strip_begins_low": near(scene.height - box[:, 1], 250.0),
        "strip_links": scene.link_density[node],
        "strip_share": scene.leaf_share[node].clip(0.0, 0.5) * 2,
        "strip_above_text": (box[:, 3] <= above + 5).astype(float),
        "strip_below_text": (box[:, 1] >= below - 5).astype(float),
        "strip_legal": (legal_count > 0).astype(float),
    }
    return {name: np.where(has, values, 0.0) for name, values in columns.items()}


def _content_edges(scene: Scene) -> tuple[float, float]:
    """Where the page's sentences begin and end: without the first and last twentieth of them."""
    plain = scene.letters - scene.link_letters
    is_text = (plain >= LONG_TEXT) & np.isfinite(scene.boxes[:, 1])
    if not is_text.any():
        return 0.35 * scene.height, 0.8 * scene.height
    tops, bottoms, weight = scene.boxes[is_text, 1], scene.boxes[is_text, 3], plain[is_text]
    by_top, by_bottom = np.argsort(tops), np.argsort(bottoms)
    sum_top, sum_bottom = np.cumsum(weight[by_top]), np.cumsum(weight[by_bottom])
    first = by_top[np.searchsorted(sum_top, 0.05 * sum_top[-1])]
    last = by_bottom[min(np.searchsorted(sum_bottom, 0.95 * sum_bottom[-1]), len(by_bottom) - 1)]
    return float(tops[first]), float(bottoms[last])


def _leaf(page: Page, scene: Scene) -> dict[str, Floats]:
    """The leaf itself."""
    kinds = page.leaves.kind
    plain = scene.letters - scene.link_letters
    return {
        "is_link": page.leaves.is_link.astype(float),
        "is_long": (plain >= LONG_TEXT).astype(float),
        "is_text": np.array([kind == "text" for kind in kinds], float),
        "is_image": np.array([kind == "img" for kind in kinds], float),
    }


PAIRS = (
    ("header_name", "top_far"),
    ("header_tag", "top_far"),
    ("header_name", "first"),
    ("footer_name", "late"),
    ("footer_name", "bottom_far"),
    ("footer_tag", "late"),
    ("nav_name", "strip_ends_high"),
    ("nav_name", "top_far"),
    ("strip_links", "strip_ends_high"),
    ("strip_links", "strip_bottom_far"),
    ("strip_above_text", "top_far"),
    ("strip_below_text", "bottom_far"),
    ("no_text_before", "top_far"),
    ("no_text_after", "bottom_far"),
    ("content_name", "top_far"),
    ("content_name", "bottom_far"),
)
