# cython: infer_types=True, wraparound=False
"""Blocks that hold a single text and nothing else, and the original text of a leaf."""

from parcels.css.style import Align, WhiteSpace
from parcels.layout.boxes.flow.box_tree import Screen
from parcels.layout.boxes.flow.kinds import ROUNDING

_NOWRAP = int(WhiteSpace.NOWRAP)
_CENTRE, _END = int(Align.CENTRE), int(Align.END)


def lay_text(s: Screen, row: int, leaf: int, width: float, inset: float, down: float) -> float:
    """Lay out the lines of a single text in a block without floats; return their height.

    What `Lines` would do, for the shape that most blocks of a page have. The inset is that of inline elements around
    the text; `down` is where in the block it begins.
    """
    node = s.leaf_node[leaf]
    above, under = s.above[row], s.under[row]
    if node != row:
        if s.above[node] > above:
            above = s.above[node]
        if s.under[node] > under:
            under = s.under[node]
    high = above + under
    wide = s.total[leaf]
    count = 1
    if wide + inset > width + ROUNDING and s.white_space[node] != _NOWRAP:
        part, behind = s.first_word[leaf], s.first_word[leaf + 1]
        wide, count, room = 0.0, 0, width - inset + ROUNDING
        while part < behind:
            start = s.starts[part]
            end = s.first_end_beyond(start + room, part, behind)
            if end == part:
                end += 1
            reach = s.ends[end - 1] - start
            if reach > wide:
                wide = reach
            part, count, room = end, count + 1, width + ROUNDING
        if count > 1:
            inset = 0.0
    x = s.left[row] + inset
    align = s.text_align[row]
    if align in (_CENTRE, _END):
        x += max(0.0, (width - wide - inset) * (0.5 if align == _CENTRE else 1.0))
    begin = s.top[row] + down
    top = begin + above - s.rise[node]
    s.leaf_left[leaf], s.leaf_right[leaf] = x, x + wide
    s.leaf_top[leaf], s.leaf_bottom[leaf] = top, top + (count - 1) * high + s.letters[node]
    s.leaf_in[leaf] = row
    s.baseline[row] = begin + (count - 1) * high + above
    return count * high


def raw_text(s: Screen, node: int, leaf: int) -> str:
    """Return a text leaf's text as in the page, without its first line break (HTML drops it)."""
    known = s.raw.get(node)
    if known is None:
        element = s.elements[node]
        known = s.raw[node] = {}
        for text in (element.text, *[below.tail for below in element]):
            if text and not text.isspace():
                known.setdefault(" ".join(text.split()), text)
    text = known.get(s.texts[leaf], s.texts[leaf])
    return text.removeprefix("\n").removesuffix("\n")
