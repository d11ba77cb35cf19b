"""The cascade: match rules to nodes, order the declarations, and compute the style of every node.

Nodes that look alike to all rules of the page share the work: their own names and attributes are the same, as far as
some rule asks for them, and so is the context above them. Rules are matched once for each such look, and looks to which
the same rules apply share a computed style. Only rules that look at siblings are asked node by node.
"""

from array import array

from parcels.css.arrays import styles_of
from parcels.css.columns import COLUMN
from parcels.css.compute import Computer
from parcels.css.contexts import Contexts
from parcels.css.hints import hints
from parcels.css.selectors.active import Active, Look, active_of, by_layer, look_of
from parcels.css.selectors.compound import ROOT, Attribute, Fact
from parcels.css.selectors.kinds import Kind, Kinds, Questions
from parcels.css.selectors.matching import Tree
from parcels.css.selectors.names import Names
from parcels.css.sheets.declarations import attribute_block
from parcels.css.sheets.packed import Packed
from parcels.css.sheets.parser import DEFAULT_CACHE, SheetCache
from parcels.css.sheets.rules import Rule
from parcels.css.sheets.source import Found, SheetSource, sheets_of
from parcels.css.style import Bools, Display, Styles
from parcels.css.values.conditions import DEFAULT_SCREEN, Screen
from parcels.html.page import Page
from parcels.html.parse import is_in_quirks_mode
from parcels.html.tags import lookup
from parcels.maps import IntMap, pair_key

NO_SHEETS = SheetSource()
MAX_MATCHED = 2000  # rules of one element: the ones that count most are kept
_INT_BYTES = array("i").itemsize
UNLAYERED = 1 << 30  # rules outside of all layers beat those inside
_HIDDEN = Packed({COLUMN["display"]: float(Display.NONE)})
_SHOWN = Packed({COLUMN["display"]: float(Display.BLOCK)})
_NO_DEFAULTS = Packed({})
_NOTHING: dict[str, str] = {}
_NO_NAMES: frozenset[str] = frozenset()
_IS_NEVER_SHOWN = lookup("script style title base link meta template noscript")
# What is inside these is not laid out as boxes of the page.
_IS_WHOLE = lookup("svg math object canvas select noscript template iframe textarea video audio map datalist")


