"""Style sheet parser: text to rules, with conditions evaluated and nesting resolved."""

import re
import threading
from array import array
from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache

import xxhash

from parcels.css.selectors.keys import nested
from parcels.css.selectors.scan import selector_list
from parcels.css.sheets.rules import Import, Sheet
from parcels.css.sheets.scan import braced
from parcels.css.values.conditions import DEFAULT_SCREEN, Screen, media_holds, supports


@dataclass(frozen=True, slots=True)
class SheetLimits:
    """Bounds on one sheet; what exceeds them is left out and counted."""

    max_characters: int = 8_000_000
    max_rules: int = 100_000
    max_layers: int = 1000
    max_depth: int = 32  # of blocks inside blocks
    max_selector: int = 20_000  # characters of one rule's selectors
    max_block: int = 200_000  # characters of one rule's declarations


DEFAULT_SHEET_LIMITS = SheetLimits()
CACHED_AT_RULES = 1024
CACHE_BYTES = 64_000_000  # of sheet text; parsed sheets take a few times as much
_IMPORT = re.compile(r"@import\s+(?:url\(\s*)?[\"']?([^\"')\s;]+)[\"']?\s*\)?\s*(.*)\Z", re.S | re.I)
_IMPORT_LAYER = re.compile(r"layer(?:\(([^)]*)\))?\s*", re.I)
_IMPORT_SUPPORTS = re.compile(r"supports\(((?:[^()]|\([^()]*\))*)\)\s*", re.I)
_AT = re.compile(r"@(-?[a-z-]+)", re.I)
_HOLDS_RULES = frozenset(
    ["media", "supports", "layer", "container", "document", "-moz-document", "scope", "starting-style"]
)


class _Level:
    """A block that is open while the sheet is parsed."""

    __slots__ = ("is_active", "is_rules", "layer", "selectors")

    def __init__(self, is_active: bool, layer: str, selectors: str | None, is_rules: bool):
        self.is_active = is_active
        self.layer = layer
        self.selectors = selectors  # of a style rule with nested rules
        self.is_rules = is_rules  # False inside @font-face, @keyframes and unknown blocks


