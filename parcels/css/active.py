"""The selectors that may match something on a page, as the cascade asks them."""

from collections.abc import Iterable

from parcels.css.rules import Rule
from parcels.css.selectors import Selector

_BITS = [1 << place for place in range(61)]


class Active:
    """A selector that may match something on the page, and the rule that it belongs to.

    Each name has one of 61 bits. What is above an element lacks a name where it lacks the bit, which is quicker to ask
    for all names of a selector at once; where it has the bits, the names themselves are looked at.
    """

    __slots__ = ("above", "above_bits", "layer", "number", "own", "rule", "selector")

    def __init__(self, selector: Selector, own: frozenset[str] | None, rule: Rule, layer: int):
        self.selector, self.rule = selector, rule
        self.layer = layer  # the rank of the rule's layer
        self.number = 0  # the place among all, by priority
        self.own = own  # names that it needs on the element but its key, None where there are none
        self.above = selector.above or None  # and above it
        self.above_bits = bits_of(selector.above) if selector.above else 0


class Look:
    """Nodes that look alike to all rules: context and style of each, by which of the rules on siblings hold."""

    __slots__ = ("candidates", "made", "plain")

    def __init__(self, candidates: list[Active]):
        self.candidates = candidates  # rules that ask for siblings
        self.made: dict[tuple[int, ...], tuple[int, int]] = {}
        self.plain: tuple[int, int] | None = None  # where there is no such rule


def bits_of(names: Iterable[str]) -> int:
    """The bits of names."""
    made = 0
    for name in names:
        made |= _BITS[hash(name) % 61]
    return made


def by_specificity(active: Active) -> int:
    """The order in which selectors of a layer count, but for those that are equally specific."""
    return active.selector.specificity


def by_layer(active: Active) -> int:
    """The order in which layers count."""
    return active.layer
