"""Stylistic features of fonts, relative to the page's median, and of images."""

import numpy as np

from parcels.css.style import Align
from parcels.views.look import Column, Floats, Look, Values, nearest, safe

# Fonts, relative to the page's median (section 5.2.4)


def _median(look: Look, values: Floats) -> float:
    """Median over the page's text, weighted by characters."""
    keep = look.leaf_is_text
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
    return safe(look.mean(sizes) / max(1.0, _median(look, sizes)))


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
    return safe((look.mean(weights) - _median(look, weights)) / 100)


def is_italic(look: Look) -> Floats:
    """Share of the characters in italics."""
    return look.mean(look.styles.is_italic[look.page.leaves.node])


def is_underlined(look: Look) -> Floats:
    """Share of the characters that are underlined."""
    return look.mean(look.styles.is_underlined[look.page.leaves.node])


def is_upper_case(look: Look) -> Floats:
    """Share of the characters that style turns into capitals."""
    return look.mean(look.styles.is_upper_case[look.page.leaves.node])


def other_family(look: Look) -> Floats:
    """Share of the characters in another font family than the page's commonest."""
    return _unlike_commonest(look, look.styles.font_family[look.page.leaves.node])


def other_colour(look: Look) -> Floats:
    """Share of the characters in another colour than the page's commonest."""
    return _unlike_commonest(look, look.styles.colour[look.page.leaves.node])


def _unlike_commonest(look: Look, values: Values) -> Floats:
    if not len(values):
        return np.zeros(len(look), np.float32)
    kinds, index = np.unique(values, return_inverse=True)
    weight = np.bincount(index, look.leaf_chars * look.leaf_is_text, len(kinds))
    return look.mean(index != int(weight.argmax()))


def colour_lightness(look: Look) -> Floats:
    """Lightness of the text colour, from 0 (black) to 1 (white)."""
    colour = look.styles.colour[look.page.leaves.node]
    light = 0.299 * (colour >> 24) + 0.587 * ((colour >> 16) & 255) + 0.114 * ((colour >> 8) & 255)
    return look.mean(light / 255)


def has_background(look: Look) -> Floats:
    """1 where a box around the block, below the body, has a background of its own."""
    own = (look.styles.background & 255) > 0
    own[look.page.nodes.depth <= 1] = False
    at = nearest(look, own)
    return own[at].astype(np.float32)


def is_centred(look: Look) -> Floats:
    """Share of the characters that are centred."""
    return look.mean(look.styles.text_align[look.page.leaves.node] == Align.CENTRE)


def line_height(look: Look) -> Floats:
    """Line height against font size."""
    rows = look.page.leaves.node
    return safe(look.mean(look.styles.line_height[rows] / np.maximum(look.styles.font_size[rows], 1)))


# Images and other media (section 5.2.5)


def _kinds(name: str, *kinds: str) -> Column:
    def count(look: Look) -> Floats:
        return np.log1p(look.total(look.leaf_is(*kinds)))

    count.__name__, count.__doc__ = name, f"Leaves of kind {', '.join(kinds)}, on a logarithmic scale."
    return count


def image_width(look: Look) -> Floats:
    """Width of the block's widest image or other medium in px, on a logarithmic scale; 0 without."""
    return _media(look, 2)


def image_height(look: Look) -> Floats:
    """Height of the block's highest image or other medium in px, on a logarithmic scale; 0 without."""
    return _media(look, 3)


def _media(look: Look, column: int) -> Floats:
    is_media = look.leaf_is("img", "video", "audio", "iframe", "embed")
    sizes = np.where(is_media, np.nan_to_num(look.layout.leaves[:, column]), 0)
    return safe(np.log1p(np.maximum(look.most(sizes), 0)))


FEATURES: tuple[Column, ...] = (
    font_size, largest_font, font_weight, is_italic, is_underlined, is_upper_case, other_family, other_colour,
    colour_lightness, has_background, is_centred, line_height,
    _kinds("image_count", "img"), _kinds("media_count", "video", "audio", "iframe", "embed"),
    _kinds("control_count", "input", "textarea", "select"), image_width, image_height,
)  # fmt: skip
