"""Selectors as data: compounds from right to left, with specificity and the names that they need.

Selectors of tags, classes and ids only, which most are, are made here; `selector_parser` reads the others.
"""

import re
from dataclasses import dataclass

_COMBINATOR = re.compile(r"(\s*[>+~]\s*|\s+)")
_NAMES = re.compile(r"[.#]?[-\w]+")
_ONE_NAME = re.compile(r"[.#]?[-\w]+\Z").match
PLAIN = re.compile(r"(?:[-\w.#*\s>+~]*[\s>+~])?([-\w.#*]+)\Z")
ROOT = ":root"  # the key of the root element
ID, CLASS, TAG = 1 << 20, 1 << 10, 1  # specificity as one number


@dataclass(frozen=True, slots=True)
class Attribute:
    """[name operator value]; the operator is empty where the attribute need only be there."""

    name: str
    operator: str
    value: str
    ignores_case: bool

    def attribute_names(self) -> tuple[str, ...]:
        """The attributes that it depends on."""
        return (self.name,)


@dataclass(frozen=True, slots=True)
class Nth:
    """:nth-child(an+b) and its like."""

    step: int
    first: int
    from_end: bool
    of_type: bool


@dataclass(frozen=True, slots=True)
class Inner:
    """:is(), :where(), :not(), :has()."""

    kind: str
    selectors: "tuple[Selector, ...]"


@dataclass(frozen=True, slots=True)
class Fact:
    """A pseudo-class without selectors inside: root, scope, empty, link, only-child, `has NAMES`, `lang en` …"""

    name: str

    def attribute_names(self) -> tuple[str, ...]:
        """The attributes that it depends on; without them it is the same for all elements of a tag."""
        kind, _, names = self.name.partition(" ")
        if kind == "has":
            return tuple(names.split())
        return {"link": ("href",), "enabled": ("disabled",), "placeholder-shown": ("placeholder",), "lang": ("lang",)}[
            kind
        ]


Test = Attribute | Nth | Inner | Fact


