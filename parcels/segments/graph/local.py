"""Local segment features (section 4.1): one value per segment, mostly from 0 to 1."""

import re

import numpy as np

from parcels.features.feature import feature, features_of
from parcels.segments.graph.measures import Floats, SegmentMeasures, floats
from parcels.segments.names import KINDS

SCREEN_PX = 1000.0  # section 8.2: the first screen
MUCH = 8.0  # scale of logarithms
_WORD = re.compile(r"\w{3,}")
_RIGHTS = re.compile(r"©|\(c\)|copyright|all rights|alle rechte", re.I)


def _log(counts: Floats) -> Floats:
    return np.minimum(np.log1p(counts) / MUCH, 1.0)


def _share(part: Floats, whole: Floats | float) -> Floats:
    return np.clip(part / np.maximum(whole, 1e-9), 0, 1)


@feature(view="segment", low=0, high=1)
def leaf_count(m: SegmentMeasures) -> Floats:
    """Number of leaves, as a logarithm."""
    return _log(m.leaves)


@feature(view="segment", low=0, high=1)
def leaf_share(m: SegmentMeasures) -> Floats:
    """Share of the page's leaves."""
    return _share(m.leaves, m.leaves[0])


@feature(view="segment", low=0, high=1)
def word_count(m: SegmentMeasures) -> Floats:
    """Number of words, as a logarithm."""
    return _log(m.words)


@feature(view="segment", low=0, high=1)
def word_share(m: SegmentMeasures) -> Floats:
    """Share of the page's words."""
    return _share(m.words, m.words[0])


@feature(view="segment", low=0, high=1)
def link_density(m: SegmentMeasures) -> Floats:
    """Share of the words that are in links."""
    return _share(m.link_words, m.words)


@feature(view="segment", low=0, high=1)
def link_count(m: SegmentMeasures) -> Floats:
    """Number of links, as a logarithm."""
    return _log(m.tag("a"))


@feature(view="segment", low=0, high=1)
def words_a_leaf(m: SegmentMeasures) -> Floats:
    """Mean number of words per leaf, as a logarithm; running text has long leaves."""
    return _log(m.words / np.maximum(m.leaves, 1))


@feature(view="segment", low=0, high=1)
def image_count(m: SegmentMeasures) -> Floats:
    """Images and other media, as a logarithm."""
    return _log(m.kind_count("img", "video", "audio", "iframe", "embed"))


@feature(view="segment", low=0, high=1)
def image_area(m: SegmentMeasures) -> Floats:
    """Share of the segment's area that is media."""
    boxes, kinds = m.graph.laid.layout.leaves, m.graph.laid.page.leaves.kind
    is_medium = np.array([kind in ("img", "video", "iframe", "embed") for kind in kinds], np.bool_)
    area = np.where(is_medium & m.is_seen, np.nan_to_num(boxes[:, 2].astype(np.float64) * boxes[:, 3]), 0.0)
    return _share(m.sum_of_leaves(np.maximum(area, 0)), m.size_px.prod(axis=1))


@feature(view="segment", low=0, high=1)
def control_count(m: SegmentMeasures) -> Floats:
    """Form controls, as a logarithm."""
    return _log(m.kind_count("input", "textarea", "select"))


@feature(view="segment", low=0, high=1)
def heading_count(m: SegmentMeasures) -> Floats:
    """Headings, as a logarithm."""
    return _log(m.tag("h1", "h2", "h3", "h4"))


@feature(view="segment", low=0, high=1)
def has_h1(m: SegmentMeasures) -> Floats:
    """1 where it holds an h1."""
    return np.minimum(m.tag("h1"), 1)


@feature(view="segment", low=0, high=1)
def starts_with_heading(m: SegmentMeasures) -> Floats:
    """1 where its subtree is a heading or is named as one."""
    return (m.kinds >> KINDS.index("heading") & 1).astype(np.float64)


@feature(view="segment", low=0, high=1)
def paragraph_count(m: SegmentMeasures) -> Floats:
    """Paragraphs, as a logarithm."""
    return _log(m.tag("p"))


@feature(view="segment", low=0, high=1)
def item_count(m: SegmentMeasures) -> Floats:
    """List items, as a logarithm."""
    return _log(m.tag("li", "dt"))


@feature(view="segment", low=0, high=1)
def row_count(m: SegmentMeasures) -> Floats:
    """Table rows, as a logarithm."""
    return _log(m.tag("tr"))


@feature(view="segment", low=0, high=1)
def tag_richness(m: SegmentMeasures) -> Floats:
    """Number of different tags."""
    return _share((m.tags[:, :-1] > 0).sum(axis=1).astype(np.float64), 15.0)


@feature(view="segment", low=0, high=1)
def text_density(m: SegmentMeasures) -> Floats:
    """Words per area of 100 x 100 pixels, as a logarithm."""
    return floats(np.minimum(np.log1p(1e4 * m.words / np.maximum(m.size_px.prod(axis=1), 100.0)) / 4, 1.0))