class _Reader:
    def __init__(self, screen: Screen, is_quirky: bool, limits: SheetLimits):
        self.screen, self.is_quirky, self.limits = screen, is_quirky, limits
        self.max_selector, self.max_block, self.max_depth = limits.max_selector, limits.max_block, limits.max_depth
        self.sheet = Sheet(is_quirky)
        self.levels = [_Level(True, "", None, True)]
        self.media: dict[str, bool] = {}  # results by condition: sheets repeat their conditions
        self.skipped = 0  # blocks open inside one that is passed over
        self.anonymous = 0
        self.has_extra_brace = False

    def read(self, text: str) -> Sheet:
        limits, sheet = self.limits, self.sheet
        if len(text) > limits.max_characters:
            sheet.leave_out("characters", len(text) - limits.max_characters)
            text = text[: limits.max_characters]
        text, positions, opened = braced(text)
        missing = min(max(opened, 0), limits.max_depth + 1)
        if missing:
            positions.extend(array("i", range(len(text), len(text) + missing)))
            text += "}" * missing
        braces, count, max_rules = positions, len(positions), limits.max_rules
        number = stop = 0
        while number < count:
            start, at = stop, braces[number]
            number, stop = number + 1, at + 1
            is_open = text[at] == "{"
            is_leaf = is_open and number < count and text[braces[number]] == "}"  # a block without blocks inside
            if is_leaf:
                stop = braces[number] + 1
                number += 1
            if self.skipped:
                if not is_leaf:
                    self.skipped += 1 if is_open else -1
                continue
            if self.has_extra_brace and is_open:
                self.has_extra_brace = False
                self.skipped = 0 if is_leaf else 1
                self.sheet.leave_out("rules behind a brace too many")
            elif is_leaf:
                self.handle_simple_block(text[start:at], text, at + 1, stop - 1)
            elif is_open:
                self.open(text[start:at])
            else:
                self.close(text[start:at])
            if len(sheet.rules) >= max_rules:
                sheet.leave_out("characters behind the last rule", len(text) - stop)
                return sheet
        self.handle_statements(text[stop:] + ";")
        return sheet

    def handle_statements(self, prelude: str) -> str:
        """Handle the statements and declarations before the next block; return the block's prelude."""
        statements, _, rest = prelude.rpartition(";")
        level = self.levels[-1]
        if level.selectors is not None:
            if level.is_active and ":" in statements:
                self.add(level.selectors, statements, level.layer)
        elif "@" in statements and level.is_active:
            for statement in statements.split(";"):
                self.statement(statement.strip())
        return rest

    def statement(self, text: str) -> None:
        name = text[:7].lower()
        if name == "@layer ":
            for layer in text[7:].split(","):
                self.declare_layer(layer.strip())
        elif name == "@import":
            match = _IMPORT.match(text)
            if match is None or self.sheet.rules or len(self.levels) > 1:
                return
            address, rest = match[1], match[2].strip()
            layer = ""
            if named := _IMPORT_LAYER.match(rest):
                layer, rest = (named[1] or self.new_layer()).strip(), rest[named.end() :]
                self.declare_layer(layer)
            if condition := _IMPORT_SUPPORTS.match(rest):
                rest = rest[condition.end() :]
                if not supports(f"({condition[1]})"):
                    return
            self.sheet.imports.append(Import(address, rest, layer))

    def handle_simple_block(self, prelude: str, text: str, start: int, end: int) -> None:
        """Handle a block without nested blocks: the text from `start` to `end`."""
        if ";" in prelude:
            prelude = self.handle_statements(prelude)
        level = self.levels[-1]
        prelude = prelude.strip()
        if not prelude or not level.is_active or not level.is_rules:
            return
        if _is_blank(text, start, end) and prelude[0] != "@":
            return
        body = text[start:end]
        if prelude[0] == "@":
            at = _AT.match(prelude)
            if at is not None and level.selectors is not None and at[1].lower() in _HOLDS_RULES:
                inner = self.at_rule_level(at[1].lower(), prelude[at.end() :].strip())
                if inner.is_active:
                    self.add(level.selectors, body, inner.layer)
            elif at is not None and at[1].lower() == "layer":
                self.declare_layer(prelude[at.end() :].strip())
            return
        self.add(self.selectors(prelude), body, level.layer)

    def open(self, prelude: str) -> None:
        if ";" in prelude:
            prelude = self.handle_statements(prelude)
        prelude, level = prelude.strip(), self.levels[-1]
        if len(self.levels) > self.max_depth:
            self.sheet.leave_out("deeper blocks")
            self.skipped = 1
        elif prelude[:1] == "@":
            name, condition = _at_rule(prelude)
            inner = self.at_rule_level(name, condition)
            if inner.is_active and inner.is_rules:
                self.levels.append(inner)
            else:
                self.skipped = 1
        else:
            self.levels.append(_Level(level.is_active, level.layer, self.selectors(prelude), level.is_rules))

    def close(self, prelude: str) -> None:
        level = self.levels[-1]
        if level.selectors is not None and level.is_active and ":" in prelude:
            self.add(level.selectors, prelude, level.layer)
        elif "@" in prelude:
            self.handle_statements(prelude + ";")
        if len(self.levels) > 1:
            self.levels.pop()
        else:
            self.has_extra_brace = True  # a brace too many becomes part of the next rule's selectors, as in browsers

    def at_rule_level(self, name: str, condition: str) -> _Level:
        level = self.levels[-1]
        is_rules, is_active, layer = name in _HOLDS_RULES, level.is_active, level.layer
        if name == "media":
            known = self.media.get(condition)
            if known is None:
                known = self.media[condition] = media_holds(condition, self.screen)
            is_active = known
        elif name == "supports":
            is_active = supports(condition)
        elif name == "layer":
            layer = f"{layer}.{condition}".strip(".") if condition else self.new_layer()
            self.declare_layer(layer)
        elif name in ("document", "-moz-document", "starting-style"):
            is_active = False
        elif name == "container":
            width = re.search(r"\(.*\)", condition)
            is_active = width is not None and media_holds(width[0].replace("inline-size", "width"), self.screen)
        return _Level(is_active, layer, level.selectors, is_rules)

    def new_layer(self) -> str:
        self.anonymous += 1
        return f"?{self.anonymous}"

    def declare_layer(self, layer: str) -> None:
        if layer and len(self.sheet.layers) < self.limits.max_layers:
            self.sheet.layers[layer] = None

    def selectors(self, prelude: str) -> str:
        """Return the selectors of a rule, combined with those of enclosing rules; empty if they are too long."""
        own = prelude.lower() if self.is_quirky else prelude
        level = self.levels[-1]
        outer = level.selectors
        if outer is not None and len(own) <= self.max_selector:
            own = ", ".join(nested(selector_list(outer), selector_list(own)))
        if len(own) <= self.max_selector:
            return own
        self.sheet.leave_out("long selectors")
        return ""

    def add(self, selectors: str, body: str, layer: str) -> None:
        if len(body) > self.max_block:
            self.sheet.leave_out("long blocks")
        elif selectors:
            self.sheet.add(selectors, body, layer)


