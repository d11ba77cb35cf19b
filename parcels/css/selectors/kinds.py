"""Kinds of elements: elements that rules and defaults cannot distinguish without looking at their surroundings."""

from parcels.css.defaults import LISTS, user_agent_style
from parcels.css.hints import ALWAYS_HINTED, CELLS, COMMON_STYLE_ATTRIBUTES, STYLE_ATTRIBUTES, HintAttributes
from parcels.css.selectors.active import bloom_bits
from parcels.css.selectors.compound import AttributeTest, PseudoClassTest
from parcels.css.selectors.matching import SelectorMatcher
from parcels.maps import IntMap, pair_key

_NO_NAMES: frozenset[str] = frozenset()
_NO_HINTS: HintAttributes = ()


class RuleDependencies:
    """The properties of elements that the rules of a page depend on."""

    def __init__(self) -> None:
        self.names: set[str] = set()  # names that some rule requires of the element it matches
        self.ancestor_names: set[str] = set()  # and of other elements
        self.tests: dict[str, list[tuple[int, AttributeTest | PseudoClassTest]]] = {}  # by the attribute's name
        # Those of the tests that depend on more than an attribute's value.
        self.pseudo_tests: dict[str, list[tuple[int, PseudoClassTest]]] = {}
        self.ancestor_tests: set[int] = set()  # tests of elements other than the matched one


class Tag:
    """The properties that all elements of a tag share."""

    __slots__ = (
        "bare",
        "default",
        "default_in_list",
        "hint_attributes",
        "is_body",
        "is_cell",
        "is_head",
        "is_hinted",
        "is_link",
        "is_list",
        "is_table",
        "name",
        "number",
        "style_attributes",
        "tested_attributes",
    )

    def __init__(
        self, name: str, number: int, hint_attributes: HintAttributes, dependencies: RuleDependencies, is_quirky: bool
    ):
        self.name, self.number = name, number
        self.hint_attributes = hint_attributes  # shared by all elements of the tag
        self.style_attributes = STYLE_ATTRIBUTES.get(name, COMMON_STYLE_ATTRIBUTES)  # attributes that affect the style
        self.tested_attributes = (
            self.style_attributes.union(dependencies.tests) if dependencies.tests else self.style_attributes
        )
        self.is_link = name == "a" and not hint_attributes
        self.is_table, self.is_body, self.is_head = name == "table", name == "body", name == "head"
        self.is_list, self.is_cell, self.is_hinted = name in LISTS, name in CELLS, name in ALWAYS_HINTED
        self.default = self.default_in_list = user_agent_style(name, is_quirky=is_quirky)
        if self.is_list:
            self.default_in_list = user_agent_style(name, is_quirky=is_quirky, is_nested=True)
        self.bare = -1  # the number of the kind of those without attributes


class ElementKind:
    """Elements of a tag with the same relevant names, presentational attributes and attribute test results."""

    __slots__ = (
        "ancestor_bits",
        "ancestor_names",
        "ancestor_signature",
        "hint_attributes",
        "names",
        "number",
        "own",
        "own_bits",
        "tag",
        "test_results",
    )

    number: int
    tag: Tag
    names: tuple[str, ...]  # classes and id
    hint_attributes: HintAttributes  # attributes that affect the style
    test_results: tuple[int, ...]  # attribute tests that hold
    own: set[str]  # names and tag
    own_bits: int  # of these, see `Active`
    ancestor_names: frozenset[str]  # those that some rule requires of ancestors
    ancestor_bits: int
    ancestor_signature: int  # number of what rules can see from below: 0 is nothing