def computed_style(
    page: Page,
    sheets: SheetSource = NO_SHEETS,
    *,
    screen: Screen = DEFAULT_SCREEN,
    cache: SheetCache = DEFAULT_CACHE,
) -> Styles:
    """Return the computed style of every node of a page.

    >>> from parcels.html.page import read_page
    >>> page = read_page("<style>p { color: #f00 } .x { display: none }</style><p>Seen<p class=x>Not")
    >>> [int(code) for code in computed_style(page).display[page.leaves.node]]
    [2, 0]
    """
    is_quirky = is_in_quirks_mode(page.root)
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
        self.asked = Questions()
        self.kinds = Kinds(self.tree, self.asked)
        self.plain_keys: list[tuple[str, str]] = []  # attributes, with the keys that stand for them
        self.positional_keys: list[tuple[str, str]] = []
        self.styles: dict[tuple[object, ...], int] = {}
        self.has_layers = False

    def result(self) -> Styles:
        self.activate(self.read_elements())
        return styles_of(self.computer, self.style_nodes(), self.found.coverage)

    def read_elements(self) -> set[str]:
        """Read tags, ids, classes and attributes of the nodes; return the names that occur."""
        tree, nodes, is_quirky = self.tree, self.page.nodes, self.is_quirky
        names = set(tree.tag)
        is_inside = _IS_WHOLE[nodes.tag[nodes.parent]]
        is_inside[0] = False
        if "details" in names:
            self.fold_details(is_inside)
        tree.is_inside = is_inside.tobytes()
        attributes = tree.attributes = [given if type(given) is dict else dict(given) for given in nodes.attributes]
        for row in (is_inside | _IS_NEVER_SHOWN[nodes.tag]).nonzero()[0].tolist():
            attributes[row] = _NOTHING
        idents, hashed, classes, groups, group = tree.ident, tree.hashed, tree.classes, tree.groups, tree.group
        known: dict[str, int] = {}  # groups by the attribute's text
        split: list[tuple[str, ...]] = [()]
        for row, given in enumerate(attributes):
            if not given:
                continue
            for name, text in given.items():
                length = len(name)  # sooner asked than whether it is a word
                if length == 5 and name == "class":
                    if not text:
                        continue
                    found = known.get(text)
                    if found is None:
                        number = known[text] = len(groups)
                        split.append(tuple((text.lower() if is_quirky else text).split()))
                        own = ["." + name for name in split[-1]]
                        groups.append(own)
                        for dotted in own:
                            names.add(dotted)
                    else:
                        number = found
                    group[row] = number
                    classes[row] = split[number]
                elif length == 2 and name == "id":
                    if text:
                        idents[row] = ident = text.lower() if is_quirky else text
                        hashed[row] = ident = "#" + ident
                        names.add(ident)
                elif length == 5 and name == "style" and "inherit" in text:
                    self.context.note_inherited(attribute_block(text, is_quirky))
        names |= {"*", ROOT}
        return names

    def fold_details(self, is_inside: Bools) -> None:
        """Hide the content of closed `details` elements except for their summary."""
        tree, attributes = self.tree, self.page.nodes.attributes
        for row, parent in enumerate(tree.parent):
            if parent >= 0 and tree.tag[parent] == "details" and tree.tag[row] != "summary":
                is_inside[row] = "open" not in attributes[parent]

    def activate(self, seen: set[str]) -> None:
        """Collect the selectors that can match something on this page, by name."""
        ranks, questions = self.layer_ranks(), self.asked
        asked: set[Attribute | Fact] = set()
        asked_above: set[Attribute | Fact] = set()
        names = Names(seen)
        weighed: dict[int, list[Active]] = {}  # by specificity; of those that are alike the later one counts
        for sheet, layer in self.found.sheets:
            for name, selector, rule in sheet.selectors(names):
                own = f"{layer}.{rule.layer}".strip(".") if layer else rule.layer
                rank = ranks.get(own, UNLAYERED) if own else UNLAYERED
                group = self.positional if selector.is_positional else self.plain
                needs = selector.own if len(selector.own) > 1 or name not in selector.own else None
                active = active_of(selector, needs, rule, rank)
                same = weighed.get(selector.specificity)
                if same is None:
                    weighed[selector.specificity] = [active]
                else:
                    same.append(active)
                same = group.get(name)
                if same is None:
                    group[name] = [active]
                else:
                    same.append(active)
                questions.names |= selector.names
                if selector.context:
                    questions.names_above |= selector.context
                if selector.attributes:
                    asked |= selector.attributes
                    if len(selector.compounds) > 1:
                        asked_above |= selector.attributes
                if selector.has_nameless:
                    self.context.counts_levels = True
                if "inherit" in rule.text:
                    self.context.note_inherited(rule.read())
        self.active = [active for weight in sorted(weighed) for active in weighed[weight]]
        if self.has_layers:
            self.active.sort(key=by_layer)
        for number, active in enumerate(self.active):
            active.number = number
        for place, test in enumerate(asked):
            for name in test.attribute_names():
                questions.tests.setdefault(name, []).append((place, test))
                if isinstance(test, Fact):
                    questions.facts.setdefault(name, []).append((place, test))
            if test in asked_above:
                questions.tests_above |= {place, -1 - place}
        keys = [(name, "[" + name) for name in questions.tests]
        self.plain_keys = [pair for pair in keys if pair[1] in self.plain]
        self.positional_keys = [pair for pair in keys if pair[1] in self.positional]

    def layer_ranks(self) -> dict[str, int]:
        names = dict.fromkeys(
            f"{layer}.{name}".strip(".")
            for sheet, layer in self.found.sheets
            for name in ([layer] if layer else []) + list(sheet.layers)
        )
        self.has_layers = bool(names)
        return {name: rank for rank, name in enumerate(names)}

    def style_nodes(self) -> "array[int]":
        """Return the number of each node's style."""
        tree, is_hidden, is_inside, parents = self.tree, self.context.is_hidden, self.tree.is_inside, self.tree.parent
        kinds = self.kinds = Kinds(tree, self.asked)
        positional, known = self.positional, IntMap()  # by the context above and the kind
        looks: list[Look] = []
        hidden: dict[int, Look] = {}  # by the context above
        count = len(parents)
        made = array("i", bytes(_INT_BYTES * count))
        styles, contexts = made, array("i", made)
        for row in range(count):
            above = -1
            if row:
                parent = parents[row]
                above = contexts[parent]
                if is_hidden[above]:
                    contexts[row], styles[row] = above, styles[parent]
                    continue
            if is_inside[row]:
                look = hidden.get(above)
                if look is None:
                    look = hidden[above] = self.add_hidden(above)
                contexts[row], styles[row] = look.context, look.style
                continue
            kind = kinds.of(row)
            number = known.put(pair_key(above, kind.number), len(looks))
            if number == len(looks):
                look = look_of(self.candidates(positional, row, kind, above) if positional else [])
                looks.append(look)
                if not look.candidates:
                    self.add(look, row, kind, above, [])
            else:
                look = looks[number]
            if look.candidates:
                look = self.beside(look, row, kind, above)
            contexts[row], styles[row] = look.context, look.style
        return made

    def beside(self, look: Look, row: int, kind: Kind, above: int) -> Look:
        """Return the style group for a node, by the sibling-dependent rules that match it."""
        extra = [active.number for active in look.candidates if self.tree.matches(active.selector, row)]
        key = tuple(extra)
        made = look.made.get(key)
        if made is None:
            made = look.made[key] = look_of([])
            self.add(made, row, kind, above, extra)
        return made

    def add(self, look: Look, row: int, kind: Kind, above: int, matched: list[int]) -> None:
        """Match a node of a new style group, and compute its style and its context."""
        context, tree, tag, looks = self.context, self.tree, kind.tag, kind.looks
        given = tree.attributes[row]
        style_above = context.style[above] if above >= 0 else -1
        heritage = context.heritage[above] if above >= 0 else -1
        cell = context.cell[above] if above >= 0 else None
        in_list = above >= 0 and context.in_list[above]
        if tag.is_table:
            cell = (given.get("border"), given.get("cellpadding"))
        elif tag.is_body:
            self.kinds.colour_links(given.get("link") or "")
        is_head = tag.is_head
        is_hidden = (len(looks) > 0 and "hidden" in given) or (is_head and self.is_bare(row))
        for active in self.candidates(self.plain, row, kind, above):
            if active.selector.is_names_only or tree.matches(active.selector, row):
                matched.append(active.number)
        if len(matched) > 1:
            matched.sort()
            del matched[:-MAX_MATCHED]
        rules: list[Rule] = []
        for at in matched:
            active = self.active[at]
            rules.append(active.rule)
        key = (heritage, tag.name, tuple(rules), looks, is_hidden, in_list, cell)
        number = self.styles.get(key)
        if number is None:
            by_default = tag.default_in_list if in_list else tag.default
            layers = [by_default]
            if is_hidden or is_head:
                layers.append(_HIDDEN if is_hidden else _SHOWN)
            asks = tuple([pair for pair in looks if pair[0] != "style"]) if looks else ()
            if asks or tag.is_hinted or (cell is not None and tag.is_cell):
                layers.append(hints(tag.name, asks, cell))
            self.cascade(layers, rules, matched, given.get("style") if looks else None)
            number = self.styles[key] = self.computer.add(style_above, layers, by_default)
        look.style = number
        look.context = context.add(
            above, number, self.computer, kind.sight, kind.seen, kind.bits, cell, in_list or tag.is_list
        )

    def add_hidden(self, above: int) -> Look:
        """Return the group of nodes that no rule can show."""
        look, context = look_of([]), self.context
        look.style = self.computer.add(context.style[above], [_HIDDEN], _NO_DEFAULTS)
        look.context = context.add(
            above, look.style, self.computer, 0, _NO_NAMES, 0, context.cell[above], context.in_list[above]
        )
        return look

    def is_bare(self, row: int) -> bool:
        """Return whether no leaf is below the node: a head, unless the parser hung the page below it."""
        nodes = self.page.nodes
        return bool(nodes.first_leaf[row] == nodes.end_leaf[row])

    def candidates(self, active: dict[str, list[Active]], row: int, kind: Kind, above: int) -> list[Active]:
        """Return the selectors whose required names are on the node and its ancestors."""
        groups: list[list[Active]] = []
        for name in ("*", kind.tag.name) if row else ("*", kind.tag.name, ROOT):
            same = active.get(name)
            if same is not None:
                groups.append(same)
        for name in kind.names:
            same = active.get(name)
            if same is not None:
                groups.append(same)
        keys = self.plain_keys if active is self.plain else self.positional_keys
        if keys:
            given = self.tree.attributes[row]
            if given:
                groups += [active[key] for name, key in keys if name in given]
        found: list[Active] = []
        if not groups:
            return found
        names_above = self.context.names[above] if above >= 0 else _NO_NAMES
        bits_above = self.context.bits[above] if above >= 0 else 0
        own, own_bits = kind.own, kind.own_bits
        for same in groups:
            for one in same:
                if one.above_bits & bits_above != one.above_bits or one.own_bits & own_bits != one.own_bits:
                    continue
                if one.own is not None and not one.own <= own:
                    continue
                if one.above is None or one.above <= names_above:
                    found.append(one)
        return found

    def cascade(self, layers: list[Packed], rules: list[Rule], matched: list[int], style: str | None) -> None:
        """Add what the sheets and the style attribute say, in order, then what of it is important."""
        has_important = False
        for rule in rules:
            block = rule.read()
            layers += block.normal
            has_important = has_important or len(block.important) > 0
        inline = attribute_block(style, self.is_quirky) if style else None
        if inline is not None:
            layers += inline.normal
        if has_important:
            if self.has_layers:  # important rules of earlier layers beat those of later ones
                found = [self.active[number] for number in matched]
                rules = [active.rule for active in sorted(found, key=by_layer, reverse=True)]
            for rule in rules:
                layers += rule.read().important
        if inline is not None:
            layers += inline.important
