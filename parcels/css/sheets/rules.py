"""Parsed sheets: rules whose selectors and declarations are parsed when a page has the names that they require."""

from dataclasses import dataclass
from functools import lru_cache

from parcels.css.selectors.compound import NEVER, Selector, plain_selector
from parcels.css.selectors.keys import keyed, needed_names
from parcels.css.selectors.names import Names
from parcels.css.selectors.parser import selector
from parcels.css.selectors.pseudo_classes import KNOWN, NEVER_HOLDS
from parcels.css.selectors.scan import (
    LIKELY,
    PASSED_OVER,
    PLAIN_LIST,
    UNKNOWN,
    UNLIKELY,
    fate,
    likelihood,
    selector_list,
)
from parcels.css.sheets.declarations import Block, block

CACHED_SELECTORS = 1024  # that name nothing, or are seldom written: many sheets have the same few
CACHED_COMPILED = 2048  # with pseudo-classes or attributes: sheets that begin alike have them in common
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
            self._block = _block_of(self.text, self.is_quirky)
        return self._block


_blocks: dict[str, Block] = {}


def _block_of(text: str, is_quirky: bool) -> Block:
    """Return the parsed declaration block; equal texts share one object."""
    if is_quirky or len(text) > MAX_BLOCK:
        return block(text, is_quirky)
    known = _blocks.get(text)
    if known is None:
        known = block(text, False)
        if len(_blocks) >= CACHED_BLOCKS:
            _blocks.clear()  # and those that are met again come back soon
        _blocks[text] = known
    return known


class Entry:
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

    Most sheets of a crawl are seen once, others on every page of a site. The first page that uses a sheet looks through
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
        made = self._made.get(order)
        if made is None:
            kept = self._texts[order]
            made = Rule.__new__(Rule)  # as calls of classes are slow where there are many
            made.order, made.is_quirky, made._block = order, self.is_quirky, None
            if isinstance(kept, tuple):
                made.text, made.layer = kept
            else:
                made.text, made.layer = kept, ""
            made = self._made.setdefault(order, made)
        return made

    @property
    def index(self) -> "Index":
        """The index of all selectors by key name, built on first use."""
        if self._index is None:
            self._index = Index(self)
        return self._index

    def selectors(self, seen: Names) -> list[tuple[str, Selector, Rule]]:
        """Return the selectors that may match on a page with these names, each with its key and its rule."""
        if not self._is_used and self._index is None:
            self._is_used = True
            return self._looked_through(seen)
        by_key = self.index.by_key
        keys = [*(by_key.keys() & seen.all), *self.index.attribute_keys]
        found = []
        for key in keys:
            for entry in by_key[key]:
                if entry.names() <= seen.all and not entry.selector().is_never:
                    found.append((key, entry.selector(), self.rule(entry.order)))
        found.sort(key=_by_order)
        return found

    def _looked_through(self, seen: Names) -> list[tuple[str, Selector, Rule]]:
        found = []
        for order, selectors in enumerate(self.rules):
            what = fate(selectors, seen)
            if what == PASSED_OVER:
                continue
            if what == PLAIN_LIST:
                for text in selectors.split(",") if "," in selectors else [selectors]:
                    made = plain_selector(text.strip(), seen)
                    if made is not None:
                        found.append((made.keys[0], made, self.rule(order)))
            else:
                for key, made in _likely(selectors, seen):
                    found.append((key, made, self.rule(order)))
        return found


class Index:
    """The selectors of a sheet by key name."""

    def __init__(self, sheet: Sheet):
        self.by_key: dict[str, list[Entry]] = {}  # `#id`, `.class`, `tag`, `[attribute`, `:root` or `*`
        self.unknown_count = 0  # rules that are left out, as in browsers, since a selector is not understood
        for order, selectors in enumerate(sheet.rules):
            found = _keyed(selectors, order)
            if found is None:
                self.unknown_count += 1
                continue
            for key, entry in found:
                if key in self.by_key:
                    self.by_key[key].append(entry)
                else:
                    self.by_key[key] = [entry]
        self.attribute_keys = [key for key in self.by_key if key[0] == "["]


def _likely(selectors: str, seen: Names) -> list[tuple[str, Selector]]:
    """Return the selectors of a rule that may match on a page with these names, with their keys."""
    found: list[tuple[str, Selector]] = []
    for text in selector_list(selectors):
        what = likelihood(text, seen, NEVER_HOLDS, KNOWN)
        if what == UNLIKELY:
            continue
        if what == UNKNOWN:
            return []
        if what == LIKELY:
            compiled = _once(text) if len(text) <= MAX_CACHED else selector(text)
            keys = compiled.keys if compiled is not None else ()
        else:
            known, entry = _seldom(text) if len(text) <= MAX_CACHED else _entry(text, 0)
            if known is None:
                return []
            keys = tuple([key for key in known if key in seen.all or key[0] == "["])
            if not keys or not entry.names() <= seen.all:
                continue
            compiled = entry.selector()
        if compiled is not None and not compiled.is_never:
            found += [(key, compiled) for key in keys]
    return found


def _keyed(selectors: str, order: int) -> list[tuple[str, Entry]] | None:
    """Return the selectors of a rule with their keys; None if one of them is invalid."""
    found = []
    for text in selector_list(selectors):
        keys, entry = _entry(text, order)
        if keys is None:
            return None
        found += [(key, entry) for key in keys]
    return found


def _entry(text: str, order: int) -> tuple[tuple[str, ...] | None, Entry]:
    """Return a selector's keys (None if it is invalid) and its entry."""
    keys, compiled = keyed(text)
    return keys, Entry(text, order, compiled)


@lru_cache(CACHED_SELECTORS)
def _seldom(text: str) -> tuple[tuple[str, ...] | None, Entry]:
    return _entry(text, 0)


@lru_cache(CACHED_COMPILED)
def _once(text: str) -> Selector | None:
    return selector(text)


def _by_order(found: tuple[str, Selector, Rule]) -> int:
    return found[2].order
