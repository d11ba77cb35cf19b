"""Stylistic features of fonts, relative to the page's median, and of images."""

import numpy as np

from parcels.compiled import loaded
from parcels.css.style import Align
from parcels.views.ancestors import nearest
from parcels.views.arrays import logs, safe
from parcels.views.feature import row_of
from parcels.views.leaf_sizes import KINDS
from parcels.views.look import Column, Floats, Look, Values, of_marks

loops = loaded("parcels.views.style_loops")  # None where it is not compiled: the same by NumPy, slower

# Fonts, relative to the page's median (section 5.2.4)


def _median(look: Look, values: Floats) -> float:
    """Median over the page's text, weighted by characters."""
    keep = look.leaf_is_text
    if loops is not None and (found := loops.median(values, look.leaf_chars, keep.view(np.uint8))) is not None:
        return float(found)
    if not keep.any():
        return float(values.mean()) if len(values) else 0.0
    order = np.argsort(values[keep], kind="stable")
    weights = np.cumsum(look.leaf_chars[keep][order])
    return float(values[keep][order][np.searchsorted(weights, weights[-1] / 2)])


def font_size(look: Look) -> Floats:
    """Font size against the page's median, as a ratio."""
    return look.font_size


def relative_size(look: Look) -> Floats:
    """The same, measured."""
    sizes = look.styles.font_size[look.page.leaves.node]
    return safe(look.fonts[SIZE] / max(1.0, _median(look, sizes)))


@row_of(of_marks, 0)
def largest_font(look: Look) -> Floats:
    """1 where the block has the page's largest font."""
    sizes = look.styles.font_size[look.page.leaves.node] * look.leaf_is_text
    top = look.most(sizes)
    return (top >= (top.max() if len(top) else 0.0) - 0.5).astype(np.float32)


def font_weight(look: Look) -> Floats:
    """Font weight minus the page's median, in hundreds."""
    return look.font_weight


def relative_weight(look: Look) -> Floats:
    """The same, measured."""
    weights = look.styles.font_weight[look.page.leaves.node]
    return safe((look.fonts[WEIGHT] - _median(look, weights)) / 100)


def fonts(look: Look) -> Floats:
    """The means over each block's characters that features of fonts are made of: a row each, SIZE and so on."""
    of, rows = look.styles, look.page.leaves.node
    if loops is not None and len(look):
        found: Floats | None = loops.fonts(
            rows, look.division.first, look.leaf_chars, look.chars_or_one, look.leaf_is_text.view(np.uint8),
            of.font_size, of.font_weight, of.is_italic.view(np.uint8), of.is_underlined.view(np.uint8),
            of.is_upper_case.view(np.uint8), of.font_family, of.colour, of.text_align, of.line_height, Align.CENTRE,
        )  # fmt: skip
        if found is not None:
            return found
    colour = of.colour[rows]
    light = 0.299 * (colour >> 24) + 0.587 * ((colour >> 16) & 255) + 0.114 * ((colour >> 8) & 255)
    values = (
        of.font_size[rows], of.font_weight[rows], of.is_italic[rows], of.is_underlined[rows], of.is_upper_case[rows],
        _is_unlike_commonest(look, of.font_family[rows]), _is_unlike_commonest(look, colour), light / 255,
        of.text_align[rows] == Align.CENTRE, of.line_height[rows] / np.maximum(of.font_size[rows], 1),
    )  # fmt: skip
    return look.means(np.stack([value.astype(np.float32) for value in values]))


SIZE, WEIGHT, ITALIC, UNDERLINED, UPPER, FAMILY, COLOUR, LIGHTNESS, CENTRED, LINE = range(10)


def _fonts(look: Look) -> Floats:
    return look.fonts


def _is_unlike_commonest(look: Look, values: Values) -> Values:
    """Which leaves have another value than the one that most characters have."""
    if not len(values):
        return np.zeros(0, np.bool_)
    kinds, index = np.unique(values, return_inverse=True)
    weight = np.bincount(index, look.leaf_chars * look.leaf_is_text, len(kinds))
    return np.asarray(index != int(weight.argmax()))


