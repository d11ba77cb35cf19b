# cython: infer_types=True, wraparound=False
"""Line boxes: words, replaced elements, inline blocks, breaks, and floats in between."""

from math import inf, nan

from parcels.css.style import Align, Display, WhiteSpace
from parcels.html.tags import NUMBER
from parcels.layout.boxes.flow import atomic, intrinsic, sizes
from parcels.layout.boxes.flow.box_tree import BoxTree
from parcels.layout.boxes.flow.floats import Origin
from parcels.layout.boxes.flow.kinds import BOX, BREAK, REPLACED, ROUNDING
from parcels.layout.boxes.text import single as texts
from parcels.layout.boxes.text.metrics import FACES

_INLINE = int(Display.INLINE)
_NOWRAP, _PRE = int(WhiteSpace.NOWRAP), int(WhiteSpace.PRE)
_START, _CENTRE, _END = int(Align.START), int(Align.CENTRE), int(Align.END)
_INPUT, _SELECT = NUMBER["input"], NUMBER["select"]  # their text is on the line's baseline
_MIDDLE = 0.25  # half the height of an x above the baseline, in font sizes


class Lines:
    """The line boxes of one run of inline content in the block `row`."""

    __slots__ = (
        *(
            "line_ascent",
            "align",
            "base",
            "baseline",
            "line_descent",
            "blank",
            "floats",
            "is_exact",
            "is_kept",
            "is_spaced",
        ),
        *("left", "made", "right", "origin", "row", "t", "tall", "width", "x", "y"),
    )

    def start(self, t: BoxTree, row: int, origin: Origin, y: float, width: float) -> None:
        """Start the first line: at y of the block's content, which begins at this origin."""
        self.t, self.row, self.origin, self.floats, self.y, self.width = t, row, origin, origin.floats, y, width
        self.align = t.text_align[row]
        self.is_kept = t.white_space[row] == _NOWRAP or t.white_space[row] == _PRE
        self.baseline = 0.0
        self.blank = inf  # of the previous text; the narrower of two spaces separates texts of different size
        self.made = 0
        self.base = t.fragment_count  # the fragments of this line are those from here on
        self.is_spaced = self.is_exact = False
        self.begin()
        if t.has_indent:
            self.x += t.indent[row]

    def begin(self) -> None:
        """Start a line."""
        t, row = self.t, self.row
        t.fragment_count = self.base
        self.line_ascent, self.line_descent = t.line_ascent[row], t.line_descent[row]
        self.tall = 0.0
        self.left, self.right = 0.0, self.width
        if not self.floats.is_empty:
            self.find_room()
        self.x = self.left
        self.is_spaced = False

    def find_room(self) -> None:
        """Compute the line's left and right edge beside the floats."""
        low, high = self.floats.room(self.origin.y + self.y, self.line_ascent + self.line_descent)
        self.left, self.right = max(0.0, low - self.origin.x), min(self.width, high - self.origin.x)

    def end(self, is_forced: bool, is_last: bool) -> None:
        """Finish the line and put what stands in it into place."""
        t, row = self.t, self.row
        if t.fragment_count == self.base and not is_forced:
            return
        above, below = self.line_ascent, self.line_descent
        height = max(above + below, self.tall)
        shift = 0.0
        if self.align == _CENTRE:
            shift = max(0.0, (self.right - self.x) / 2)
        elif self.align == _END:
            shift = max(0.0, self.right - self.x)
        shift += t.left[row]
        y = self.y + t.top[row]
        for n in range(self.base, t.fragment_count):
            item, rise, high = t.fragment_item[n], t.fragment_rise[n], t.fragment_height[n]
            x, end = t.fragment_x[n] + shift, t.fragment_end[n] + shift
            if item < 0:
                leaf = ~item
                top = y + above - rise
                if t.leaf_left[leaf] != t.leaf_left[leaf]:
                    t.leaf_left[leaf], t.leaf_top[leaf], t.leaf_right[leaf], t.leaf_bottom[leaf] = (
                        x,
                        top,
                        end,
                        top + high,
                    )
                    t.leaf_in[leaf] = row
                else:
                    if x < t.leaf_left[leaf]:
                        t.leaf_left[leaf] = x
                    if end > t.leaf_right[leaf]:
                        t.leaf_right[leaf] = end
                    if top + high > t.leaf_bottom[leaf]:
                        t.leaf_bottom[leaf] = top + high
            else:
                if rise == inf:  # top
                    top = y
                elif rise == -inf:  # bottom
                    top = y + height - high
                else:
                    top = y + above - rise
                t.x[item], t.y[item] = x + t.margin_left[item], top + t.margin_top[item]
                t.x_container[item] = t.y_container[item] = row
        self.baseline = y + above
        self.y += height
        if not is_last:
            self.begin()

    def run(self, first: int, end: int) -> float:
        """Set the block's children from `first` up to `end`; the y below the last line.

        Absolutely positioned boxes that are blocks by tag are handled by the block itself.
        """
        t, row = self.t, self.row
        at, stop, container = first, end, row
        while True:
            if at == stop:
                if container == row:
                    break
                self.close(container)
                at, container = t.child_index[container] + 1, t.parent_box[container]
                stop = end if container == row else t.first_child[container + 1]
                continue
            item = t.child[at]
            at += 1
            if item < 0:
                self.add_text(~item)
            elif t.is_absolute[item]:
                if container != row or not t.is_block_by_tag[item]:
                    x = self.left if t.is_block_by_tag[item] else self.x
                    t.absolute_boxes.append((item, row, x + t.left[row], self.y + t.top[row]))
            elif t.float_[item]:
                self.add_float(item)
            elif t.kind[item] == BREAK:
                self.record_empty(item, row)
                self.end(True, False)
                if t.clear[item]:
                    self.y = max(self.y, self.floats.cleared(t.clear[item]) - self.origin.y)
                    self.begin()
            elif t.kind[item] == BOX and t.display[item] == _INLINE:
                if t.has_relative_edges[item]:
                    t.resolve_edges(item, self.width)
                self.open(item)
                container, at, stop = item, t.first_child[item], t.first_child[item + 1]
            elif t.kind[item] <= REPLACED:
                self.add_atomic(item)
        return self.finish()

    def run_texts(self, items: list[int]) -> float:
        """Set texts, wherever in the page they stand; the y below the last line."""
        for item in items:
            self.add_text(~item)
        return self.finish()

    def finish(self) -> float:
        """End the last line; the y below it."""
        self.end(False, True)
        self.t.fragment_count = self.base
        return self.y

    def open(self, row: int) -> None:
        """Open an inline element."""
        t = self.t
        inset = t.margin_left[row] + t.left[row]
        if inset:
            self.x += inset
        t.made_before[row] = self.made
        first = t.first_child[row]
        if t.is_spaced_by_tag[row] or (first < t.first_child[row + 1] and t.child[first] >= 0):
            self.is_spaced = self.is_spaced or bool(t.is_after_blank[row]) or _begins_in_blank(t.node_texts[row])
            if t.is_spaced_by_tag[row]:
                self.is_exact = True

    def record_empty(self, row: int, font: int) -> None:
        """Record the position of an inline element without content."""
        t, container = self.t, self.row
        t.empty_inlines.append(
            (row, container, self.x + t.left[container], self.y + t.top[container], t.text_height[font])
        )

    def close(self, row: int) -> None:
        """Close an inline element."""
        t = self.t
        if t.made_before[row] == self.made:
            self.record_empty(row, row)
        self.x += t.margin_right[row] + t.right[row]
        if self.is_exact or t.is_spaced_by_tag[row]:
            self.is_exact = True
            self.is_spaced = self.is_spaced or _begins_in_blank(t.node_tails[row])

    def add_text(self, leaf: int) -> None:
        """Set a text, on as many lines as it needs."""
        t = self.t
        node = t.leaf_node[leaf]
        white_space = t.white_space[node]
        if white_space >= _PRE:
            self.add_preformatted(leaf, node, white_space)
            return
        is_spaced = self.is_spaced or (not self.is_exact and t.is_spaced[leaf])
        self.is_spaced = self.is_exact = False
        blank = t.blank[leaf]
        x = self.x + min(blank, self.blank) if is_spaced and t.fragment_count > self.base else self.x
        self.blank = blank
        total = t.total[leaf]
        if x + total <= self.right + ROUNDING or self.is_kept:
            self.place_text(leaf, node, x, x + total)
            return
        part, behind = t.first_word[leaf], t.first_word[leaf + 1]
        can_break = is_spaced
        is_whole = white_space == _NOWRAP
        while part < behind:
            start = t.starts[part]
            end = t.first_end_beyond(start + self.right - x + ROUNDING, part, behind)
            if is_whole and end < behind:
                end = part
            if end == part:
                if t.fragment_count > self.base and can_break:
                    self.end(False, False)
                    x = self.x
                    continue
                if t.fragment_count == self.base and self.move_below_floats():
                    x = self.x
                    continue
                end = behind if is_whole else part + 1
            self.place_text(leaf, node, x, x + t.ends[end - 1] - start)
            if end >= behind:
                return
            self.end(False, False)
            x, can_break, part = self.x, True, end

    def add_preformatted(self, leaf: int, node: int, white_space: int) -> None:
        """Add text with preserved line breaks (white-space: pre and its variants)."""
        t = self.t
        face, size = FACES[t.face[node]], t.font_size[node]
        raw = texts.original_text(t, node, leaf)
        for n, line in enumerate(raw.split("\n")):
            if n:
                self.end(True, False)
            width = face.words[line.expandtabs(8)] * size
            if white_space == _PRE or self.x + width <= self.right:
                self.place_text(leaf, node, self.x, self.x + width)
                continue
            for word in line.split(" "):
                wide = (face.words[word] + face.blank) * size
                if self.x + wide > self.right and t.fragment_count > self.base:
                    self.end(False, False)
                self.place_text(leaf, node, self.x, self.x + wide)
        self.is_spaced = self.is_exact = False

    def place_text(self, leaf: int, node: int, x: float, end: float) -> None:
        """Add a fragment of text to this line."""
        t = self.t
        t.add_fragment(~leaf, x, end, t.text_ascent[node], t.text_height[node])
        self.made += 1
        if t.line_ascent[node] > self.line_ascent:
            self.line_ascent = t.line_ascent[node]
        if t.line_descent[node] > self.line_descent:
            self.line_descent = t.line_descent[node]
        self.x = end

    def move_below_floats(self) -> bool:
        """Move the empty line down to where floats may leave more room; False where they are not in the way."""
        if self.floats.is_empty or self.right - self.left >= self.width - ROUNDING:
            return False
        below = self.floats.next_step(self.origin.y + self.y)
        if below == inf:
            return False
        self.y = max(self.y, below - self.origin.y)
        self.begin()
        return True

    def add_atomic(self, row: int) -> None:
        """Add an atomic inline: a replaced element, a control, an inline block."""
        t = self.t
        if t.has_relative_edges[row]:
            t.resolve_edges(row, self.width)
        is_spaced = self.is_spaced or bool(t.is_after_blank[row])
        wide, high = atomic.atomic_size(t, row, self.width, self.origin.depth)
        width = wide + t.margin_left[row] + t.margin_right[row]
        gap = 0.0
        has_some = t.fragment_count > self.base
        if is_spaced and has_some:
            container = t.parent[row]
            gap = FACES[t.face[container]].blank * t.font_size[container]
        if has_some and self.x + gap + width > self.right + ROUNDING and not self.is_kept:
            self.end(False, False)
            gap = 0.0
        while t.fragment_count == self.base and self.x + width > self.right + ROUNDING and self.move_below_floats():
            pass
        x = self.x + gap
        tall = high + t.margin_top[row] + t.margin_bottom[row]
        align = t.vertical_align[row]
        if align in (_START, _END):
            rise = inf if align == _START else -inf
            self.tall = max(self.tall, tall)
        else:
            baseline = t.baseline[row]
            if align == _CENTRE:
                rise = tall / 2 + _MIDDLE * t.font_size[t.parent[row]]
            elif t.kind[row] == REPLACED and (t.tag[row] == _INPUT or t.tag[row] == _SELECT):
                rise = t.margin_top[row] + (high - t.text_height[row]) / 2 + t.text_ascent[row]
            elif baseline == baseline and t.kind[row] != REPLACED:
                rise = t.margin_top[row] + baseline
            else:
                rise = tall
            self.line_ascent, self.line_descent = max(self.line_ascent, rise), max(self.line_descent, tall - rise)
        t.add_fragment(row, x, x + width, rise, tall)
        self.made += 1
        self.x = x + width
        self.is_spaced, self.is_exact = _begins_in_blank(t.node_tails[row]), True

    def add_float(self, row: int) -> None:
        """Add a float that occurs within a line: beside the line if there is room, else below."""
        t, left = self.t, self.left
        top = self.y
        if t.fragment_count > self.base:
            if t.kind[row] == REPLACED:
                wide, _ = sizes.replaced_size(t, row, self.width, nan)
            else:
                wide = sizes.specified_width(t, row, self.width)
                if wide != wide or wide == 0.0:
                    wide = intrinsic.shrink_to_fit_width(t, row, self.width)
            if self.x + wide + t.margin_left[row] + t.margin_right[row] > self.right:
                top += self.line_ascent + self.line_descent
        atomic.lay_float(t, self.row, row, self.origin, top, self.width)
        self.find_room()
        moved = self.left - left
        if moved:
            for n in range(self.base, t.fragment_count):
                t.fragment_x[n] += moved
                t.fragment_end[n] += moved
            self.x += moved


def _begins_in_blank(text: str | None) -> bool:
    return text is not None and len(text) > 0 and text[0].isspace()
