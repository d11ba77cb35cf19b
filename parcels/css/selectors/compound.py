"""Selectors as data: compounds from right to left, with specificity and the names that they require.

Selectors of tags, classes and ids only, which most are, are made here; `selector_parser` reads the others.
"""

from dataclasses import dataclass

from parcels.css.selectors.names import Names
from parcels.css.selectors.scan import plain_compounds, plain_parts

ROOT = ":root"  # the key of the root element
ID, CLASS, TAG = 1 << 20, 1 << 10, 1  # specificity as one number
_ID, _CLASS, _TAG = ID, CLASS, TAG  # as numbers in C


class AttributeTest:
    """An attribute selector: [name operator value]; the operator is empty for mere presence."""

    __slots__ = ("ignores_case", "name", "operator", "value")

    def __init__(self, name: str, operator: str, value: str, ignores_case: bool):
        self.name, self.operator, self.value, self.ignores_case = name, operator, value, ignores_case

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, AttributeTest)
            and self.name == other.name
            and self.operator == other.operator
            and self.value == other.value
            and self.ignores_case == other.ignores_case
        )

    def __hash__(self) -> int:
        return hash((self.name, self.operator, self.value))

    def attribute_names(self) -> tuple[str, ...]:
        """Return the attributes that the test depends on."""
        return (self.name,)


@dataclass(frozen=True, slots=True)
class NthTest:
    """A structural pseudo-class: :nth-child(an+b) and its variants."""

    step: int
    first: int
    from_end: bool
    of_type: bool


@dataclass(frozen=True, slots=True)
class LogicalTest:
    """A logical pseudo-class: :is(), :where(), :not(), :has()."""

    kind: str
    selectors: "tuple[Selector, ...]"


@dataclass(frozen=True, slots=True)
class PseudoClassTest:
    """Any other pseudo-class: root, scope, empty, link, only-child, `has NAMES`, `lang en` …"""

    name: str

    def attribute_names(self) -> tuple[str, ...]:
        """Return the attributes that the test depends on; the result for a tag is fixed without them."""
        kind, _, names = self.name.partition(" ")
        if kind == "has":
            return tuple(names.split())
        return {"link": ("href",), "enabled": ("disabled",), "placeholder-shown": ("placeholder",), "lang": ("lang",)}[
            kind
        ]


Test = AttributeTest | NthTest | LogicalTest | PseudoClassTest


class Compound:
    """A compound selector: simple selectors without a combinator between them."""

    __slots__ = ("classes", "ident", "tag", "tests")

    def __init__(self, tag: str, ident: str, classes: tuple[str, ...], tests: tuple[Test, ...]):
        self.tag = tag  # "" is any
        self.ident = ident
        self.classes = classes
        self.tests = tests

    @property
    def keys(self) -> tuple[str, ...]:
        """Names of which the element must have one, rare ones preferred; `[name` for an attribute."""
        if self.ident:
            return ("#" + self.ident,)
        if self.classes or self.tag:
            return ("." + self.classes[-1] if self.classes else self.tag,)
        for test in self.tests:
            if isinstance(test, AttributeTest):
                return ("[" + test.name,)
            if isinstance(test, LogicalTest) and test.kind == "is":
                return tuple(dict.fromkeys(key for inner in test.selectors for key in inner.keys))
            if isinstance(test, PseudoClassTest) and test.name == "root":
                return (ROOT,)
        return ("*",)

    def names(self) -> list[str]:
        """Return all names that the element must have."""
        names = ["." + name for name in self.classes]
        if self.ident:
            names.append("#" + self.ident)
        if self.tag:
            names.append(self.tag)
        return names


