# cython: infer_types=True, wraparound=False
"""Blocks that hold a single text and nothing else, and the original text of a leaf."""

from parcels.css.style import Align, WhiteSpace
from parcels.layout.boxes.flow.box_tree import BoxTree
from parcels.layout.boxes.flow.kinds import ROUNDING

_NOWRAP = int(WhiteSpace.NOWRAP)
_CENTRE, _END = int(Align.CENTRE), int(Align.END)


def lay_text(t: BoxTree, row: int, leaf: int, width: float, inset: float, down: float) -> float:
    """Lay out the lines of a single text in a block without floats; return their height.

    A fast path of `Lines` for the most common blocks. The inset is that of inline elements around
    the text; `y_container` is where in the block it begins.
    """
    node = t.leaf_node[leaf]
    above, under = t.line_ascent[row], t.line_descent[row]
    if node != row:
        if t.line_ascent[node] > above:
            above = t.line_ascent[node]
        if t.line_descent[node] > under:
            under = t.line_descent[node]
    high = above + under
    wide = t.total[leaf]
    count = 1
    if wide + inset > width + ROUNDING and t.white_space[node] != _NOWRAP:
        part, behind = t.first_word[leaf], t.first_word[leaf + 1]
        wide, count, room = 0.0, 0, width - inset + ROUNDING
        while part < behind:
            start = t.starts[part]
            end = t.first_end_beyond(start + room, part, behind)
            if end == part:
                end += 1
            reach = t.ends[end - 1] - start
            if reach > wide:
                wide = reach
            part, count, room = end, count + 1, width + ROUNDING
        if count > 1:
            inset = 0.0
    x = t.left[row] + inset
    align = t.text_align[row]
    if align in (_CENTRE, _END):
        x += max(0.0, (width - wide - inset) * (0.5 if align == _CENTRE else 1.0))
    begin = t.top[row] + down
    top = begin + above - t.text_ascent[node]
    t.leaf_left[leaf], t.leaf_right[leaf] = x, x + wide
    t.leaf_top[leaf], t.leaf_bottom[leaf] = top, top + (count - 1) * high + t.text_height[node]
    t.leaf_in[leaf] = row
    t.baseline[row] = begin + (count - 1) * high + above
    return count * high


def original_text(t: BoxTree, node: int, leaf: int) -> str:
    """Return a text leaf's text as in the page, without its first line break (HTML drops it)."""
    known = t.original_texts.get(node)
    if known is None:
        element = t.elements[node]
        known = t.original_texts[node] = {}
        for text in (element.text, *[below.tail for below in element]):
            if text and not text.isspace():
                known.setdefault(" ".join(text.split()), text)
    text = known.get(t.texts[leaf], t.texts[leaf])
    return text.removeprefix("\n").removesuffix("\n")