@dataclass(slots=True, eq=False)  # not frozen: that would triple the time to make one
class Compound:
    """What one element must be: simple selectors without a combinator between them."""

    tag: str  # "" is any
    ident: str
    classes: tuple[str, ...]
    tests: tuple[Test, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """Names of which the element must have one, rare ones if possible; `[name` for an attribute."""
        if self.ident:
            return ("#" + self.ident,)
        if self.classes or self.tag:
            return ("." + self.classes[-1] if self.classes else self.tag,)
        for test in self.tests:
            if isinstance(test, Attribute):
                return ("[" + test.name,)
            if isinstance(test, Inner) and test.kind == "is":
                return tuple(dict.fromkeys(key for inner in test.selectors for key in inner.keys))
            if isinstance(test, Fact) and test.name == "root":
                return (ROOT,)
        return ("*",)

    def names(self) -> list[str]:
        """All names that the element must have."""
        found = ["." + name for name in self.classes]
        if self.ident:
            found.append("#" + self.ident)
        if self.tag:
            found.append(self.tag)
        return found


@dataclass(slots=True, eq=False)
class Selector:
    """A complex selector; compounds from right to left, a combinator to the left of each but the last."""

    compounds: tuple[Compound, ...]
    combinators: tuple[str, ...]
    specificity: int
    keys: tuple[str, ...]
    own: frozenset[str]  # names that must be on the element
    above: frozenset[str]  # names that must be on the ancestors
    names: frozenset[str]  # of the element, that decide whether it matches, also inside :not()
    context: frozenset[str]  # of others: its ancestors and siblings
    attributes: "frozenset[Attribute | Fact]"  # what is asked of the attributes, of the element's and of others'
    is_positional: bool  # depends on siblings or children, not only on the path from the root
    is_never: bool
    has_nameless: bool  # a part to the left names nothing: `* >`, `:not(.a) >`
    is_names_only: bool  # true of every element that has `own` and has `above` on its ancestors
    text: str = ""  # of a plain selector whose compounds are not made yet

    def make_compounds(self) -> bool:
        """Make the compounds of a plain selector; False where it turns out not to be valid."""
        made = _compounds(self.text)
        if made is None:
            self.is_never = True
            return False
        self.compounds, self.combinators = made
        return True


_NO_NAMES: frozenset[str] = frozenset()
_NO_TESTS: frozenset[Attribute | Fact] = frozenset()
NEVER = Selector((), (), 0, (), _NO_NAMES, _NO_NAMES, _NO_NAMES, _NO_NAMES, frozenset(), False, True, False, False)


def plain_selector(text: str, seen: set[str] | None = None) -> Selector | None:
    """A selector of tags, classes and ids only: most are. Its compounds are made when they are first needed.

    None where it is not valid, or where it names something that is not among those `seen`.
    """
    if _ONE_NAME(text):
        return _one_name(text if text[0] in ".#" else text.lower(), text, seen)
    found = PLAIN.match(text)
    if found is None:
        return None
    last, left = found[1], text[: found.start(1)]
    own, above = _NAMES.findall(last), _NAMES.findall(left)
    own_names, above_names = _lower_tags(own), _lower_tags(above)
    if seen is not None and not (own_names <= seen and above_names <= seen):
        return None
    if len("".join(own)) + last.count("*") != len(last):
        return None
    specificity = 0
    for name in own + above:
        specificity += CLASS if name[0] == "." else ID if name[0] == "#" else TAG
    if "+" in left or "~" in left:
        parts = _compounds(text)
        return None if parts is None else made(*parts, specificity, set(), _NO_TESTS, True)
    if len(own) < 2:
        key = next(iter(own_names), "*")
    else:
        key = max(own_names, key=_rarity)
    has_nameless = "*" in left
    is_names_only = not left or (len(above) == 1 and not has_nameless and ">" not in left)
    return Selector(
        (),
        (),
        specificity,
        (key,),
        own_names,
        above_names,
        own_names,
        above_names,
        _NO_TESTS,
        False,
        False,
        has_nameless,
        is_names_only,
        text,
    )


def _one_name(name: str, text: str, seen: set[str] | None) -> Selector | None:
    """The selector of one class, id or tag, which every third is."""
    if seen is not None and name not in seen:
        return None
    names = frozenset((name,))
    specificity = CLASS if name[0] == "." else ID if name[0] == "#" else TAG
    return Selector(
        (), (), specificity, (name,), names, _NO_NAMES, names, _NO_NAMES, _NO_TESTS, False, False, False, True, text
    )


def _lower_tags(names: list[str]) -> frozenset[str]:
    return frozenset([name if name[0] in ".#" else name.lower() for name in names])


def _rarity(name: str) -> int:
    return 2 if name[0] == "#" else 1 if name[0] == "." else 0


def _compounds(text: str) -> tuple[tuple[Compound, ...], tuple[str, ...]] | None:
    """The compounds of a plain selector from right to left, and what stands between them."""
    compounds: list[Compound] = []
    parts = _COMBINATOR.split(text)
    for part in parts[::2]:
        tag = ident = ""
        classes: tuple[str, ...] = ()
        found = _NAMES.findall(part)
        if len("".join(found)) + part.count("*") != len(part) or not part:
            return None
        for name in found:
            if name[0] == ".":
                classes += (name[1:],)
            elif name[0] == "#":
                ident = name[1:]
            else:
                tag = name.lower()
        compounds.append(Compound(tag, ident, classes, ()))
    return tuple(compounds[::-1]), tuple([combinator.strip() or " " for combinator in parts[-2::-2]])


def made(
    compounds: tuple[Compound, ...],
    combinators: tuple[str, ...],
    specificity: int,
    inner_names: set[str],
    attributes: "frozenset[Attribute | Fact]",
    is_positional: bool,
) -> Selector:
    """The selector of compounds from right to left."""
    last = compounds[0]
    own = frozenset(last.names())
    above: set[str] = set()
    context = set(inner_names)
    for compound, combinator in zip(compounds[1:], combinators, strict=True):
        names = compound.names()
        context.update(names)
        if combinator in " >":  # a sibling's names are not on the path, those of its ancestors are
            above.update(names)
    is_names_only = not last.tests and (
        not combinators or (combinators == (" ",) and not compounds[1].tests and len(above) == 1)
    )
    return Selector(
        compounds,
        combinators,
        specificity,
        last.keys,
        own,
        frozenset(above),
        own | inner_names,
        frozenset(context),
        attributes,
        is_positional,
        False,
        any(not compound.names() for compound in compounds[1:]),
        is_names_only,
    )
