"""The cascade: which rules match which nodes, in which order they count, and the computed style of every node.

Nodes that look alike to all rules of the page share the work: their own names and attributes are the same, as far as
some rule asks for them, and so is the context above them. Rules are matched once for each such look, and looks to which
the same rules apply share a computed style. Only rules that look at siblings are asked node by node.
"""

from collections.abc import Mapping

from parcels.css.active import Active, Look, bits_of, by_layer, by_specificity
from parcels.css.columns import COLUMN
from parcels.css.compute import Computer
from parcels.css.conditions import DEFAULT_SCREEN, Screen
from parcels.css.contexts import Contexts
from parcels.css.declarations import attribute_block
from parcels.css.defaults import LISTS, user_agent
from parcels.css.hints import ALWAYS_HINTED, ALWAYS_INTERESTING, CELLS, INTERESTING, Looks, hints
from parcels.css.longhands import Values
from parcels.css.matching import Tree
from parcels.css.quirks import is_in_quirks_mode
from parcels.css.rules import Rule
from parcels.css.scan import Names
from parcels.css.selectors import ROOT, Attribute, Fact
from parcels.css.sheets import DEFAULT_CACHE, SheetCache
from parcels.css.source import Found, SheetSource, sheets_of
from parcels.css.style import Bools, Display, Styles
from parcels.css.table import styles_of
from parcels.page import Page
from parcels.tags import lookup

NO_SHEETS = SheetSource()
MAX_MATCHED = 2000  # rules of one element: the ones that count most are kept
UNLAYERED = 1 << 30  # rules outside of all layers beat those inside
_HIDDEN: Values = {COLUMN["display"]: float(Display.NONE)}
_SHOWN: Values = {COLUMN["display"]: float(Display.BLOCK)}
_NOTHING: dict[str, str] = {}
_NO_NAMES: frozenset[str] = frozenset()
_IS_NEVER_SHOWN = lookup("script style title base link meta template noscript")
# What is inside these is not laid out as boxes of the page.
_IS_WHOLE = lookup("svg math object canvas select noscript template iframe textarea video audio map datalist")
# The context above, tag, names, attributes that change its looks, tests of attributes that hold.
Signature = tuple[int, str, tuple[str, ...], Looks, tuple[int, ...]]


def computed_style(
    page: Page,
    sheets: SheetSource = NO_SHEETS,
    *,
    screen: Screen = DEFAULT_SCREEN,
    cache: SheetCache = DEFAULT_CACHE,
) -> Styles:
    """The computed style of every node of a page.

    >>> from parcels.page import read_page
    >>> page = read_page("<style>p { color: #f00 } .x { display: none }</style><p>Seen<p class=x>Not")
    >>> [int(code) for code in computed_style(page).display[page.leaves.node]]
    [2, 0]
    """
    is_quirky = is_in_quirks_mode(page)
    found = sheets_of(page, sheets, screen=screen, is_quirky=is_quirky, cache=cache)
    return _Cascade(page, found, screen, is_quirky).result()


