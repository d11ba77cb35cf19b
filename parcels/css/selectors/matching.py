"""Match selectors against the rows of a page's flat arrays."""

from array import array

import numpy as np

from parcels.css.selectors.compound import AttributeTest, Compound, LogicalTest, NthTest, PseudoClassTest, Selector
from parcels.html.page import Page

MAX_TESTS = 3_000_000  # compounds tried on one page; past it nothing matches any more (a few seconds)
_CONTROLS = frozenset(["input", "button", "select", "textarea", "option", "fieldset"])
_LINKS = frozenset(["a", "area"])


class SelectorMatcher:
    """Matches selectors on one page: tag, id, classes and attributes by row, siblings on demand."""

    def __init__(self, page: Page, *, is_quirky: bool = False):
        nodes = page.nodes
        self.page, self.is_quirky = page, is_quirky
        self.parent = array("i", nodes.parent.astype(np.intc).tobytes())
        self.tag = nodes.tags
        self.ident = [""] * len(nodes)
        self.hashed: list[str | None] = [None] * len(nodes)  # the id with a hash sign
        self.classes: list[tuple[str, ...]] = [()] * len(nodes)
        self.groups: list[list[str]] = [[]]  # the classes of a class attribute, with dots; the first is empty
        self.group = array("i", bytes(self.parent.itemsize * len(nodes)))  # which of them it is
        self.attributes: list[dict[str, str]] = []
        self.tests_left = MAX_TESTS
        self.scope = 0
        self.is_inside = b""  # 1 inside elements whose content is not rendered
        self._siblings: dict[int, list[int]] = {}
        self._place: dict[int, tuple[int, int, int, int]] = {}

    def matches(self, selector: Selector, row: int) -> bool:
        """Return whether the selector matches the element in the row."""
        if not selector.compounds and (selector.is_never or not selector.make_compounds()):
            return False
        return self.is_compound(selector.compounds[0], row) and (
            len(selector.compounds) == 1 or self._continues(selector, 0, row) is True
        )

    def _continues(self, selector: Selector, at: int, row: int) -> bool | None:
        """Return whether the rest of the selector matches left of the row; None if no other row can match either."""
        combinator = selector.combinators[at]
        compound = selector.compounds[at + 1]
        is_last = at + 2 == len(selector.compounds)
        if combinator == ">":
            row = self.parent[row]
            if row < 0 or not self.is_compound(compound, row):
                return None if row < 0 else False
            return True if is_last else self._continues(selector, at + 1, row)
        if combinator == " ":
            row = self.parent[row]
            while row >= 0:
                if self.is_compound(compound, row):
                    matched = True if is_last else self._continues(selector, at + 1, row)
                    if matched is not False:
                        return matched
                row = self.parent[row]
            return None
        before = self.siblings_before(row)
        for sibling in reversed(before) if combinator == "~" else before[-1:]:
            if self.is_compound(compound, sibling):
                matched = True if is_last else self._continues(selector, at + 1, sibling)
                if matched is not False:
                    return matched
        return False

    def is_compound(self, compound: Compound, row: int) -> bool:
        """Return whether the element matches a compound selector."""
        self.tests_left -= 1
        if self.tests_left < 0:
            return False
        if compound.tag and compound.tag != self.tag[row]:
            return False
        if compound.ident and compound.ident != self.ident[row]:
            return False
        if compound.classes:
            classes = self.classes[row]
            for name in compound.classes:
                if name not in classes:
                    return False
        for test in compound.tests:
            if isinstance(test, AttributeTest):
                holds = self.has(test, row)
            elif isinstance(test, NthTest):
                holds = self._is_nth(test, row)
            elif isinstance(test, LogicalTest):
                holds = self._matches_logical(test, row)
            else:
                holds = self.holds_pseudo_class(test, row)
            if not holds:
                return False
        return True

    def has(self, test: AttributeTest, row: int) -> bool:
        """Return whether the element has the attribute with a matching value."""
        attributes = self.attributes[row]
        value = attributes.get(test.name)
        if value is None:
            return False
        if not test.operator:
            return True
        sign, wanted = test.operator[0], test.value
        if test.ignores_case or (self.is_quirky and test.name in ("class", "id")):
            value = value.lower()
        if sign == "=":
            return value == wanted
        if sign == "|":
            return value == wanted or value.startswith(wanted + "-")
        if not wanted:
            return False
        if sign == "~":
            return wanted in value.split()
        if sign == "^":
            return value.startswith(wanted)
        return value.endswith(wanted) if sign == "$" else wanted in value

    def _matches_logical(self, test: LogicalTest, row: int) -> bool:
        if test.kind != "has":
            for inner in test.selectors:
                if self.matches(inner, row):
                    return test.kind == "is"
            return test.kind != "is"
        if self.tests_left < 0:
            return False
        outer, self.scope = self.scope, row
        try:
            last = int(self.page.nodes.last[row])
            for inner in test.selectors:
                # Siblings are searched among the following rows inside the same parent.
                beyond = inner.combinators[-1:] in (("+",), ("~",))
                end = int(self.page.nodes.last[max(self.parent[row], 0)]) if beyond else last
                for below in range(row + 1, end + 1):
                    if self.matches(inner, below):
                        return True
            return False
        finally:
            self.scope = outer

    def holds_pseudo_class(self, test: PseudoClassTest, row: int) -> bool:
        """Return whether a pseudo-class holds for the element."""
        name, attributes = test.name, self.attributes[row]
        if name == "root":
            return row == 0
        if name == "scope":
            return row == self.scope
        if name == "link":
            return self.tag[row] in _LINKS and "href" in attributes
        if name == "empty":
            nodes = self.page.nodes
            if nodes.last[row] > row or nodes.texts[row]:
                return False
            element = nodes.elements[row]  # comments and the content of opaque elements are in lxml's tree alone
            return not len(element) and not element.text
        if name.startswith("only-"):
            of_type = name == "only-of-type"
            return self._is_nth(NthTest(0, 1, False, of_type), row) and self._is_nth(NthTest(0, 1, True, of_type), row)
        if name == "enabled":
            return self.tag[row] in _CONTROLS and "disabled" not in attributes
        if name == "placeholder-shown":
            return "placeholder" in attributes and not attributes.get("value")
        if name.startswith("has "):
            return not attributes.keys().isdisjoint(name[4:].split())
        return self._language(row).startswith(name[5:])

    def _language(self, row: int) -> str:
        while row >= 0:
            if language := self.attributes[row].get("lang"):
                return language.lower()
            row = self.parent[row]
        return ""

    def _is_nth(self, test: NthTest, row: int) -> bool:
        place = self._places(row)[2 * test.of_type + test.from_end]
        if test.step == 0:
            return place == test.first
        count, rest = divmod(place - test.first, test.step)
        return rest == 0 and count >= 0

    def siblings_before(self, row: int) -> list[int]:
        """Return the rows of the preceding sibling elements."""
        above = self.parent[row]
        if above < 0:
            return []
        return self._children(above)[: self._places(row)[0] - 1]

    def _places(self, row: int) -> tuple[int, int, int, int]:
        """Return the child's position: from the start, from the end, and both among siblings of its tag."""
        if row not in self._place:
            if self.parent[row] < 0:
                return 1, 1, 1, 1
            self._children(self.parent[row])
        return self._place[row]

    def _children(self, above: int) -> list[int]:
        """Return the rows of a node's children, and store their positions."""
        children = self._siblings.get(above)
        if children is not None:
            return children
        last = self.page.nodes.last
        rows, row, end = [], above + 1, int(last[above])
        while row <= end:
            rows.append(row)
            row = int(last[row]) + 1
        totals: dict[str, int] = {}
        for row in rows:
            totals[self.tag[row]] = totals.get(self.tag[row], 0) + 1
        counts: dict[str, int] = {}
        count = len(rows)
        for at, row in enumerate(rows):
            tag = self.tag[row]
            nth = counts[tag] = counts.get(tag, 0) + 1
            self._place[row] = (at + 1, count - at, nth, totals[tag] - nth + 1)
        self._siblings[above] = rows
        return rows
