# cython: infer_types=True, wraparound=False
"""Line boxes: words, replaced elements, inline blocks, breaks, and floats in between."""

from math import inf, nan

from parcels.css.style import Align, Display, WhiteSpace
from parcels.html.tags import NUMBER
from parcels.layout.boxes.flow import atomic, intrinsic, sizes
from parcels.layout.boxes.flow.box_tree import Screen
from parcels.layout.boxes.flow.floats import Origin
from parcels.layout.boxes.flow.kinds import BOX, BREAK, REPLACED, ROUNDING
from parcels.layout.boxes.text import single as texts
from parcels.layout.boxes.text.metrics import FACES

_INLINE = int(Display.INLINE)
_NOWRAP, _PRE = int(WhiteSpace.NOWRAP), int(WhiteSpace.PRE)
_START, _CENTRE, _END = int(Align.START), int(Align.CENTRE), int(Align.END)
_INPUT, _SELECT = NUMBER["input"], NUMBER["select"]  # their text stands on the line's baseline
_MIDDLE = 0.25  # half the height of an x above the baseline, in font sizes


class Lines:
    """The line boxes of one run of inline content in the block `row`."""

    __slots__ = (
        *(
            "above",
            "align",
            "base",
            "baseline",
            "below",
            "blank",
            "floats",
            "is_exact",
            "is_kept",
            "is_spaced",
        ),
        *("left", "made", "right", "origin", "row", "s", "tall", "width", "x", "y"),
    )

    def start(self, s: Screen, row: int, origin: Origin, y: float, width: float) -> None:
        """Start the first line: at y of the block's content, which begins at this origin."""
        self.s, self.row, self.origin, self.floats, self.y, self.width = s, row, origin, origin.floats, y, width
        self.align = s.text_align[row]
        self.is_kept = s.white_space[row] == _NOWRAP or s.white_space[row] == _PRE
        self.baseline = 0.0
        self.blank = inf  # of the text before; the narrower of two blanks stands between texts of different size
        self.made = 0
        self.base = s.fragment_count  # the fragments of this line are those from here on
        self.is_spaced = self.is_exact = False
        self.begin()
        if s.has_indent:
            self.x += s.indent[row]

    def begin(self) -> None:
        """Start a line."""
        s, row = self.s, self.row
        s.fragment_count = self.base
        self.above, self.below = s.above[row], s.under[row]
        self.tall = 0.0
        self.left, self.right = 0.0, self.width
        if not self.floats.is_empty:
            self.find_room()
        self.x = self.left
        self.is_spaced = False

    def find_room(self) -> None:
        """Compute the line's left and right edge beside the floats."""
        low, high = self.floats.room(self.origin.y + self.y, self.above + self.below)
        self.left, self.right = max(0.0, low - self.origin.x), min(self.width, high - self.origin.x)

    def end(self, is_forced: bool, is_last: bool) -> None:
        """Finish the line and put what stands in it into place."""
        s, row = self.s, self.row
        if s.fragment_count == self.base and not is_forced:
            return
        above, below = self.above, self.below
        height = max(above + below, self.tall)
        shift = 0.0
        if self.align == _CENTRE:
            shift = max(0.0, (self.right - self.x) / 2)
        elif self.align == _END:
            shift = max(0.0, self.right - self.x)
        shift += s.left[row]
        y = self.y + s.top[row]
        for n in range(self.base, s.fragment_count):
            item, rise, high = s.fragment_item[n], s.fragment_rise[n], s.fragment_height[n]
            x, end = s.fragment_x[n] + shift, s.fragment_end[n] + shift
            if item < 0:
                leaf = ~item
                top = y + above - rise
                if s.leaf_left[leaf] != s.leaf_left[leaf]:
                    s.leaf_left[leaf], s.leaf_top[leaf], s.leaf_right[leaf], s.leaf_bottom[leaf] = (
                        x,
                        top,
                        end,
                        top + high,
                    )
                    s.leaf_in[leaf] = row
                else:
                    if x < s.leaf_left[leaf]:
                        s.leaf_left[leaf] = x
                    if end > s.leaf_right[leaf]:
                        s.leaf_right[leaf] = end
                    if top + high > s.leaf_bottom[leaf]:
                        s.leaf_bottom[leaf] = top + high
            else:
                if rise == inf:  # top
                    top = y
                elif rise == -inf:  # bottom
                    top = y + height - high
                else:
                    top = y + above - rise
                s.x[item], s.y[item] = x + s.margin_left[item], top + s.margin_top[item]
                s.across[item] = s.down[item] = row
        self.baseline = y + above
        self.y += height
        if not is_last:
            self.begin()

    def run(self, first: int, end: int) -> float:
        """Set the block's children from `first` up to `end`; the y below the last line.

        Of absolute boxes among them, those that are blocks by tag have been seen to by the block itself.
        """
        s, row = self.s, self.row
        at, stop, holder = first, end, row
        while True:
            if at == stop:
                if holder == row:
                    break
                self.close(holder)
                at, holder = s.place[holder] + 1, s.owner[holder]
                stop = end if holder == row else s.first_kid[holder + 1]
                continue
            item = s.kid[at]
            at += 1
            if item < 0:
                self.text(~item)
            elif s.is_absolute[item]:
                if holder != row or not s.is_block_by_tag[item]:
                    x = self.left if s.is_block_by_tag[item] else self.x
                    s.absolutes.append((item, row, x + s.left[row], self.y + s.top[row]))
            elif s.float_[item]:
                self.add_float(item)
            elif s.kind[item] == BREAK:
                self.note_empty(item, row)
                self.end(True, False)
                if s.clear[item]:
                    self.y = max(self.y, self.floats.cleared(s.clear[item]) - self.origin.y)
                    self.begin()
            elif s.kind[item] == BOX and s.display[item] == _INLINE:
                if s.is_odd[item]:
                    s.settle(item, self.width)
                self.open(item)
                holder, at, stop = item, s.first_kid[item], s.first_kid[item + 1]
            elif s.kind[item] <= REPLACED:
                self.atom(item)
        return self.finish()

    def run_texts(self, items: list[int]) -> float:
        """Set texts, wherever in the page they stand; the y below the last line."""
        for item in items:
            self.text(~item)
        return self.finish()

    def finish(self) -> float:
        """End the last line; the y below it."""
        self.end(False, True)
        self.s.fragment_count = self.base
        return self.y

    def open(self, row: int) -> None:
        """Open an inline element."""
        s = self.s
        inset = s.margin_left[row] + s.left[row]
        if inset:
            self.x += inset
        s.made_before[row] = self.made
        first = s.first_kid[row]
        if s.is_spaced_by_tag[row] or (first < s.first_kid[row + 1] and s.kid[first] >= 0):
            self.is_spaced = self.is_spaced or bool(s.is_after_blank[row]) or _begins_in_blank(s.node_texts[row])
            if s.is_spaced_by_tag[row]:
                self.is_exact = True

    def note_empty(self, row: int, font: int) -> None:
        """Record the position of an inline element without content."""
        s, holder = self.s, self.row
        s.empties.append((row, holder, self.x + s.left[holder], self.y + s.top[holder], s.letters[font]))

    def close(self, row: int) -> None:
        """Close an inline element."""
        s = self.s
        if s.made_before[row] == self.made:
            self.note_empty(row, row)
        self.x += s.margin_right[row] + s.right[row]
        if self.is_exact or s.is_spaced_by_tag[row]:
            self.is_exact = True
            self.is_spaced = self.is_spaced or _begins_in_blank(s.node_tails[row])

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
        x = self.x + min(blank, self.blank) if is_spaced and s.fragment_count > self.base else self.x
        self.blank = blank
        total = s.total[leaf]
        if x + total <= self.right + ROUNDING or self.is_kept:
            self.put(leaf, node, x, x + total)
            return
        part, behind = s.first_word[leaf], s.first_word[leaf + 1]
        can_break = is_spaced
        is_whole = white_space == _NOWRAP
        while part < behind:
            start = s.starts[part]
            end = s.first_end_beyond(start + self.right - x + ROUNDING, part, behind)
            if is_whole and end < behind:
                end = part
            if end == part:
                if s.fragment_count > self.base and can_break:
                    self.end(False, False)
                    x = self.x
                    continue
                if s.fragment_count == self.base and self.drop():
                    x = self.x
                    continue
                end = behind if is_whole else part + 1
            self.put(leaf, node, x, x + s.ends[end - 1] - start)
            if end >= behind:
                return
            self.end(False, False)
            x, can_break, part = self.x, True, end

    def kept_text(self, leaf: int, node: int, white_space: int) -> None:
        """Add text with preserved line breaks (white-space: pre and its variants)."""
        s = self.s
        face, size = FACES[s.face[node]], s.font_size[node]
        raw = texts.raw_text(s, node, leaf)
        for n, line in enumerate(raw.split("\n")):
            if n:
                self.end(True, False)
            width = face.words[line.expandtabs(8)] * size
            if white_space == _PRE or self.x + width <= self.right:
                self.put(leaf, node, self.x, self.x + width)
                continue
            for word in line.split(" "):
                wide = (face.words[word] + face.blank) * size
                if self.x + wide > self.right and s.fragment_count > self.base:
                    self.end(False, False)
                self.put(leaf, node, self.x, self.x + wide)
        self.is_spaced = self.is_exact = False

    def put(self, leaf: int, node: int, x: float, end: float) -> None:
        """Add a fragment of text to this line."""
        s = self.s
        s.add_fragment(~leaf, x, end, s.rise[node], s.letters[node])
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
        below = self.floats.next_step(self.origin.y + self.y)
        if below == inf:
            return False
        self.y = max(self.y, below - self.origin.y)
        self.begin()
        return True

    def atom(self, row: int) -> None:
        """Add an atomic inline: a replaced element, a control, an inline block."""
        s = self.s
        if s.is_odd[row]:
            s.settle(row, self.width)
        is_spaced = self.is_spaced or bool(s.is_after_blank[row])
        wide, high = atomic.atom_size(s, row, self.width, self.origin.depth)
        width = wide + s.margin_left[row] + s.margin_right[row]
        gap = 0.0
        has_some = s.fragment_count > self.base
        if is_spaced and has_some:
            holder = s.parent[row]
            gap = FACES[s.face[holder]].blank * s.font_size[holder]
        if has_some and self.x + gap + width > self.right + ROUNDING and not self.is_kept:
            self.end(False, False)
            gap = 0.0
        while s.fragment_count == self.base and self.x + width > self.right + ROUNDING and self.drop():
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
            elif s.kind[row] == REPLACED and (s.tag[row] == _INPUT or s.tag[row] == _SELECT):
                rise = s.margin_top[row] + (high - s.letters[row]) / 2 + s.rise[row]
            elif baseline == baseline and s.kind[row] != REPLACED:
                rise = s.margin_top[row] + baseline
            else:
                rise = tall
            self.above, self.below = max(self.above, rise), max(self.below, tall - rise)
        s.add_fragment(row, x, x + width, rise, tall)
        self.made += 1
        self.x = x + width
        self.is_spaced, self.is_exact = _begins_in_blank(s.node_tails[row]), True

    def add_float(self, row: int) -> None:
        """Add a float that occurs within a line: beside the line if there is room, else below."""
        s, left = self.s, self.left
        top = self.y
        if s.fragment_count > self.base:
            if s.kind[row] == REPLACED:
                wide, _ = sizes.replaced_size(s, row, self.width, nan)
            else:
                wide = sizes.given_width(s, row, self.width)
                if wide != wide or wide == 0.0:
                    wide = intrinsic.fitted_width(s, row, self.width)
            if self.x + wide + s.margin_left[row] + s.margin_right[row] > self.right:
                top += self.above + self.below
        atomic.lay_float(s, self.row, row, self.origin, top, self.width)
        self.find_room()
        moved = self.left - left
        if moved:
            for n in range(self.base, s.fragment_count):
                s.fragment_x[n] += moved
                s.fragment_end[n] += moved
            self.x += moved


def _begins_in_blank(text: str | None) -> bool:
    return text is not None and len(text) > 0 and text[0].isspace()
