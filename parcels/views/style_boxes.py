"""Stylistic features of boxes: where a block stands on the virtual screen, in which layer and area."""

import numpy as np

from parcels.compiled import loaded
from parcels.css.style import Display, Float, Position
from parcels.layout.boxes import AREAS
from parcels.views.ancestors import nearest
from parcels.views.arrays import CAP, safe
from parcels.views.feature import family, row_of
from parcels.views.look import Column, Floats, Ints, Look, of_marks

loops = loaded("parcels.views.style_loops")  # None where it is not compiled: the same by NumPy, slower

_FLEX = (Display.FLEX, Display.INLINE_FLEX, Display.GRID, Display.INLINE_GRID)
IS_FLEX = np.array([display in _FLEX for display in range(max(Display) + 1)])

# Boxes: position as percentages (section 5.2.3), overlap, layers


def edges(look: Look) -> Floats:
    """Look.box."""
    boxes = look.layout.leaves
    if loops is not None:
        found = np.empty((len(look), 4), np.float32)
        loops.boxes(look.division.first, boxes, found)
        return found
    far = (look.most(boxes[:, 0] + boxes[:, 2]), look.most(boxes[:, 1] + boxes[:, 3]))
    return np.stack((look.least(boxes[:, 0]), look.least(boxes[:, 1]), *far), axis=1)


def _edge(name: str, column: int, is_vertical: bool, doc: str) -> Column:
    def edge(look: Look) -> Floats:
        whole = look.layout.height if is_vertical else look.layout.width
        return safe(look.box[:, column] / max(1.0, whole))

    edge.__name__, edge.__doc__ = name, doc
    return edge


def width_share(look: Look) -> Floats:
    """Width of the block's box as a share of the screen."""
    return safe((look.box[:, 2] - look.box[:, 0]) / look.layout.width)


def height_share(look: Look) -> Floats:
    """Height of the block's box as a share of the page."""
    return safe((look.box[:, 3] - look.box[:, 1]) / max(1.0, look.layout.height))


def height(look: Look) -> Floats:
    """Height of the block's box in px, on a logarithmic scale."""
    return safe(np.log1p(np.maximum(look.box[:, 3] - look.box[:, 1], 0)))


def centre_x(look: Look) -> Floats:
    """Centre of the block's box, from 0 at the left to 1 at the right of the screen."""
    return safe((look.box[:, 0] + look.box[:, 2]) / (2 * look.layout.width))


def top_px(look: Look) -> Floats:
    """Distance from the top of the page in px, on a logarithmic scale."""
    return safe(np.log1p(np.maximum(look.box[:, 1], 0)))


def bottom_px(look: Look) -> Floats:
    """Distance from the end of the page in px, on a logarithmic scale."""
    return safe(np.log1p(np.maximum(look.layout.height - look.box[:, 3], 0)))


def is_boxless(look: Look) -> Floats:
    """1 where no leaf of the block has a box on the screen."""
    return np.isnan(look.box[:, 0]).astype(np.float32)


BOXES: tuple[Column, ...] = (
    _edge("left", 0, False, "Left edge as a share of the screen."),
    _edge("top", 1, True, "Top edge as a share of the page."),
    _edge("right", 2, False, "Right edge as a share of the screen."),
    _edge("bottom", 3, True, "Bottom edge as a share of the page."),
    width_share, height_share, height, centre_x, top_px, bottom_px, is_boxless,
)  # fmt: skip
_LOGS = [BOXES.index(column) for column in (height, top_px, bottom_px)]


def of_boxes(look: Look) -> Floats:
    """The rows of BOXES, in one pass."""
    if loops is None:
        return np.stack([column(look) for column in BOXES])
    found, screen = np.empty((len(BOXES), len(look)), np.float32), look.layout
    loops.boxes_on_screen(
        look.box, screen.width, 2 * screen.width, screen.height, max(1.0, screen.height), CAP, found
    )  # fmt: skip
    found[_LOGS] = safe(np.log1p(found[_LOGS]))
    found[np.isnan(found)] = -1
    return found


def hidden_share(look: Look) -> Floats:
    """Share of the characters that a reader cannot see."""
    reasons = look.layout.hidden_reason
    if not any(reasons):
        return np.zeros(len(look), np.float32)
    return look.mean(np.array([reason is not None for reason in reasons], np.float32))


def z_index(look: Look) -> Floats:
    """The layer of the block: the container's z-index, or that of the nearest ancestor that has one; 0 without."""
    z = look.styles.z_index[look.layers[0]]
    if np.isnan(z).all():
        return np.zeros(len(look), np.float32)
    z = np.nan_to_num(z, nan=0.0)
    return safe(np.sign(z) * np.log1p(np.abs(z)))


def _layers(look: Look) -> Floats:
    return look.layers[1]


def is_layered(look: Look) -> Floats:
    """1 inside an absolute or fixed box, which floats over the page."""
    return np.asarray(look.layers[1][0])


def is_fixed(look: Look) -> Floats:
    """1 inside a fixed or sticky box."""
    return np.asarray(look.layers[1][1])


def is_floated(look: Look) -> Floats:
    """1 inside a floated box."""
    return np.asarray(look.layers[1][2])


LAYERS: tuple[Column, ...] = (is_layered, is_fixed, is_floated)


def layers(look: Look) -> tuple[Ints, Floats]:
    """Look.layers."""
    position, floated = look.styles.position, look.styles.float_
    if loops is None:
        layer = nearest(look, (position >= Position.ABSOLUTE) & (position <= Position.STICKY))
        own, at = position[layer], nearest(look, floated != Float.NONE)
        fixed = own == Position.FIXED
        rows = ((own == Position.ABSOLUTE) | fixed, fixed | (own == Position.STICKY), floated[at] != Float.NONE)
        return layer, np.stack(rows).astype(np.float32)
    layer, found = np.empty(len(look), np.int64), np.empty((len(LAYERS), len(look)), np.float32)
    loops.layers(
        look.container, look.page.nodes.parent, position, floated, Position.ABSOLUTE, Position.FIXED, Position.STICKY,
        Float.NONE, layer, found,
    )  # fmt: skip
    return layer, found


@row_of(of_marks, 2)
def is_in_flex(look: Look) -> Floats:
    """1 where the container's parent is a flex row or a grid."""
    return IS_FLEX.take(look.styles.display[look.parent]).astype(np.float32)


def css_coverage(look: Look) -> Floats:
    """Share of the page's style sheets that were at hand."""
    return np.full(len(look), look.styles.css_coverage, np.float32)


# Areas


def area_shares(look: Look) -> Floats:
    """Look.area_shares."""
    if loops is not None:
        found: Floats = loops.areas(
            look.division.first, look.leaf_chars, look.chars_or_one, look.areas.leaves, len(AREAS)
        )
        return found
    return look.means(look.areas.leaves == np.arange(len(AREAS))[:, None])


def _areas(look: Look) -> Floats:
    return look.area_shares


def _area(number: int, name: str) -> Column:
    @row_of(_areas, number)
    def area(look: Look) -> Floats:
        return np.asarray(look.area_shares[number])

    area.__name__, area.__doc__ = f"area_{name}", f"Share of the characters in the page's {name}."
    return area


FEATURES: tuple[Column, ...] = (
    *family(of_boxes, BOXES), hidden_share, z_index, *family(_layers, LAYERS), is_in_flex, css_coverage,
    *(_area(number, name) for number, name in enumerate(AREAS)),
)  # fmt: skip
