"""Kinds of elements: elements that rules and defaults cannot distinguish without looking at their surroundings."""

from parcels.css.defaults import LISTS, user_agent
from parcels.css.hints import ALWAYS_HINTED, ALWAYS_INTERESTING, CELLS, INTERESTING, Looks
from parcels.css.selectors.active import bits_of
from parcels.css.selectors.compound import Attribute, Fact
from parcels.css.selectors.matching import Tree
from parcels.maps import IntMap, pair_key

_NO_NAMES: frozenset[str] = frozenset()
_NO_LOOKS: Looks = ()


class Questions:
    """The properties of elements that the rules of a page depend on."""

    def __init__(self) -> None:
        self.names: set[str] = set()  # that some rule looks for on the element that it matches
        self.names_above: set[str] = set()  # and on others
        self.tests: dict[str, list[tuple[int, Attribute | Fact]]] = {}  # by the attribute's name
        self.facts: dict[str, list[tuple[int, Fact]]] = {}  # those of them that ask for more than a value
        self.tests_above: set[int] = set()  # those that are asked of others than the element that matches


class Tag:
    """The properties that all elements of a tag share."""

    __slots__ = (
        "bare",
        "default",
        "default_in_list",
        "interesting",
        "is_body",
        "is_cell",
        "is_head",
        "is_hinted",
        "is_link",
        "is_list",
        "is_table",
        "looks",
        "name",
        "number",
        "watched",
    )

    def __init__(self, name: str, number: int, looks: Looks, asked: Questions, is_quirky: bool):
        self.name, self.number = name, number
        self.looks = looks  # what all of them have besides what is interesting
        self.interesting = INTERESTING.get(name, ALWAYS_INTERESTING)  # attributes that change their looks
        self.watched = self.interesting.union(asked.tests) if asked.tests else self.interesting
        self.is_link = name == "a" and not looks
        self.is_table, self.is_body, self.is_head = name == "table", name == "body", name == "head"
        self.is_list, self.is_cell, self.is_hinted = name in LISTS, name in CELLS, name in ALWAYS_HINTED
        self.default = self.default_in_list = user_agent(name, is_quirky=is_quirky)
        if self.is_list:
            self.default_in_list = user_agent(name, is_quirky=is_quirky, is_nested=True)
        self.bare = -1  # the number of the kind of those without attributes


class Kind:
    """Elements of a tag with the same relevant names, presentational attributes and attribute test results."""

    __slots__ = ("answers", "bits", "looks", "names", "number", "own", "own_bits", "seen", "sight", "tag")

    number: int
    tag: Tag
    names: tuple[str, ...]  # classes and id
    looks: Looks  # attributes that change its looks
    answers: tuple[int, ...]  # tests of attributes that hold
    own: set[str]  # names and tag
    own_bits: int  # of these, see `Active`
    seen: frozenset[str]  # those of them that some rule looks for above others
    bits: int
    sight: int  # what rules can see of it from below, as a number: 0 is nothing


