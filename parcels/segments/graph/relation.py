"""Local relation features (section 4.1): differences of the two segments at a boundary, one value per boundary."""

import numpy as np

from parcels.features.feature import feature, features_of
from parcels.segments.graph.measures import Floats, SegmentMeasures, floats
from parcels.segments.graph.wps_graph import HORIZONTAL, IN_ORDER, VERTICAL

GAP_PX = 100.0  # gap that gives the value 1
ALIGNED_PX = 3.0


def _sides(m: SegmentMeasures, of_segment: Floats) -> tuple[Floats, Floats]:
    return of_segment[m.graph.before], of_segment[m.graph.after]


def _difference(m: SegmentMeasures, of_segment: Floats) -> Floats:
    one, other = _sides(m, of_segment)
    return np.abs(one - other)


def _ratio(m: SegmentMeasures, of_segment: Floats) -> Floats:
    """Return the ratio of the smaller to the larger value."""
    one, other = _sides(m, of_segment)
    return np.minimum(one, other) / np.maximum(np.maximum(one, other), 1e-9)


@feature(view="boundary", low=0, high=1)
def is_horizontal(m: SegmentMeasures) -> Floats:
    """1 for a horizontal boundary."""
    return floats(m.graph.kind == HORIZONTAL)


@feature(view="boundary", low=0, high=1)
def is_vertical(m: SegmentMeasures) -> Floats:
    """1 for a vertical boundary."""
    return floats(m.graph.kind == VERTICAL)


@feature(view="boundary", low=0, high=1)
def is_in_order(m: SegmentMeasures) -> Floats:
    """1 where the boxes overlap, so that only page order separates them."""
    return floats(m.graph.kind == IN_ORDER)


def gap_px(m: SegmentMeasures) -> Floats:
    """Return the white space between the two, in pixels."""
    boxes, axis = m.graph.boxes, np.where(m.graph.kind == VERTICAL, 0, 1)
    gap = boxes[m.graph.after, axis] - boxes[m.graph.before, axis + 2]
    return np.where(m.graph.kind == IN_ORDER, 0.0, np.maximum(np.nan_to_num(gap), 0))


@feature(view="boundary", low=0, high=1)
def gap(m: SegmentMeasures) -> Floats:
    """White space between the two."""
    return np.clip(gap_px(m) / GAP_PX, 0, 1)


@feature(view="boundary", low=0, high=1)
def depth_difference(m: SegmentMeasures) -> Floats:
    """Difference of the roots' depths in the tree."""
    return np.minimum(_difference(m, m.graph.laid.page.nodes.depth[m.root].astype(np.float64)) / 5, 1)


@feature(view="boundary", low=0, high=1)
def word_ratio(m: SegmentMeasures) -> Floats:
    """Words of the smaller by those of the larger."""
    return _ratio(m, m.words + 1)


@feature(view="boundary", low=0, high=1)
def leaf_ratio(m: SegmentMeasures) -> Floats:
    """Leaves of the smaller by those of the larger."""
    return _ratio(m, m.leaves)


@feature(view="boundary", low=0, high=1)
def link_density_difference(m: SegmentMeasures) -> Floats:
    """Difference of the link densities."""
    return _difference(m, np.minimum(m.link_words / np.maximum(m.words, 1), 1))


@feature(view="boundary", low=0, high=1)
def width_ratio(m: SegmentMeasures) -> Floats:
    """The narrower by the wider."""
    return _ratio(m, m.size_px[:, 0] + 1)


@feature(view="boundary", low=0, high=1)
def height_ratio(m: SegmentMeasures) -> Floats:
    """The lower by the higher."""
    return _ratio(m, m.size_px[:, 1] + 1)


@feature(view="boundary", low=0, high=1)
def is_left_aligned(m: SegmentMeasures) -> Floats:
    """1 where both begin at the same left edge."""
    return (_difference(m, np.nan_to_num(m.graph.boxes[:, 0])) <= ALIGNED_PX).astype(np.float64)


