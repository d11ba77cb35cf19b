"""Parsed sheets: rules whose selectors and declarations are parsed when a page has the names that they require."""

from dataclasses import dataclass
from functools import lru_cache

from parcels.css.selectors.compound import NEVER, Selector, plain_selector
from parcels.css.selectors.keys import keys_and_selector, needed_names
from parcels.css.selectors.names import Names
from parcels.css.selectors.parser import selector
from parcels.css.selectors.pseudo_classes import IMPOSSIBLE_PSEUDO, KNOWN_PSEUDO
from parcels.css.selectors.scan import (
    IMPOSSIBLE,
    INVALID,
    NO_MATCH,
    PLAIN_LIST,
    POSSIBLE,
    classify_list,
    classify_selector,
    selector_list,
)
from parcels.css.sheets.declarations import Block, parse_block

CACHED_SELECTORS = 1024  # that name nothing, or are seldom written: many sheets have the same few
CACHED_COMPILED = 2048  # with pseudo-classes or attributes: related sheets share them
CACHED_BLOCKS = 4096  # `display: none` and its like
MAX_BLOCK = 1000  # characters of one of them
MAX_CACHED = 100  # characters of one of them


class Rule:
    """A style rule whose declaration block is parsed on first use."""

    __slots__ = ("_block", "is_quirky", "layer", "order", "text")

    def __init__(self, text: str, order: int, layer: str, is_quirky: bool):
        self.text, self.order, self.layer, self.is_quirky = text, order, layer, is_quirky
        self._block: Block | None = None

    def read(self) -> Block:
        """Return the rule's parsed declarations."""
        if self._block is None:
            self._block = _cached_block(self.text, self.is_quirky)
        return self._block


_blocks: dict[str, Block] = {}


def _cached_block(text: str, is_quirky: bool) -> Block:
    """Return the parsed declaration block; equal texts share one object."""
    if is_quirky or len(text) > MAX_BLOCK:
        return parse_block(text, is_quirky)
    known = _blocks.get(text)
    if known is None:
        known = parse_block(text, False)
        if len(_blocks) >= CACHED_BLOCKS:
            _blocks.clear()  # frequent ones return soon
        _blocks[text] = known
    return known


class SelectorEntry:
    """One selector of a rule, compiled on first use."""

    __slots__ = ("_names", "_selector", "order", "text")

    def __init__(self, text: str, order: int, compiled: Selector | None):
        self.text, self.order = text, order
        self._selector = compiled
        self._names: frozenset[str] | None = None

    def names(self) -> frozenset[str]:
        """Return names that must all be on the page for the selector to match anything."""
        if self._names is None:
            self._names = needed_names(self.text)
        return self._names

    def selector(self) -> Selector:
        """Return the compiled selector; NEVER if it is invalid."""
        if self._selector is None:
            self._selector = selector(self.text) or NEVER
        return self._selector


@dataclass(frozen=True, slots=True)
class Import:
    """An @import of another sheet."""

    address: str
    media: str
    layer: str  # "" is none


