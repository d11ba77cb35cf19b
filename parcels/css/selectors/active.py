"""Active selectors: those that may match something on a page, prepared for the cascade."""

from collections.abc import Iterable

from parcels.css.selectors.compound import Selector
from parcels.css.sheets.rules import Rule

_ONE = 1


class ActiveSelector:
    """A selector that may match something on the page, and its rule.

    The bits are a Bloom filter of the required names, 61 bits wide: a missing bit rules the selector out quickly; if
    all bits are set, the names themselves are compared.
    """

    __slots__ = ("ancestor_bits", "ancestor_names", "layer", "number", "own", "own_bits", "rule", "selector")

    selector: Selector
    rule: Rule
    layer: int  # the rank of the rule's layer
    number: int  # the place among all, by priority
    own: frozenset[str] | None  # names that it needs on the element but its key, None where there are none
    own_bits: int
    ancestor_names: frozenset[str] | None  # and above it
    ancestor_bits: int


def new_active_selector(selector: Selector, own: frozenset[str] | None, rule: Rule, layer: int) -> ActiveSelector:
    """Return an active selector; `__new__` avoids the cost of a constructor call."""
    active = ActiveSelector.__new__(ActiveSelector)
    active.selector, active.rule, active.layer, active.number = selector, rule, layer, 0
    active.own, active.own_bits, active.ancestor_names, active.ancestor_bits = own, 0, None, 0
    if own is not None:
        active.own_bits = bloom_bits(own)
    if selector.ancestor_names:
        active.ancestor_names = selector.ancestor_names
        active.ancestor_bits = bloom_bits(selector.ancestor_names)
    return active


class StyleGroup:
    """Nodes of one kind below one context: all rules treat them alike, except for sibling-dependent ones."""

    __slots__ = ("candidates", "context", "style", "variants")

    candidates: list[ActiveSelector]  # sibling-dependent selectors
    variants: "dict[tuple[int, ...], StyleGroup]"  # by the numbers of the candidates that match
    context: int  # where there is no such rule
    style: int


def new_style_group(candidates: list[ActiveSelector]) -> StyleGroup:
    """Return a style group without a style."""
    group = StyleGroup.__new__(StyleGroup)
    group.candidates, group.variants = candidates, {}
    group.context = group.style = -1
    return group


def bloom_bits(names: Iterable[str]) -> int:
    """Return the Bloom filter of names: one of 61 bits per name."""
    bits = 0
    for name in names:
        bits |= _ONE << hash(name) % 61
    return bits


def by_layer(active: ActiveSelector) -> int:
    """Return the sort key by cascade layer."""
    return active.layer