@feature(view="boundary", low=0, high=1)
def is_top_aligned(m: SegmentMeasures) -> Floats:
    """1 where both begin at the same height."""
    return (_difference(m, np.nan_to_num(m.graph.boxes[:, 1])) <= ALIGNED_PX).astype(np.float64)


@feature(view="boundary", low=0, high=1)
def background_differs(m: SegmentMeasures) -> Floats:
    """1 where the colours behind them differ."""
    return floats(m.background[m.graph.before] != m.background[m.graph.after])


@feature(view="boundary", low=0, high=1)
def font_size_difference(m: SegmentMeasures) -> Floats:
    """Difference of the font sizes, relative to the page's."""
    return np.minimum(_difference(m, m.font_size), 1)


@feature(view="boundary", low=0, high=1)
def typeface_differs(m: SegmentMeasures) -> Floats:
    """1 where their first words have different font families."""
    family = m.graph.laid.styles.font_family[m.first_node]
    return floats(family[m.graph.before] != family[m.graph.after])


@feature(view="boundary", low=0, high=1)
def colour_differs(m: SegmentMeasures) -> Floats:
    """1 where their first words have different colours."""
    colour = m.graph.laid.styles.colour[m.first_node]
    return floats(colour[m.graph.before] != colour[m.graph.after])


@feature(view="boundary", low=0, high=1)
def has_same_tag(m: SegmentMeasures) -> Floats:
    """1 where the roots have the same tag."""
    tag = m.graph.laid.page.nodes.tag[m.root]
    return floats(tag[m.graph.before] == tag[m.graph.after])


@feature(view="boundary", low=0, high=1, version=2)
def has_same_class(m: SegmentMeasures) -> Floats:
    """1 where the roots have the same classes, or both none; an empty class attribute counts as none."""
    attributes, root = m.graph.laid.page.nodes.attributes, m.root.tolist()
    classes = [frozenset(attributes[row].get("class", "").split()) for row in root]
    pairs = zip(m.graph.before.tolist(), m.graph.after.tolist(), strict=True)
    return np.array([classes[one] == classes[other] for one, other in pairs], np.float64)


@feature(view="boundary", low=0, high=1)
def has_id(m: SegmentMeasures) -> Floats:
    """Share of the two roots that have an id."""
    attributes = m.graph.laid.page.nodes.attributes
    named = np.array(["id" in attributes[row] for row in m.root.tolist()], np.float64) * m.is_single
    one, other = _sides(m, named)
    return (one + other) / 2


@feature(view="boundary", low=0, high=1)
def structure_similarity(m: SegmentMeasures) -> Floats:
    """Cosine of their tag counts."""
    one, other = m.tag_profile[m.graph.before], m.tag_profile[m.graph.after]
    return floats(np.clip((one * other).sum(axis=1), 0, 1))


@feature(view="boundary", low=0, high=1)
def text_similarity(m: SegmentMeasures) -> Floats:
    """Share of the smaller one's distinct words that both have."""
    words = m.word_sets
    pairs = zip(m.graph.before.tolist(), m.graph.after.tolist(), strict=True)
    return np.array([len(words[a] & words[b]) / max(1, min(len(words[a]), len(words[b]))) for a, b in pairs])


@feature(view="boundary", low=0, high=1)
def kinds_differ(m: SegmentMeasures) -> Floats:
    """Share of the kinds in names that only one of the two has."""
    one, other = m.kinds[m.graph.before], m.kinds[m.graph.after]
    return floats(np.bitwise_count(one ^ other) / np.maximum(np.bitwise_count(one | other), 1))


@feature(view="boundary", low=0, high=1)
def leaves_nothing_out(m: SegmentMeasures) -> Floats:
    """Share of their parent segment's leaves that the two have together."""
    one, other = _sides(m, m.leaves)
    return (one + other) / np.maximum(m.leaves[m.graph.parent[m.graph.before]], 1)


FEATURES = features_of("boundary", __name__)
