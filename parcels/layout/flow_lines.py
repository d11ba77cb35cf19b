"""Inline content set into lines: words, images, inline blocks, breaks, and floats on the way."""

from bisect import bisect_right
from math import inf

from lxml import etree

from parcels.css.style import Align, Display, Unit, WhiteSpace
from parcels.layout.flow_atoms import atom_size, lay_float
from parcels.layout.flow_floats import Floats
from parcels.layout.flow_intrinsic import fitted_width
from parcels.layout.flow_screen import BOX, BREAK, REPLACED, Screen
from parcels.layout.flow_sizes import given_width, replaced_size
from parcels.layout.flow_text import ROUNDING, raw_text
from parcels.layout.text_metrics import FACES
from parcels.tags import NUMBER

_INLINE, _TABLES = int(Display.INLINE), (int(Display.TABLE), int(Display.INLINE_TABLE))
_PERCENT = int(Unit.PERCENT)
_NOWRAP, _PRE = int(WhiteSpace.NOWRAP), int(WhiteSpace.PRE)
_START, _CENTRE, _END, _BASELINE = int(Align.START), int(Align.CENTRE), int(Align.END), int(Align.BASELINE)
_WITH_TEXT = (NUMBER["input"], NUMBER["select"])  # their text stands on the line's baseline
_CLOSE = 1 << 40  # an item of this or more closes an inline element
_MIDDLE = 0.25  # half the height of an x above the baseline, in font sizes