class Sheet:
    """A parsed sheet: its rules in order, and an index by the key names of their selectors.

    Most sheets of a crawl occur once, others on every page of a site. The first page that uses a sheet scans
    its rules for those that name what it has; the second one makes an index of all of them. A rule is kept as texts
    until it is one of those: a cache of sheets would fill up with objects otherwise, which all have to be made and
    which the garbage collector looks through.
    """

    def __init__(self, is_quirky: bool = False) -> None:
        self.is_quirky = is_quirky
        self.rules: list[str] = []  # the selectors of each
        self._texts: list[tuple[str, str] | str] = []  # declarations, with the rule's layer where it is in one
        self._made: dict[int, Rule] = {}
        self.imports: list[Import] = []
        self.layers: dict[str, None] = {}  # in the order in which they are first named
        self.left_out: dict[str, int] = {}  # why -> how many
        self._is_used = False
        self._index: Index | None = None

    def leave_out(self, reason: str, count: int = 1) -> None:
        """Count what is passed over."""
        self.left_out[reason] = self.left_out.get(reason, 0) + count

    def add(self, selectors: str, text: str, layer: str) -> None:
        """Add a rule behind the others."""
        self.rules.append(selectors)
        self._texts.append((text, layer) if layer else text)

    def rule(self, order: int) -> Rule:
        """Return the rule at a position, always the same object."""
        rule = self._made.get(order)
        if rule is None:
            text = self._texts[order]
            rule = Rule.__new__(Rule)  # as calls of classes are slow where there are many
            rule.order, rule.is_quirky, rule._block = order, self.is_quirky, None
            if isinstance(text, tuple):
                rule.text, rule.layer = text
            else:
                rule.text, rule.layer = text, ""
            rule = self._made.setdefault(order, rule)
        return rule

    @property
    def index(self) -> "Index":
        """The index of all selectors by key name, built on first use."""
        if self._index is None:
            self._index = Index(self)
        return self._index

    def selectors(self, page_names: Names) -> list[tuple[str, Selector, Rule]]:
        """Return the selectors that may match on a page with these names, each with its key and its rule."""
        if not self._is_used and self._index is None:
            self._is_used = True
            return self._scan_rules(page_names)
        by_key = self.index.by_key
        keys = [*(by_key.keys() & page_names.all), *self.index.attribute_keys]
        matching = []
        for key in keys:
            for entry in by_key[key]:
                if entry.names() <= page_names.all and not entry.selector().is_never:
                    matching.append((key, entry.selector(), self.rule(entry.order)))
        matching.sort(key=_by_order)
        return matching

    def _scan_rules(self, page_names: Names) -> list[tuple[str, Selector, Rule]]:
        matching = []
        for order, selectors in enumerate(self.rules):
            verdict = classify_list(selectors, page_names)
            if verdict == NO_MATCH:
                continue
            if verdict == PLAIN_LIST:
                for text in selectors.split(",") if "," in selectors else [selectors]:
                    compiled = plain_selector(text.strip(), page_names)
                    if compiled is not None:
                        matching.append((compiled.keys[0], compiled, self.rule(order)))
            else:
                for key, compiled in _possible_selectors(selectors, page_names):
                    matching.append((key, compiled, self.rule(order)))
        return matching


class Index:
    """The selectors of a sheet by key name."""

    def __init__(self, sheet: Sheet):
        self.by_key: dict[str, list[SelectorEntry]] = {}  # `#id`, `.class`, `tag`, `[attribute`, `:root` or `*`
        self.unknown_count = 0  # rules that are left out, as in browsers, since a selector is not understood
        for order, selectors in enumerate(sheet.rules):
            entries = _keyed_entries(selectors, order)
            if entries is None:
                self.unknown_count += 1
                continue
            for key, entry in entries:
                if key in self.by_key:
                    self.by_key[key].append(entry)
                else:
                    self.by_key[key] = [entry]
        self.attribute_keys = [key for key in self.by_key if key[0] == "["]


def _possible_selectors(selectors: str, page_names: Names) -> list[tuple[str, Selector]]:
    """Return the selectors of a rule that may match on a page with these names, with their keys."""
    matching: list[tuple[str, Selector]] = []
    for text in selector_list(selectors):
        verdict = classify_selector(text, page_names, IMPOSSIBLE_PSEUDO, KNOWN_PSEUDO)
        if verdict == IMPOSSIBLE:
            continue
        if verdict == INVALID:
            return []
        if verdict == POSSIBLE:
            compiled = _cached_selector(text) if len(text) <= MAX_CACHED else selector(text)
            keys = compiled.keys if compiled is not None else ()
        else:
            known, entry = _cached_entry(text) if len(text) <= MAX_CACHED else _entry(text, 0)
            if known is None:
                return []
            keys = tuple([key for key in known if key in page_names.all or key[0] == "["])
            if not keys or not entry.names() <= page_names.all:
                continue
            compiled = entry.selector()
        if compiled is not None and not compiled.is_never:
            matching += [(key, compiled) for key in keys]
    return matching


def _keyed_entries(selectors: str, order: int) -> list[tuple[str, SelectorEntry]] | None:
    """Return the selectors of a rule with their keys; None if one of them is invalid."""
    entries = []
    for text in selector_list(selectors):
        keys, entry = _entry(text, order)
        if keys is None:
            return None
        entries += [(key, entry) for key in keys]
    return entries


def _entry(text: str, order: int) -> tuple[tuple[str, ...] | None, SelectorEntry]:
    """Return a selector's keys (None if it is invalid) and its entry."""
    keys, compiled = keys_and_selector(text)
    return keys, SelectorEntry(text, order, compiled)


@lru_cache(CACHED_SELECTORS)
def _cached_entry(text: str) -> tuple[tuple[str, ...] | None, SelectorEntry]:
    return _entry(text, 0)


@lru_cache(CACHED_COMPILED)
def _cached_selector(text: str) -> Selector | None:
    return selector(text)


def _by_order(match: tuple[str, Selector, Rule]) -> int:
    return match[2].order
