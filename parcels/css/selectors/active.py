"""Active selectors: those that may match something on a page, prepared for the cascade."""

from collections.abc import Iterable

from parcels.css.selectors.compound import Selector
from parcels.css.sheets.rules import Rule

_ONE = 1


class Active:
    """A selector that may match something on the page, and its rule.

    Each name has one of 61 bits. What is above an element lacks a name where it lacks the bit, which is quicker to ask
    for all names of a selector at once; where it has the bits, the names themselves are looked at.
    """

    __slots__ = ("above", "above_bits", "layer", "number", "own", "own_bits", "rule", "selector")

    selector: Selector
    rule: Rule
    layer: int  # the rank of the rule's layer
    number: int  # the place among all, by priority
    own: frozenset[str] | None  # names that it needs on the element but its key, None where there are none
    own_bits: int
    above: frozenset[str] | None  # and above it
    above_bits: int


def active_of(selector: Selector, own: frozenset[str] | None, rule: Rule, layer: int) -> Active:
    """Return an active selector; `__new__` avoids the cost of a constructor call."""
    made = Active.__new__(Active)
    made.selector, made.rule, made.layer, made.number = selector, rule, layer, 0
    made.own, made.own_bits, made.above, made.above_bits = own, 0, None, 0
    if own is not None:
        made.own_bits = bits_of(own)
    if selector.above:
        made.above = selector.above
        made.above_bits = bits_of(selector.above)
    return made


class Look:
    """Nodes of one kind below one context: all rules treat them alike, except for sibling-dependent ones."""

    __slots__ = ("candidates", "context", "made", "style")

    candidates: list[Active]  # rules that ask for siblings
    made: "dict[tuple[int, ...], Look]"  # by which of these hold
    context: int  # where there is no such rule
    style: int


def look_of(candidates: list[Active]) -> Look:
    """Return a style group without a style."""
    made = Look.__new__(Look)
    made.candidates, made.made = candidates, {}
    made.context = made.style = -1
    return made


def bits_of(names: Iterable[str]) -> int:
    """Return the Bloom filter of names: one of 61 bits per name."""
    made = 0
    for name in names:
        made |= _ONE << hash(name) % 61
    return made


def by_layer(active: Active) -> int:
    """Return the sort key by cascade layer."""
    return active.layer