class Kinds:
    """The kinds of a page's elements."""

    def __init__(self, tree: Tree, asked: Questions):
        self.tree, self.asked = tree, asked
        self.link_colour = ""
        self._relevant = asked.names | asked.names_above
        self._tags: dict[str, Tag] = {}
        self._tag_count = 0
        self._links: Tag | None = None  # what `a` with an address is, while the colour of links is the same
        self._kinds: list[Kind] = []
        self._by_names = IntMap()  # by tag and names
        self._special: dict[tuple[int, tuple[str, ...], Looks, tuple[int, ...]], Kind] = {}
        self._names: list[tuple[str, ...]] = [()]  # distinct relevant names
        self._number_of: dict[tuple[str, ...], int] = {(): 0}
        self._group_names = [-1] * len(tree.groups)  # which of them those of a group of classes are
        self._group_names[0] = 0
        self._answered: dict[str, dict[str, list[int]]] = {}  # by an attribute's name, then by its value
        self._sights: dict[tuple[frozenset[str], tuple[int, ...]], int] = {}

    def colour_links(self, colour: str) -> None:
        """Set the link colour of the body for the links that follow."""
        self.link_colour, self._links = colour, None

    def of(self, row: int) -> Kind:
        """Return the kind of the node in a row."""
        tree = self.tree
        name, given = tree.tag[row], tree.attributes[row]
        tag = self._tags.get(name)
        if tag is None:
            tag = self._tags[name] = self._new_tag(name, _NO_LOOKS)
        if not given:
            if tag.bare < 0:
                tag.bare = self._new(tag, (), _NO_LOOKS, ()).number
            return self._kinds[tag.bare]
        if tag.is_link and "href" in given:
            if self._links is None:
                self._links = self._new_tag(name, (("href", self.link_colour),))
            tag = self._links
        for name in given:
            if name in tag.watched:
                return self._special_kind(row, tag, given)
        ident = tree.hashed[row]
        if ident is not None and ident in self._relevant:
            return self._special_kind(row, tag, given)
        number = self._names_of(tree.group[row])
        key = pair_key(tag.number, number)
        known = self._by_names.find(key)
        if known < 0:
            made = self._new(tag, self._names[number], tag.looks, ())
            self._by_names.put(key, made.number)
            return made
        return self._kinds[known]

    def _new_tag(self, name: str, looks: Looks) -> Tag:
        self._tag_count += 1
        return Tag(name, self._tag_count, looks, self.asked, self.tree.is_quirky)

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

    def _special_kind(self, row: int, tag: Tag, given: dict[str, str]) -> Kind:
        """Return the kind of an element with an id, or with attributes that are presentational or tested by rules."""
        names, ident, looks = self._names[self._names_of(self.tree.group[row])], self.tree.hashed[row], tag.looks
        if ident is not None and ident in self._relevant:
            names = (*names, ident)
        for name in given:
            if name in tag.interesting:
                looks = (*[pair for pair in given.items() if pair[0] in tag.interesting], *looks)
                break
        answers = self._answers(row, given) if self.asked.tests else ()
        key = (tag.number, names, looks, answers)
        kind = self._special.get(key)
        if kind is None:
            kind = self._special[key] = self._new(tag, names, looks, answers)
        return kind

    def _answers(self, row: int, given: dict[str, str]) -> tuple[int, ...]:
        """Return the attribute tests that hold for an element; failed pseudo-class tests as negative numbers."""
        found: list[int] = []
        for name, value in given.items():
            tests = self.asked.tests.get(name)
            if tests is None:
                continue
            same = self._answered.get(name)
            if same is None:
                same = self._answered[name] = {}
            known = same.get(value)  # what an attribute's value alone decides
            if known is None:
                known = same[value] = [
                    place for place, test in tests if isinstance(test, Attribute) and self.tree.has(test, row)
                ]
            found += known
            if self.asked.facts:
                for place, test in self.asked.facts.get(name, ()):
                    found.append(place if self.tree.is_fact(test, row) else -1 - place)
        return tuple(found)

    def _new(self, tag: Tag, names: tuple[str, ...], looks: Looks, answers: tuple[int, ...]) -> Kind:
        made = Kind.__new__(Kind)
        made.number, made.tag, made.names, made.looks, made.answers = len(self._kinds), tag, names, looks, answers
        made.own = {tag.name, *names}
        made.own_bits = bits_of(made.own)
        made.seen, made.bits, made.sight = _NO_NAMES, 0, 0
        self._kinds.append(made)
        asked = self.asked
        own = [name for name in names if name in asked.names_above]
        if tag.name in asked.names_above:
            own.append(tag.name)
        if answers:
            answers = tuple([test for test in answers if test in asked.tests_above])
        if own:
            made.seen = frozenset(own)
            made.bits = bits_of(own)
        if own or answers:
            key = (made.seen, answers)
            known = self._sights.get(key)
            if known is None:
                known = self._sights[key] = len(self._sights) + 1
            made.sight = known
        return made