def _is_blank(text: str, start: int, end: int) -> bool:
    """Return whether a range of a text is only white space."""
    while start < end and text[start].isspace():
        start += 1
    return start >= end


@lru_cache(CACHED_AT_RULES)
def _at_rule(prelude: str) -> tuple[str, str]:
    """Return the name and the prelude of an at-rule; empty if it has no name.

    >>> _at_rule("@Media (min-width: 1px)")
    ('media', '(min-width: 1px)')
    """
    at = _AT.match(prelude)
    return ("", "") if at is None else (at[1].lower(), prelude[at.end() :].strip())


def parse_sheet(
    text: str,
    screen: Screen = DEFAULT_SCREEN,
    *,
    is_quirky: bool = False,
    limits: SheetLimits = DEFAULT_SHEET_LIMITS,
) -> Sheet:
    """Return the rules of a sheet that apply to the screen; never raises.

    >>> sorted(parse_sheet("p, .a b { color: red } @media print { i { color: blue } }").index.by_key)
    ['b', 'p']
    """
    return _Reader(screen, is_quirky, limits).read(text)


class SheetCache:
    """A thread-safe cache of parsed sheets by content, which drops the least recently used."""

    def __init__(self, max_bytes: int = CACHE_BYTES, limits: SheetLimits = DEFAULT_SHEET_LIMITS):
        self.max_bytes, self.limits = max_bytes, limits
        self._sheets: OrderedDict[tuple[int, Screen, bool], tuple[Sheet, int]] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._sheets)

    def sheet(self, text: str, screen: Screen = DEFAULT_SCREEN, *, is_quirky: bool = False) -> Sheet:
        """Return the parsed sheet of the text."""
        key = (xxhash.xxh3_128_intdigest(text.encode("utf-8", "surrogatepass")), screen, is_quirky)
        with self._lock:
            cached = self._sheets.get(key)
            if cached is not None:
                self._sheets.move_to_end(key)
                return cached[0]
        parsed = parse_sheet(text, screen, is_quirky=is_quirky, limits=self.limits)
        with self._lock:
            if key not in self._sheets and len(text) <= self.max_bytes:
                self._sheets[key] = (parsed, len(text))
                self._bytes += len(text)
                while self._bytes > self.max_bytes:
                    self._bytes -= self._sheets.popitem(last=False)[1][1]
        return parsed

    def clear(self) -> None:
        """Forget all sheets."""
        with self._lock:
            self._sheets.clear()
            self._bytes = 0


DEFAULT_CACHE = SheetCache()