class Lines:
    """The lines of one run of inline content in the block `row`."""

    __slots__ = (
        *(
            "above",
            "align",
            "baseline",
            "below",
            "blank",
            "depth",
            "floats",
            "fragments",
            "is_exact",
            "is_kept",
            "is_spaced",
        ),
        *("left", "made", "open", "right", "row", "s", "strut", "tall", "width", "x", "x0", "y", "y0"),
    )

    def __init__(self, s: Screen, row: int, floats: Floats, x0: float, y0: float, y: float, width: float, depth: int):
        self.s, self.row, self.floats, self.x0, self.y0, self.y = s, row, floats, x0, y0, y
        self.width, self.depth = width, depth
        self.align = s.text_align[row]
        self.is_kept = s.white_space[row] in (_NOWRAP, _PRE)
        self.strut = s.above[row], s.under[row]
        self.baseline = 0.0
        self.blank = inf  # of the text before; the narrower of two blanks stands between texts of different size
        self.made = 0
        self.open: list[tuple[int, int]] = []
        self.is_spaced = self.is_exact = False
        self.begin()
        if s.indent is not None:
            self.x += s.indent[row]

    def begin(self) -> None:
        """Start a line."""
        self.fragments: list[tuple[int, float, float, float, float]] = []
        self.above, self.below = self.strut[0], self.strut[1]
        self.tall = 0.0
        self.left, self.right = 0.0, self.width
        if not self.floats.is_empty:
            self.find_room()
        self.x = self.left
        self.is_spaced = False

    def find_room(self) -> None:
        """The line's left and right end beside the floats."""
        low, high = self.floats.room(self.y0 + self.y, self.above + self.below)
        self.left, self.right = max(0.0, low - self.x0), min(self.width, high - self.x0)

    def end(self, *, is_forced: bool = False, is_last: bool = False) -> None:
        """Finish the line and put what stands in it into place."""
        s, fragments = self.s, self.fragments
        if not fragments and not is_forced:
            return
        above, below = self.above, self.below
        height = max(above + below, self.tall)
        shift = 0.0
        if self.align == _CENTRE:
            shift = max(0.0, (self.right - self.x) / 2)
        elif self.align == _END:
            shift = max(0.0, self.right - self.x)
        shift += s.left[self.row]
        y = self.y + s.top[self.row]
        for item, x, end, rise, high in fragments:
            if item < 0:
                top = y + above - rise
                box = s.leaf_box[~item]
                if box is None:
                    s.leaf_box[~item] = [x + shift, top, end + shift, top + high]
                    s.leaf_in[~item] = self.row
                else:
                    if x + shift < box[0]:
                        box[0] = x + shift
                    if end + shift > box[2]:
                        box[2] = end + shift
                    if top + high > box[3]:
                        box[3] = top + high
            else:
                if rise == inf:  # top
                    top = y
                elif rise == -inf:  # bottom
                    top = y + height - high
                else:
                    top = y + above - rise
                s.x[item], s.y[item] = x + shift + s.margin_left[item], top + s.margin_top[item]
                s.across[item] = s.down[item] = self.row
        self.baseline = y + above
        self.y += height
        if not is_last:
            self.begin()

    def run(self, items: list[int]) -> float:
        """Set the items; the y below the last line."""
        s = self.s
        todo = items[::-1]
        kinds, display, kids = s.kind, s.display, s.kids
        while todo:
            item = todo.pop()
            if item < 0:
                self.text(~item)
            elif item >= _CLOSE:
                self.close(item - _CLOSE)
            elif s.is_absolute[item]:
                x = self.left if s.is_block_by_tag[item] else self.x
                s.absolutes.append((item, self.row, x + s.left[self.row], self.y + s.top[self.row]))
            elif s.float_[item]:
                self.float(item)
            elif kinds[item] == BREAK:
                s.empties.append(
                    (item, self.row, self.x + s.left[self.row], self.y + s.top[self.row], s.letters[self.row])
                )
                self.end(is_forced=True)
                if s.clear[item]:
                    self.y = max(self.y, self.floats.cleared(s.clear[item]) - self.y0)
                    self.begin()
            elif kinds[item] == BOX and display[item] == _INLINE:
                if s.is_odd[item]:
                    s.settle(item, self.width)
                self.open_(item)
                todo.append(item + _CLOSE)
                todo += kids[item][::-1]
            elif kinds[item] <= REPLACED:
                self.atom(item)
        self.end(is_last=True)
        return self.y

    def open_(self, row: int) -> None:
        """An inline element begins."""
        s = self.s
        inset = s.margin_left[row] + s.left[row]
        if inset:
            self.x += inset
        self.open.append((self.made, 1 if inset else 0))
        kids = s.kids[row]
        if s.is_spaced_by_tag[row] or (kids and kids[0] >= 0):
            element = s.elements[row]
            self.is_spaced = self.is_spaced or _ends_in_blank(element) or (element.text or "")[:1].isspace()
            self.is_exact = self.is_exact or s.is_spaced_by_tag[row]

    def note_empty(self, row: int, font: int) -> None:
        """Where an inline element without content stands."""
        s, holder = self.s, self.row
        s.empties.append((row, holder, self.x + s.left[holder], self.y + s.top[holder], s.letters[font]))

    def close(self, row: int) -> None:
        """An inline element ends."""
        s = self.s
        made, _ = self.open.pop()
        if made == self.made:
            self.note_empty(row, row)
        self.x += s.margin_right[row] + s.right[row]
        if self.is_exact or s.is_spaced_by_tag[row]:
            self.is_exact = True
            self.is_spaced = self.is_spaced or (s.elements[row].tail or "")[:1].isspace()

    def text(self, leaf: int) -> None:
        """Set a text, on as many lines as it needs."""
        s = self.s
        node = s.leaf_node[leaf]
        white_space = s.white_space[node]
        if white_space >= _PRE:
            self.kept_text(leaf, node, white_space)
            return
        is_spaced = self.is_spaced or (not self.is_exact and s.is_spaced[leaf])
        self.is_spaced = self.is_exact = False
        blank = s.blank[leaf]
        x = self.x + min(blank, self.blank) if is_spaced and self.fragments else self.x
        self.blank = blank
        total = s.total[leaf]
        if x + total <= self.right + ROUNDING or self.is_kept:
            self.put(leaf, node, x, x + total)
            return
        part, behind = s.first_word[leaf], s.first_word[leaf + 1]
        starts, ends = s.starts, s.ends
        can_break = is_spaced
        is_whole = white_space == _NOWRAP
        while part < behind:
            start = starts[part]
            end = bisect_right(ends, start + self.right - x + ROUNDING, part, behind)
            if is_whole and end < behind:
                end = part
            if end == part:
                if self.fragments and can_break:
                    self.end()
                    x = self.x
                    continue
                if not self.fragments and self.drop():
                    x = self.x
                    continue
                end = behind if is_whole else part + 1
            self.put(leaf, node, x, x + ends[end - 1] - start)
            if end >= behind:
                return
            self.end()
            x, can_break, part = self.x, True, end

    def kept_text(self, leaf: int, node: int, white_space: int) -> None:
        """Text whose line ends are kept (white-space: pre and its kin)."""
        s = self.s
        face, size = FACES[s.face[node]], s.font_size[node]
        raw = raw_text(s, node, leaf)
        for n, line in enumerate(raw.split("\n")):
            if n:
                self.end(is_forced=True)
            width = face.words[line.expandtabs(8)] * size
            if white_space == _PRE or self.x + width <= self.right:
                self.put(leaf, node, self.x, self.x + width)
                continue
            for word in line.split(" "):
                wide = (face.words[word] + face.blank) * size
                if self.x + wide > self.right and self.fragments:
                    self.end()
                self.put(leaf, node, self.x, self.x + wide)
        self.is_spaced = self.is_exact = False

    def put(self, leaf: int, node: int, x: float, end: float) -> None:
        """A stretch of text on this line."""
        s = self.s
        self.fragments.append((~leaf, x, end, s.rise[node], s.letters[node]))
        self.made += 1
        if s.above[node] > self.above:
            self.above = s.above[node]
        if s.under[node] > self.below:
            self.below = s.under[node]
        self.x = end

    def drop(self) -> bool:
        """Move the empty line down to where floats may leave more room; False where they are not in the way."""
        if self.floats.is_empty or self.right - self.left >= self.width - ROUNDING:
            return False
        below = self.floats.next_step(self.y0 + self.y)
        if below == inf:
            return False
        self.y = max(self.y, below - self.y0)
        self.begin()
        return True

    def atom(self, row: int) -> None:
        """An image, a control, an inline block: one piece of the line."""
        s = self.s
        if s.is_odd[row]:
            s.settle(row, self.width)
        element = s.elements[row]
        is_spaced = self.is_spaced or _ends_in_blank(element)
        wide, high = atom_size(s, row, self.width, self.depth)
        width = wide + s.margin_left[row] + s.margin_right[row]
        gap = 0.0
        if is_spaced and self.fragments:
            holder = s.parent[row]
            gap = FACES[s.face[holder]].blank * s.font_size[holder]
        if self.fragments and self.x + gap + width > self.right + ROUNDING and not self.is_kept:
            self.end()
            gap = 0.0
        while not self.fragments and self.x + width > self.right + ROUNDING and self.drop():
            pass
        x = self.x + gap
        tall = high + s.margin_top[row] + s.margin_bottom[row]
        align = s.vertical_align[row]
        if align in (_START, _END):
            rise = inf if align == _START else -inf
            self.tall = max(self.tall, tall)
        else:
            baseline = s.baseline[row]
            if align == _CENTRE:
                rise = tall / 2 + _MIDDLE * s.font_size[s.parent[row]]
            elif s.kind[row] == REPLACED and s.page.nodes.tag[row] in _WITH_TEXT:
                rise = s.margin_top[row] + (high - s.letters[row]) / 2 + s.rise[row]
            elif baseline == baseline and s.kind[row] != REPLACED:
                rise = s.margin_top[row] + baseline
            else:
                rise = tall
            self.above, self.below = max(self.above, rise), max(self.below, tall - rise)
        self.fragments.append((row, x, x + width, rise, tall))
        self.made += 1
        self.x = x + width
        self.is_spaced, self.is_exact = (element.tail or "")[:1].isspace(), True

    def float(self, row: int) -> None:
        """A float that is met within a line: beside it where there is room, else below."""
        s, left = self.s, self.left
        top = self.y
        if self.fragments:
            if s.kind[row] == REPLACED:
                wide = replaced_size(s, row, self.width, None)[0]
            else:
                wide = given_width(s, row, self.width) or fitted_width(s, row, self.width)
            if self.x + wide + s.margin_left[row] + s.margin_right[row] > self.right:
                top += self.above + self.below
        lay_float(s, self.row, row, self.floats, self.x0, self.y0, top, self.width, self.depth)
        self.find_room()
        moved = self.left - left
        if moved:
            self.fragments = [(item, x + moved, end + moved, rise, high) for item, x, end, rise, high in self.fragments]
            self.x += moved


def _ends_in_blank(element: etree._Element) -> bool:
    """Whether white space stands before the element."""
    before = element.getprevious()
    if before is not None:
        text = before.tail
    else:
        parent = element.getparent()
        text = parent.text if parent is not None else None
    return text is not None and text[-1:].isspace()