class _Cascade:
    def __init__(self, page: Page, found: Found, screen: Screen, is_quirky: bool):
        self.page, self.found, self.is_quirky = page, found, is_quirky
        self.tree = Tree(page, is_quirky=is_quirky)
        self.computer = Computer(screen)
        self.context = Contexts()
        self.plain: dict[str, list[Active]] = {}
        self.positional: dict[str, list[Active]] = {}
        self.active: list[Active] = []  # all of them, by priority
        self.relevant: set[str] = set()  # names that some rule looks for on the element it matches
        self.relevant_above: set[str] = set()  # and on others
        self.tests: dict[str, list[tuple[int, Attribute | Fact]]] = {}  # what rules ask, by the attribute's name
        self.facts: dict[str, list[tuple[int, Fact]]] = {}  # those of them that ask for more than a value
        self.answered: dict[tuple[str, str], list[int]] = {}  # by an attribute's name and value
        self.tests_above: set[int] = set()  # those that are asked of others than the element that matches
        self.attribute_keys: list[tuple[str, str]] = []
        self.styles: dict[tuple[object, ...], int] = {}
        self.defaults: dict[str, Values] = {}  # by tag
        self.defaults_in_list: dict[str, Values] = {}  # the same, inside a list
        self.dotted: dict[tuple[str, ...], list[str]] = {}  # classes of an element as names, by the classes
        self.has_layers = False
        self.link_colour = ""

    def result(self) -> Styles:
        self.activate(self.read_elements())
        return styles_of(self.computer, self.style_nodes(), self.found.coverage)

    def read_elements(self) -> set[str]:
        """Tags, ids, classes and attributes of the nodes; returns the names that occur."""
        tree, nodes, is_quirky = self.tree, self.page.nodes, self.is_quirky
        names = set(tree.tag)
        is_inside = _IS_WHOLE[nodes.tag[nodes.parent]]
        is_inside[0] = False
        if "details" in names:
            self.fold_details(is_inside)
        tree.is_inside = is_inside.tolist()
        attributes = tree.attributes = [given if type(given) is dict else dict(given) for given in nodes.attributes]
        for row in (is_inside | _IS_NEVER_SHOWN[nodes.tag]).nonzero()[0].tolist():
            attributes[row] = _NOTHING
        idents, classes = tree.ident, tree.classes
        split: dict[str, tuple[str, ...]] = {}
        dotted = self.dotted
        for row, given in enumerate(attributes):
            if not given:
                continue
            style, ident, text = given.get("style"), given.get("id"), given.get("class")
            if style is not None and "inherit" in style:
                self.context.note_inherited(attribute_block(style, is_quirky))
            if ident:
                idents[row] = ident.lower() if is_quirky else ident
                names.add("#" + idents[row])
            if text:
                found = split.get(text)
                if found is None:
                    found = split[text] = tuple((text.lower() if is_quirky else text).split())
                    if found not in dotted:
                        dotted[found] = own = ["." + name for name in found]
                        for name in own:
                            names.add(name)
                classes[row] = found
        names |= {"*", ROOT}
        return names

    def fold_details(self, is_inside: Bools) -> None:
        """Closed `details` show their summary only."""
        tree, attributes = self.tree, self.page.nodes.attributes
        for row, parent in enumerate(tree.parent):
            if parent >= 0 and tree.tag[parent] == "details" and tree.tag[row] != "summary":
                is_inside[row] = "open" not in attributes[parent]

    def activate(self, seen: set[str]) -> None:
        """The selectors that can match something on this page, by name."""
        ranks = self.layer_ranks()
        asked: set[Attribute | Fact] = set()
        asked_above: set[Attribute | Fact] = set()
        names = Names(seen)
        for sheet, layer in self.found.sheets:
            for name, selector, rule in sheet.selectors(names):
                own = f"{layer}.{rule.layer}".strip(".") if layer else rule.layer
                rank = ranks.get(own, UNLAYERED) if own else UNLAYERED
                group = self.positional if selector.is_positional else self.plain
                needs = selector.own if len(selector.own) > 1 or name not in selector.own else None
                active = Active(selector, needs, rule, rank)
                self.active.append(active)
                if name in group:
                    group[name].append(active)
                else:
                    group[name] = [active]
                self.relevant |= selector.names
                self.relevant_above |= selector.context
                if selector.attributes:
                    asked |= selector.attributes
                    if len(selector.compounds) > 1:
                        asked_above |= selector.attributes
                if selector.has_nameless:
                    self.context.counts_levels = True
                if "inherit" in rule.text:
                    self.context.note_inherited(rule.read())
        self.active.sort(
            key=by_specificity
        )  # of those that are alike the later one counts: no sort changes their order
        if self.has_layers:
            self.active.sort(key=by_layer)
        for number, active in enumerate(self.active):
            active.number = number
        for place, test in enumerate(asked):
            for name in test.attribute_names():
                self.tests.setdefault(name, []).append((place, test))
                if isinstance(test, Fact):
                    self.facts.setdefault(name, []).append((place, test))
            if test in asked_above:
                self.tests_above |= {place, -1 - place}
        self.attribute_keys = [
            (name, "[" + name) for name in self.tests if "[" + name in self.plain or "[" + name in self.positional
        ]

    def layer_ranks(self) -> dict[str, int]:
        names = dict.fromkeys(
            f"{layer}.{name}".strip(".")
            for sheet, layer in self.found.sheets
            for name in ([layer] if layer else []) + list(sheet.layers)
        )
        self.has_layers = bool(names)
        return {name: rank for rank, name in enumerate(names)}

    def style_nodes(self) -> list[int]:
        """The number of each node's style."""
        tree, is_hidden, is_inside = self.tree, self.context.is_hidden, self.tree.is_inside
        positional, tests = self.positional, self.tests
        relevant = self.relevant | self.relevant_above
        known: dict[Signature, Look] = {}
        relevant_classes: dict[tuple[str, ...], tuple[str, ...]] = {}
        hidden: dict[int, tuple[int, int]] = {}  # by the context above
        contexts: list[int] = []
        styles: list[int] = []
        parents, tags, attributes = tree.parent, tree.tag, tree.attributes
        for row in range(len(parents)):
            parent, tag, given = parents[row], tags[row], attributes[row]
            above = contexts[parent] if row else -1
            if row and is_hidden[above]:
                contexts.append(above)
                styles.append(styles[parent])
                continue
            if is_inside[row]:
                if above not in hidden:
                    hidden[above] = self.add_hidden(above)
                contexts.append(hidden[above][0])
                styles.append(hidden[above][1])
                continue
            names: tuple[str, ...] = ()
            looks: Looks = ()
            answers: tuple[int, ...] = ()
            if given:
                classes, ident = tree.classes[row], tree.ident[row]
                if classes:
                    found = relevant_classes.get(classes)
                    if found is None:
                        found = tuple([name for name in self.dotted[classes] if name in relevant])
                        relevant_classes[classes] = found
                    names = found
                if ident and "#" + ident in relevant:
                    names = (*names, "#" + ident)
                interesting = INTERESTING.get(tag, ALWAYS_INTERESTING)
                for name in given:
                    if name in interesting:
                        looks = tuple([pair for pair in given.items() if pair[0] in interesting])
                        break
                if tag == "a" and "href" in given:
                    looks += (("href", self.link_colour),)
                if tests:
                    for name in given:
                        if name in tests:
                            answers = self.answers(row, given)
                            break
            signature = (above, tag, names, looks, answers)
            look = known.get(signature)
            if look is None:
                look = known[signature] = Look(
                    self.candidates(positional, row, tag, names, above) if positional else []
                )
            if look.candidates:
                extra = tuple([active.number for active in look.candidates if tree.matches(active.selector, row)])
                result = look.made.get(extra)
                if result is None:
                    result = look.made[extra] = self.add(row, signature, extra)
            elif look.plain is None:
                result = look.plain = self.add(row, signature, ())
            else:
                result = look.plain
            contexts.append(result[0])
            styles.append(result[1])
        return styles

    def answers(self, row: int, given: Mapping[str, str]) -> tuple[int, ...]:
        """The tests of attributes that hold for a node; those that its attributes make false as negative numbers."""
        found: list[int] = []
        for name, value in given.items():
            tests = self.tests.get(name)
            if tests is None:
                continue
            known = self.answered.get((name, value))  # what an attribute's value alone decides
            if known is None:
                known = self.answered[name, value] = [
                    place for place, test in tests if isinstance(test, Attribute) and self.tree.has(test, row)
                ]
            found += known
            for place, test in self.facts.get(name, ()):
                found.append(place if self.tree.is_fact(test, row) else -1 - place)
        return tuple(found)

    def add(self, row: int, signature: Signature, extra: tuple[int, ...]) -> tuple[int, int]:
        """A node that looks like none before: match it, compute its style; returns its context and its style."""
        above, tag, names, looks, answers = signature
        context, tree = self.context, self.tree
        given = tree.attributes[row]
        style_above = context.style[above] if above >= 0 else -1
        heritage = context.heritage[above] if above >= 0 else -1
        cell = context.cell[above] if above >= 0 else None
        in_list = above >= 0 and context.in_list[above]
        if tag == "table":
            cell = (given.get("border"), given.get("cellpadding"))
        elif tag == "body":
            self.link_colour = given.get("link") or ""
        is_hidden = "hidden" in given or (tag == "head" and self.is_bare(row))
        matched = list(extra)
        for active in self.candidates(self.plain, row, tag, names, above):
            if active.selector.is_names_only or tree.matches(active.selector, row):
                matched.append(active.number)
        if len(matched) > 1:
            matched.sort()
            del matched[:-MAX_MATCHED]
        rules: list[Rule] = []
        for at in matched:
            active = self.active[at]
            rules.append(active.rule)
        key = (heritage, tag, tuple(rules), looks, is_hidden, in_list, cell)
        number = self.styles.get(key)
        if number is None:
            by_default = self.default(tag, in_list)
            layers = [by_default]
            if is_hidden or tag == "head":
                layers.append(_HIDDEN if is_hidden else _SHOWN)
            asks = tuple([pair for pair in looks if pair[0] != "style"]) if looks else ()
            if asks or tag in ALWAYS_HINTED or (cell is not None and tag in CELLS):
                layers.append(hints(tag, asks, cell))
            self.cascade(layers, rules, matched, given.get("style"))
            number = self.styles[key] = self.computer.add(style_above, layers, by_default)
        own = [name for name in names if name in self.relevant_above]
        if tag in self.relevant_above:
            own.append(tag)
        if answers:
            answers = tuple([test for test in answers if test in self.tests_above])
        seen = frozenset(own) if own else _NO_NAMES
        in_list = in_list or tag in LISTS
        bits = bits_of(own) if own else 0
        return context.add(above, number, self.computer, seen, bits, answers, cell, in_list), number

    def default(self, tag: str, in_list: bool) -> Values:
        """What a browser's own sheet says of a tag."""
        known = self.defaults_in_list if in_list else self.defaults
        values = known.get(tag)
        if values is None:
            values = known[tag] = user_agent(tag, is_quirky=self.is_quirky, is_nested=in_list)
        return values

    def add_hidden(self, above: int) -> tuple[int, int]:
        """What no rule can show; returns its context and its style."""
        number = self.computer.add(self.context.style[above], [_HIDDEN], {})
        cell, in_list = self.context.cell[above], self.context.in_list[above]
        return self.context.add(above, number, self.computer, _NO_NAMES, 0, (), cell, in_list), number

    def is_bare(self, row: int) -> bool:
        """True where no leaf is below the node: a head, unless the parser hung the page below it."""
        nodes = self.page.nodes
        return bool(nodes.first_leaf[row] == nodes.end_leaf[row])

    def candidates(
        self, active: dict[str, list[Active]], row: int, tag: str, names: tuple[str, ...], above: int
    ) -> list[Active]:
        """The selectors whose names are on the node and above it."""
        keys: list[str] = []
        if "*" in active:
            keys.append("*")
        if tag in active:
            keys.append(tag)
        for name in names:
            if name in active:
                keys.append(name)
        if not row and ROOT in active:
            keys.append(ROOT)
        if self.attribute_keys:
            given = self.tree.attributes[row]
            if given:
                keys += [key for name, key in self.attribute_keys if name in given and key in active]
        found: list[Active] = []
        if not keys:
            return found
        names_above = self.context.names[above] if above >= 0 else _NO_NAMES
        bits_above = self.context.bits[above] if above >= 0 else 0
        own: set[str] | None = None
        for key in keys:
            for one in active[key]:
                if one.above_bits & bits_above != one.above_bits:
                    continue
                if one.own is not None:
                    if own is None:
                        own = {tag, *names}
                    if not one.own <= own:
                        continue
                if one.above is None or one.above <= names_above:
                    found.append(one)
        return found

    def cascade(self, layers: list[Values], rules: list[Rule], matched: list[int], style: str | None) -> None:
        """Add what the sheets and the style attribute say, in order, then what of it is important."""
        has_important = False
        for rule in rules:
            block = rule.read()
            layers.append(block.normal)
            has_important = has_important or bool(block.important)
        inline = attribute_block(style, self.is_quirky) if style else None
        if inline is not None:
            layers.append(inline.normal)
        if has_important:
            if self.has_layers:  # important rules of earlier layers beat those of later ones
                found = [self.active[number] for number in matched]
                rules = [active.rule for active in sorted(found, key=by_layer, reverse=True)]
            for rule in rules:
                layers.append(rule.read().important)
        if inline is not None:
            layers.append(inline.important)