class Selector:
    """A complex selector; compounds from right to left, a combinator to the left of each but the last."""

    __slots__ = (
        "ancestor_names",
        "attributes",
        "combinators",
        "compounds",
        "context",
        "has_nameless",
        "is_names_only",
        "is_never",
        "is_positional",
        "keys",
        "names",
        "own",
        "specificity",
        "text",
    )

    def __init__(
        self, compounds: tuple[Compound, ...] = (), combinators: tuple[str, ...] = (), specificity: int = 0
    ) -> None:
        self.compounds = compounds
        self.combinators = combinators
        self.specificity = specificity
        self.keys: tuple[str, ...] = ()
        self.own = _NO_NAMES  # names that must be on the element
        self.ancestor_names = _NO_NAMES  # names that must be on the ancestors
        self.names = _NO_NAMES  # of the element, that decide whether it matches, also inside :not()
        self.context = _NO_NAMES  # of others: its ancestors and siblings
        self.attributes = _NO_TESTS  # tests of attributes, of the element and of others
        self.is_positional = False  # depends on siblings or children, not only on the path from the root
        self.is_never = False
        self.has_nameless = False  # a part to the left names nothing: `* >`, `:not(.a) >`
        self.is_names_only = False  # true of every element that has `own` and has `above` on its ancestors
        self.text = ""  # of a plain selector whose compounds are not made yet

    def make_compounds(self) -> bool:
        """Make the compounds of a plain selector; False where it turns out not to be valid."""
        parsed = _compounds(self.text)
        if parsed is None:
            self.is_never = True
            return False
        self.compounds, self.combinators = parsed
        return True


_NO_NAMES: frozenset[str] = frozenset()
_NO_TESTS: frozenset[AttributeTest | PseudoClassTest] = frozenset()
NEVER = Selector()
NEVER.is_never = True


def plain_selector(text: str, page_names: Names | None = None) -> Selector | None:
    """Return a selector of tags, classes and ids only; None for any other.

    Its compounds are created when they are first needed.

    None where it is not valid, or where it names something that is not among those `page_names`.
    """
    parts = plain_parts(text, page_names)
    if parts is None:
        return None
    own, ancestor_names, cut, is_whole = parts
    if not is_whole:
        return None
    left = text[:cut]
    specificity = 0
    key, rarity = "*", 0
    for name in own:
        if name[0] == "#":
            specificity += _ID
            key, rarity = name, 3
        elif name[0] == ".":
            specificity += _CLASS
            if rarity < 3:
                key, rarity = name, 2
        else:
            specificity += _TAG
            if rarity < 2:
                key, rarity = name, 1
    for name in ancestor_names:
        specificity += _CLASS if name[0] == "." else _ID if name[0] == "#" else _TAG
    if left and ("+" in left or "~" in left):
        compounds = _compounds(text)
        return None if compounds is None else build_selector(*compounds, specificity, set(), _NO_TESTS, True)
    has_nameless = "*" in left
    own_names, ancestor_set = frozenset(own), frozenset(ancestor_names) if ancestor_names else _NO_NAMES
    plain = Selector.__new__(Selector)  # as calls of classes are slow where there are many
    plain.compounds = plain.combinators = ()
    plain.specificity, plain.keys, plain.text = specificity, (key,), text
    plain.own = plain.names = own_names
    plain.ancestor_names = plain.context = ancestor_set
    plain.attributes = _NO_TESTS
    plain.is_positional = plain.is_never = False
    plain.has_nameless = has_nameless
    plain.is_names_only = not left or (len(ancestor_names) == 1 and not has_nameless and ">" not in left)
    return plain


def _compounds(text: str) -> tuple[tuple[Compound, ...], tuple[str, ...]] | None:
    """Return the compounds of a plain selector from right to left, and its combinators."""
    parsed = plain_compounds(text)
    if parsed is None:
        return None
    compounds, combinators = parsed
    return tuple([Compound(*names, ()) for names in compounds[::-1]]), tuple(combinators[::-1])


def build_selector(
    compounds: tuple[Compound, ...],
    combinators: tuple[str, ...],
    specificity: int,
    inner_names: set[str],
    attributes: "frozenset[AttributeTest | PseudoClassTest]",
    is_positional: bool,
) -> Selector:
    """Return the selector made of compounds from right to left."""
    last = compounds[0]
    own = frozenset(last.names())
    ancestor_names: set[str] = set()
    context = set(inner_names)
    has_nameless = False
    for compound, combinator in zip(compounds[1:], combinators, strict=True):
        names = compound.names()
        context.update(names)
        has_nameless = has_nameless or not names
        if combinator in " >":  # a sibling's names are not on the path, those of its ancestors are
            ancestor_names.update(names)
    is_names_only = not last.tests and (
        not combinators or (combinators == (" ",) and not compounds[1].tests and len(ancestor_names) == 1)
    )
    made = Selector(compounds, combinators, specificity)
    made.keys, made.own, made.names = last.keys, own, own | inner_names
    made.ancestor_names, made.context, made.attributes = frozenset(ancestor_names), frozenset(context), attributes
    made.is_positional, made.has_nameless, made.is_names_only = is_positional, has_nameless, is_names_only
    return made