@feature(view="segment", low=0, high=1)
def left(m: SegmentMeasures) -> Floats:
    """Left edge by the page's width."""
    return m.box[:, 0]


@feature(view="segment", low=0, high=1)
def right(m: SegmentMeasures) -> Floats:
    """Right edge by the page's width."""
    return m.box[:, 2]


@feature(view="segment", low=0, high=1)
def top(m: SegmentMeasures) -> Floats:
    """Upper edge by the page's height."""
    return m.box[:, 1]


@feature(view="segment", low=0, high=1)
def bottom(m: SegmentMeasures) -> Floats:
    """Lower edge by the page's height."""
    return m.box[:, 3]


@feature(view="segment", low=0, high=1)
def top_px(m: SegmentMeasures) -> Floats:
    """Upper edge in screens: 1 from the end of the first one on."""
    return np.clip(np.nan_to_num(m.graph.boxes[:, 1]) / SCREEN_PX, 0, 1)


@feature(view="segment", low=0, high=1)
def from_bottom_px(m: SegmentMeasures) -> Floats:
    """From the lower edge to the page's end, in screens."""
    return floats(np.clip((m.page_size[1] - np.nan_to_num(m.graph.boxes[:, 3])) / SCREEN_PX, 0, 1))


@feature(view="segment", low=0, high=1)
def width(m: SegmentMeasures) -> Floats:
    """Width by the page's."""
    return floats(np.clip(m.size_px[:, 0] / m.page_size[0], 0, 1))


@feature(view="segment", low=0, high=1)
def height(m: SegmentMeasures) -> Floats:
    """Height in pixels, as a logarithm."""
    return _log(m.size_px[:, 1])


@feature(view="segment", low=0, high=1)
def height_share(m: SegmentMeasures) -> Floats:
    """Height by the page's."""
    return floats(np.clip(m.size_px[:, 1] / m.page_size[1], 0, 1))


@feature(view="segment", low=0, high=1)
def area(m: SegmentMeasures) -> Floats:
    """Area by the page's."""
    return floats(np.clip(m.size_px.prod(axis=1) / m.page_size.prod(), 0, 1))


@feature(view="segment", low=0, high=1)
def font_size(m: SegmentMeasures) -> Floats:
    """Font size relative to the page's, one third for the same size."""
    return np.clip(m.font_size / 3, 0, 1)


@feature(view="segment", low=0, high=1)
def bold_share(m: SegmentMeasures) -> Floats:
    """Share of the words in bold."""
    return _share(m.bold_words, m.words)


@feature(view="segment", low=0, high=1)
def has_own_background(m: SegmentMeasures) -> Floats:
    """1 where the colour behind it is not the page's."""
    return floats(m.background != m.background[0])


@feature(view="segment", low=0, high=1)
def background_brightness(m: SegmentMeasures) -> Floats:
    """Brightness of its background; transparent is white."""
    colour = m.background
    channels = np.stack([colour >> 24 & 255, colour >> 16 & 255, colour >> 8 & 255]).astype(np.float64)
    return np.where(colour & 255, np.array([0.3, 0.59, 0.11]) @ channels / 255, 1.0)


@feature(view="segment", low=0, high=1)
def title_words(m: SegmentMeasures) -> Floats:
    """Words of the page's title in it, by the segment's words."""
    page = m.graph.laid.page
    title = page.root.findtext(".//title") or ""
    wanted = frozenset(word.lower() for word in _WORD.findall(title[:300]))
    hits = [
        sum(word.lower() in wanted for word in _WORD.findall(text[:300])) if kind == "text" and wanted else 0
        for kind, text in zip(page.leaves.kind, page.leaves.text, strict=True)
    ]
    return _share(m.sum_of_leaves(np.array(hits, np.float64)), m.words)


@feature(view="segment", low=0, high=1)
def tells_rights(m: SegmentMeasures) -> Floats:
    """1 where it has a copyright notice."""
    has_notice = [_RIGHTS.search(text) is not None for text in m.graph.laid.page.leaves.text]
    return np.minimum(m.sum_of_leaves(np.array(has_notice, np.float64)), 1)


@feature(view="segment", low=0, high=1)
def unseen_share(m: SegmentMeasures) -> Floats:
    """Share of its leaves that are hidden by style."""
    return _share(m.sum_of_leaves(~m.is_seen), m.leaves)


@feature(view="segment", low=0, high=1)
def is_loose(m: SegmentMeasures) -> Floats:
    """1 where it is not a single subtree."""
    return (~m.is_single).astype(np.float64)


def named(m: SegmentMeasures, place: int) -> Floats:
    """Return 1 for each segment whose subtree has names of this kind."""
    return (m.kinds >> place & 1).astype(np.float64)


for _place, _kind in enumerate(KINDS[:-1]):
    feature(view="segment", low=0, high=1, name=f"named-{_kind}", parameter=_place)(named)

FEATURES = features_of("segment", __name__)
