"""The evidence for header and footer: one row a leaf, numbers from 0 to 1, one column a name.

All of it is seen from where the leaf stands: its own rectangle; the outermost *strip* (a part around it that is low,
such as a header or a footer); what stands before and after it; and what the parts around it are called.
"""

import numpy as np

from parcels.layout.areas.names import FLAGS
from parcels.layout.areas.scene import Bools, Floats, Ints, Scene, near, outermost, sums
from parcels.page import Page

STRIP_SHARE = 0.30  # of the page's height: a strip is not higher
STRIP_PX = 120.0  # and any that is no higher than this is one
_SHORT = 300  # letters: a longer text is no legal notice or link to one
_RIGHTS = "©|(c)|copyright|all rights|rights reserved|alle rechte|tous droits|diritti|derechos"
_LEGAL = "privacy|terms|imprint|impressum|contact|sitemap|site map|disclaimer|accessib|kontakt|cookie"
_NOTICES = (*((word, True) for word in _RIGHTS.split("|")), *((word, False) for word in _LEGAL.split("|")))
_FLAG_NUMBERS: Ints = np.arange(len(FLAGS))[:, None]
_NEAR_EDGES, _EDGE_PX = (
    ("top_near", "top_far", "bottom_near", "bottom_far"),
    np.array([[80.0], [300.0], [80.0], [300.0]]),
)
_NEAR_ENDS, _END_LEAVES = ("first", "early", "last", "late"), np.array([[8.0], [30.0], [8.0], [30.0]])
_STRIP_DISTANCES: Floats = np.array([[80.0], [300.0], [250.0], [80.0], [300.0], [250.0]])


def features_of(page: Page, scene: Scene, flags: Ints) -> dict[str, Floats]:
    """The evidence for header and footer, a column a name, a row a leaf; `flags` are the parts' names."""
    found = {"bias": np.ones(len(page.leaves))}
    found |= _place(scene)
    has_rights, is_legal = _notices(page)
    found |= _order(scene, has_rights)
    found |= _strips(scene, is_legal)
    named = ((flags[scene.parts.of_leaf] >> _FLAG_NUMBERS) & 1).astype(float)
    found |= dict(zip(FLAGS, named, strict=True))
    found |= _leaf(page, scene)
    return found | {name: found[one] * found[other] for name, one, other in PAIRS}


def _place(scene: Scene) -> dict[str, Floats]:
    """The leaf's own place; one that is not seen stands where the nearest part around it does."""
    top, bottom = scene.boxes[:, 1].copy(), scene.boxes[:, 3].copy()
    is_unseen = np.isnan(top)
    unseen = np.flatnonzero(is_unseen)
    if len(unseen):
        around, tops = scene.parts.of_leaf[unseen], scene.rectangles[:, 1]
        while (is_nowhere := np.isnan(tops[around]) & (around > 0)).any():
            around = np.where(is_nowhere, scene.parts.parent[around], around)
        top[unseen] = np.nan_to_num(tops[around], nan=0.5)
        bottom[unseen] = np.nan_to_num(scene.rectangles[around, 3], nan=0.5)
    up = scene.height - bottom
    found = dict(zip(_NEAR_EDGES, near(np.array([top, top, up, up]), _EDGE_PX), strict=True))
    return found | {"down": (top / scene.height).clip(0.0, 1.0), "unseen": is_unseen.astype(float)}


def _notices(page: Page) -> tuple[Bools, Bools]:
    """The leaves that name rights or anything legal; all texts are searched at once, word by word."""
    texts = [text if len(text) <= _SHORT else "" for text in page.leaves.text]
    has_rights, is_legal = np.zeros(len(texts), np.bool_), np.zeros(len(texts), np.bool_)
    at, is_rights = [], []
    whole = "\n".join(texts).lower()
    for word, names_rights in _NOTICES:
        place = whole.find(word)
        while place >= 0:
            at.append(place)
            is_rights.append(names_rights)
            place = whole.find(word, place + 1)
    if at:
        ends = np.cumsum([len(text) + 1 for text in texts])
        leaf = np.minimum(np.searchsorted(ends, at, side="right"), len(texts) - 1)
        is_legal[leaf] = True
        has_rights[leaf[np.array(is_rights)]] = True
    return has_rights, is_legal