@row_of(_fonts, ITALIC)
def is_italic(look: Look) -> Floats:
    """Share of the characters in italics."""
    return np.asarray(look.fonts[ITALIC])


@row_of(_fonts, UNDERLINED)
def is_underlined(look: Look) -> Floats:
    """Share of the characters that are underlined."""
    return np.asarray(look.fonts[UNDERLINED])


@row_of(_fonts, UPPER)
def is_upper_case(look: Look) -> Floats:
    """Share of the characters that style turns into capitals."""
    return np.asarray(look.fonts[UPPER])


@row_of(_fonts, FAMILY)
def other_family(look: Look) -> Floats:
    """Share of the characters in another font family than the page's commonest."""
    return np.asarray(look.fonts[FAMILY])


@row_of(_fonts, COLOUR)
def other_colour(look: Look) -> Floats:
    """Share of the characters in another colour than the page's commonest."""
    return np.asarray(look.fonts[COLOUR])


@row_of(_fonts, LIGHTNESS)
def colour_lightness(look: Look) -> Floats:
    """Lightness of the text colour, from 0 (black) to 1 (white)."""
    return np.asarray(look.fonts[LIGHTNESS])


@row_of(of_marks, 1)
def has_background(look: Look) -> Floats:
    """1 where a box around the block, below the body, has a background of its own."""
    own = (look.styles.background & 255) > 0
    own[look.page.nodes.depth <= 1] = False
    at = nearest(look, own)
    return own[at].astype(np.float32)


def is_centred(look: Look) -> Floats:
    """Share of the characters that are centred."""
    return np.asarray(look.fonts[CENTRED])


def line_height(look: Look) -> Floats:
    """Line height against font size."""
    return safe(look.fonts[LINE])


# Images and other media (section 5.2.5)

SORTS = (("img",), ("video", "audio", "iframe", "embed"), ("input", "textarea", "select"))
_SORT_OF_KIND = np.array(
    [next((sort for sort, kinds in enumerate(SORTS) if kind in kinds), -1) for kind in KINDS], np.int8
)


def media(look: Look) -> Floats:
    """On a logarithmic scale: leaves of each of SORTS, then width and height of the largest image or other medium."""
    found = np.zeros((5, len(look)), np.float32)
    if loops is not None:
        loops.media(look.division.first, look.leaf_kind, _SORT_OF_KIND, look.layout.leaves, found)
    else:
        sort = _SORT_OF_KIND.take(look.leaf_kind)
        for row in range(3):
            found[row] = look.total(sort == row)
        for row in (3, 4):
            sizes = np.where((sort == 0) | (sort == 1), np.nan_to_num(look.layout.leaves[:, row - 1]), 0)
            found[row] = np.maximum(look.most(sizes), 0)
    return safe(logs(found))


def _medium(name: str, row: int, doc: str) -> Column:
    @row_of(_media, row)
    def medium(look: Look) -> Floats:
        return np.asarray(look.media[row])

    medium.__name__, medium.__doc__ = name, doc
    return medium


def _media(look: Look) -> Floats:
    return look.media


FEATURES: tuple[Column, ...] = (
    font_size, largest_font, font_weight, is_italic, is_underlined, is_upper_case, other_family, other_colour,
    colour_lightness, has_background, is_centred, line_height,
    _medium("image_count", 0, "Images, on a logarithmic scale."),
    _medium("media_count", 1, "Videos and other media, on a logarithmic scale."),
    _medium("control_count", 2, "Controls of forms, on a logarithmic scale."),
    _medium("image_width", 3, "Width of the widest image or other medium in px, on a logarithmic scale; 0 without."),
    _medium("image_height", 4, "Height of the highest image or other medium in px, on a logarithmic scale; 0 without."),
)  # fmt: skip