class ElementKinds:
    """The kinds of a page's elements."""

    def __init__(self, tree: SelectorMatcher, dependencies: RuleDependencies):
        self.tree, self.dependencies = tree, dependencies
        self.link_colour = ""
        self._relevant = dependencies.names | dependencies.ancestor_names
        self._tags: dict[str, Tag] = {}
        self._tag_count = 0
        self._links: Tag | None = None  # the tag of `a` with an address, for the current link colour
        self._kinds: list[ElementKind] = []
        self._by_names = IntMap()  # by tag and names
        self._special: dict[tuple[int, tuple[str, ...], HintAttributes, tuple[int, ...]], ElementKind] = {}
        self._names: list[tuple[str, ...]] = [()]  # distinct relevant names
        self._number_of: dict[tuple[str, ...], int] = {(): 0}
        self._group_names = [-1] * len(tree.groups)  # which of them those of a group of classes are
        self._group_names[0] = 0
        self._results_by_value: dict[str, dict[str, list[int]]] = {}  # by an attribute's name, then by its value
        self._signatures: dict[tuple[frozenset[str], tuple[int, ...]], int] = {}

    def colour_links(self, colour: str) -> None:
        """Set the link colour of the body for the links that follow."""
        self.link_colour, self._links = colour, None

    def of(self, row: int) -> ElementKind:
        """Return the kind of the node in a row."""
        tree = self.tree
        name, attributes = tree.tag[row], tree.attributes[row]
        tag = self._tags.get(name)
        if tag is None:
            tag = self._tags[name] = self._new_tag(name, _NO_HINTS)
        if not attributes:
            if tag.bare < 0:
                tag.bare = self._new(tag, (), _NO_HINTS, ()).number
            return self._kinds[tag.bare]
        if tag.is_link and "href" in attributes:
            if self._links is None:
                self._links = self._new_tag(name, (("href", self.link_colour),))
            tag = self._links
        for name in attributes:
            if name in tag.tested_attributes:
                return self._special_kind(row, tag, attributes)
        ident = tree.hashed[row]
        if ident is not None and ident in self._relevant:
            return self._special_kind(row, tag, attributes)
        number = self._names_of(tree.group[row])
        key = pair_key(tag.number, number)
        known = self._by_names.find(key)
        if known < 0:
            kind = self._new(tag, self._names[number], tag.hint_attributes, ())
            self._by_names.put(key, kind.number)
            return kind
        return self._kinds[known]

    def _new_tag(self, name: str, hint_attributes: HintAttributes) -> Tag:
        self._tag_count += 1
        return Tag(name, self._tag_count, hint_attributes, self.dependencies, self.tree.is_quirky)

    def _names_of(self, group: int) -> int:
        """Return the number of the relevant classes of a class group."""
        known = self._group_names[group]
        if known < 0:
            names = tuple([name for name in self.tree.groups[group] if name in self._relevant])
            known = self._number_of.get(names, -1)
            if known < 0:
                known = self._number_of[names] = len(self._names)
                self._names.append(names)
            self._group_names[group] = known
        return known

    def _special_kind(self, row: int, tag: Tag, attributes: dict[str, str]) -> ElementKind:
        """Return the kind of an element with an id, or with attributes that are presentational or tested by rules."""
        names, ident, hint_attributes = (
            self._names[self._names_of(self.tree.group[row])],
            self.tree.hashed[row],
            tag.hint_attributes,
        )
        if ident is not None and ident in self._relevant:
            names = (*names, ident)
        for name in attributes:
            if name in tag.style_attributes:
                hint_attributes = (
                    *[pair for pair in attributes.items() if pair[0] in tag.style_attributes],
                    *hint_attributes,
                )
                break
        test_results = self._test_results(row, attributes) if self.dependencies.tests else ()
        key = (tag.number, names, hint_attributes, test_results)
        kind = self._special.get(key)
        if kind is None:
            kind = self._special[key] = self._new(tag, names, hint_attributes, test_results)
        return kind

    def _test_results(self, row: int, attributes: dict[str, str]) -> tuple[int, ...]:
        """Return the attribute tests that hold for an element; failed pseudo-class tests as negative numbers."""
        results: list[int] = []
        for name, value in attributes.items():
            tests = self.dependencies.tests.get(name)
            if tests is None:
                continue
            by_value = self._results_by_value.get(name)
            if by_value is None:
                by_value = self._results_by_value[name] = {}
            known = by_value.get(value)  # tests that depend on the value alone
            if known is None:
                known = by_value[value] = [
                    place for place, test in tests if isinstance(test, AttributeTest) and self.tree.has(test, row)
                ]
            results += known
            if self.dependencies.pseudo_tests:
                for place, test in self.dependencies.pseudo_tests.get(name, ()):
                    results.append(place if self.tree.holds_pseudo_class(test, row) else -1 - place)
        return tuple(results)

    def _new(
        self, tag: Tag, names: tuple[str, ...], hint_attributes: HintAttributes, test_results: tuple[int, ...]
    ) -> ElementKind:
        kind = ElementKind.__new__(ElementKind)
        kind.number, kind.tag, kind.names, kind.hint_attributes, kind.test_results = (
            len(self._kinds),
            tag,
            names,
            hint_attributes,
            test_results,
        )
        kind.own = {tag.name, *names}
        kind.own_bits = bloom_bits(kind.own)
        kind.ancestor_names, kind.ancestor_bits, kind.ancestor_signature = _NO_NAMES, 0, 0
        self._kinds.append(kind)
        dependencies = self.dependencies
        own = [name for name in names if name in dependencies.ancestor_names]
        if tag.name in dependencies.ancestor_names:
            own.append(tag.name)
        if test_results:
            test_results = tuple([test for test in test_results if test in dependencies.ancestor_tests])
        if own:
            kind.ancestor_names = frozenset(own)
            kind.ancestor_bits = bloom_bits(own)
        if own or test_results:
            key = (kind.ancestor_names, test_results)
            known = self._signatures.get(key)
            if known is None:
                known = self._signatures[key] = len(self._signatures) + 1
            kind.ancestor_signature = known
        return kind