def _order(scene: Scene, has_rights: Bools) -> dict[str, Floats]:
    """What stands before and after the leaf in the source."""
    count = len(has_rights)
    rank = np.arange(count, dtype=float)
    total = max(float(scene.long_text.sum()), 1.0)
    so_far = np.cumsum(scene.long_text)
    before = (so_far - scene.long_text) / total
    after = (total - so_far) / total if scene.long_text.any() else np.zeros(count)
    late = np.flatnonzero(has_rights[count // 2 + count % 2 :])
    back = count - 1.0 - rank
    return dict(zip(_NEAR_ENDS, near(np.array([rank, rank, back, back]), _END_LEAVES), strict=True)) | {
        "rank": rank / count,
        "no_text_before": (before <= 0.01).astype(float),
        "no_text_after": (after <= 0.01).astype(float),
        "text_before": before,
        "rights": has_rights.astype(float),
        "after_rights": (rank >= late[0] + count // 2 + count % 2).astype(float) if len(late) else np.zeros(count),
    }


def _strips(scene: Scene, is_legal: Bools) -> dict[str, Floats]:
    """The strip that the leaf stands in."""
    top, bottom = scene.rectangles[:, 1], scene.rectangles[:, 3]
    with np.errstate(invalid="ignore"):
        is_low = bottom - top <= max(STRIP_SHARE * scene.height, STRIP_PX)
    strip, number = outermost(scene.parts, is_low)
    left, top, right, bottom = scene.rectangles[strip].T
    above, below = _content_edges(scene)
    up = scene.height - bottom
    rows = np.array(
        [
            np.ones(len(strip)),
            (right - left).clip(0.0, 1.0),
            *near(np.array([top, top, bottom, up, up, scene.height - top]), _STRIP_DISTANCES),
            scene.link_density[strip],
            scene.leaf_share[strip].clip(0.0, 0.5) * 2,
            bottom <= above + 5,
            top >= below - 5,
            sums(scene.parts, is_legal)[strip] > 0,
        ]
    )
    outside = np.concatenate([rows, np.zeros((len(rows), 1))], axis=1)  # the last one is for leaves in no strip
    return dict(zip(_STRIP_NAMES, outside[:, number], strict=True))


_STRIP_NAMES = (
    *("strip", "strip_wide", "strip_top_near", "strip_top_far", "strip_ends_high", "strip_bottom_near"),
    *("strip_bottom_far", "strip_begins_low", "strip_links", "strip_share", "strip_above_text", "strip_below_text"),
    "strip_legal",
)


def _content_edges(scene: Scene) -> tuple[float, float]:
    """Where the page's sentences begin and end: without the first and last twentieth of them."""
    is_text = (scene.long_text > 0) & np.isfinite(scene.boxes[:, 1])
    if not is_text.any():
        return 0.35 * scene.height, 0.8 * scene.height
    tops, bottoms, weight = scene.boxes[is_text, 1], scene.boxes[is_text, 3], scene.long_text[is_text]
    by_top, by_bottom = np.argsort(tops), np.argsort(bottoms)
    sum_top, sum_bottom = np.cumsum(weight[by_top]), np.cumsum(weight[by_bottom])
    first = by_top[np.searchsorted(sum_top, 0.05 * sum_top[-1])]
    last = by_bottom[min(int(np.searchsorted(sum_bottom, 0.95 * sum_bottom[-1])), len(by_bottom) - 1)]
    return float(tops[first]), float(bottoms[last])


def _leaf(page: Page, scene: Scene) -> dict[str, Floats]:
    """The leaf itself."""
    return {
        "is_link": page.leaves.is_link.astype(float),
        "is_long": (scene.long_text > 0).astype(float),
        "is_text": scene.is_text.astype(float),
        "is_image": np.array([kind == "img" for kind in page.leaves.kind], float),
    }


PAIRS = tuple(
    (f"{one} x {other}", one, other)
    for one, other in (
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
)
