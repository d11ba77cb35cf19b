"""The cascade: match rules to nodes, order the declarations, and compute the style of every node.

Nodes of one kind below one context form a style group: rules see the same names and attributes on them and on their
ancestors. Rules are matched once per style group, and groups with the same rules share a computed style. Only
sibling-dependent rules are matched node by node.
"""

from array import array

from parcels.css.arrays import styles_of
from parcels.css.columns import COLUMN
from parcels.css.compute import StyleComputer
from parcels.css.contexts import Contexts
from parcels.css.hints import hints
from parcels.css.selectors.active import ActiveSelector, StyleGroup, by_layer, new_active_selector, new_style_group
from parcels.css.selectors.compound import ROOT, AttributeTest, PseudoClassTest
from parcels.css.selectors.kinds import ElementKind, ElementKinds, RuleDependencies
from parcels.css.selectors.matching import SelectorMatcher
from parcels.css.selectors.names import Names
from parcels.css.sheets.declarations import parse_style_attribute
from parcels.css.sheets.packed import PackedValues
from parcels.css.sheets.parser import DEFAULT_CACHE, SheetCache
from parcels.css.sheets.rules import Rule
from parcels.css.sheets.source import PageSheets, SheetSource, sheets_of
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
_HIDDEN = PackedValues({COLUMN["display"]: float(Display.NONE)})
_SHOWN = PackedValues({COLUMN["display"]: float(Display.BLOCK)})
_NO_DEFAULTS = PackedValues({})
_NOTHING: dict[str, str] = {}
_NO_NAMES: frozenset[str] = frozenset()
_IS_NEVER_SHOWN = lookup("script style title base link meta template noscript")
# The content of these generates no boxes.
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
    page_sheets = sheets_of(page, sheets, screen=screen, is_quirky=is_quirky, cache=cache)
    return _Cascade(page, page_sheets, screen, is_quirky).result()


class _Cascade:
    def __init__(self, page: Page, page_sheets: PageSheets, screen: Screen, is_quirky: bool):
        self.page, self.page_sheets, self.is_quirky = page, page_sheets, is_quirky
        self.tree = SelectorMatcher(page, is_quirky=is_quirky)
        self.computer = StyleComputer(screen)
        self.context = Contexts()
        self.plain: dict[str, list[ActiveSelector]] = {}
        self.positional: dict[str, list[ActiveSelector]] = {}
        self.active: list[ActiveSelector] = []  # all of them, by priority
        self.dependencies = RuleDependencies()
        self.kinds = ElementKinds(self.tree, self.dependencies)
        self.plain_keys: list[tuple[str, str]] = []  # attributes with their keys
        self.positional_keys: list[tuple[str, str]] = []
        self.styles: dict[tuple[object, ...], int] = {}
        self.has_layers = False

    def result(self) -> Styles:
        self.activate(self.read_elements())
        return styles_of(self.computer, self.style_nodes(), self.page_sheets.coverage)

    def read_elements(self) -> set[str]:
        """Read tags, ids, classes and attributes of the nodes; return the names that occur."""
        tree, nodes, is_quirky = self.tree, self.page.nodes, self.is_quirky
        names = set(tree.tag)
        is_inside = _IS_WHOLE[nodes.tag[nodes.parent]]
        is_inside[0] = False
        if "details" in names:
            self.fold_details(is_inside)
        tree.is_inside = is_inside.tobytes()
        attributes = tree.attributes = [values if type(values) is dict else dict(values) for values in nodes.attributes]
        for row in (is_inside | _IS_NEVER_SHOWN[nodes.tag]).nonzero()[0].tolist():
            attributes[row] = _NOTHING
        idents, hashed, classes, groups, group = tree.ident, tree.hashed, tree.classes, tree.groups, tree.group
        known: dict[str, int] = {}  # groups by the attribute's text
        split: list[tuple[str, ...]] = [()]
        for row, values in enumerate(attributes):
            if not values:
                continue
            for name, text in values.items():
                length = len(name)  # cheaper than comparing strings
                if length == 5 and name == "class":
                    if not text:
                        continue
                    known_number = known.get(text)
                    if known_number is None:
                        number = known[text] = len(groups)
                        split.append(tuple((text.lower() if is_quirky else text).split()))
                        own = ["." + name for name in split[-1]]
                        groups.append(own)
                        for dotted in own:
                            names.add(dotted)
                    else:
                        number = known_number
                    group[row] = number
                    classes[row] = split[number]
                elif length == 2 and name == "id":
                    if text:
                        idents[row] = ident = text.lower() if is_quirky else text
                        hashed[row] = ident = "#" + ident
                        names.add(ident)
                elif length == 5 and name == "style" and "inherit" in text:
                    self.context.track_inherit(parse_style_attribute(text, is_quirky))
        names |= {"*", ROOT}
        return names

    def fold_details(self, is_inside: Bools) -> None:
        """Hide the content of closed `details` elements except for their summary."""
        tree, attributes = self.tree, self.page.nodes.attributes
        for row, parent in enumerate(tree.parent):
            if parent >= 0 and tree.tag[parent] == "details" and tree.tag[row] != "summary":
                is_inside[row] = "open" not in attributes[parent]

    def activate(self, page_names: set[str]) -> None:
        """Collect the selectors that can match something on this page, by name."""
        ranks, dependencies = self.layer_ranks(), self.dependencies
        attribute_tests: set[AttributeTest | PseudoClassTest] = set()
        ancestor_tests: set[AttributeTest | PseudoClassTest] = set()
        names = Names(page_names)
        by_specificity: dict[int, list[ActiveSelector]] = {}  # the later one wins among equals
        for sheet, layer in self.page_sheets.sheets:
            for name, selector, rule in sheet.selectors(names):
                layer_name = f"{layer}.{rule.layer}".strip(".") if layer else rule.layer
                rank = ranks.get(layer_name, UNLAYERED) if layer_name else UNLAYERED
                group = self.positional if selector.is_positional else self.plain
                needs = selector.own if len(selector.own) > 1 or name not in selector.own else None
                active = new_active_selector(selector, needs, rule, rank)
                same = by_specificity.get(selector.specificity)
                if same is None:
                    by_specificity[selector.specificity] = [active]
                else:
                    same.append(active)
                same = group.get(name)
                if same is None:
                    group[name] = [active]
                else:
                    same.append(active)
                dependencies.names |= selector.names
                if selector.context:
                    dependencies.ancestor_names |= selector.context
                if selector.attributes:
                    attribute_tests |= selector.attributes
                    if len(selector.compounds) > 1:
                        ancestor_tests |= selector.attributes
                if selector.has_nameless:
                    self.context.has_nameless_levels = True
                if "inherit" in rule.text:
                    self.context.track_inherit(rule.read())
        self.active = [active for weight in sorted(by_specificity) for active in by_specificity[weight]]
        if self.has_layers:
            self.active.sort(key=by_layer)
        for number, active in enumerate(self.active):
            active.number = number
        for place, test in enumerate(attribute_tests):
            for name in test.attribute_names():
                dependencies.tests.setdefault(name, []).append((place, test))
                if isinstance(test, PseudoClassTest):
                    dependencies.pseudo_tests.setdefault(name, []).append((place, test))
            if test in ancestor_tests:
                dependencies.ancestor_tests |= {place, -1 - place}
        keys = [(name, "[" + name) for name in dependencies.tests]
        self.plain_keys = [pair for pair in keys if pair[1] in self.plain]
        self.positional_keys = [pair for pair in keys if pair[1] in self.positional]

    def layer_ranks(self) -> dict[str, int]:
        names = dict.fromkeys(
            f"{layer}.{name}".strip(".")
            for sheet, layer in self.page_sheets.sheets
            for name in ([layer] if layer else []) + list(sheet.layers)
        )
        self.has_layers = bool(names)
        return {name: rank for rank, name in enumerate(names)}

    def style_nodes(self) -> "array[int]":
        """Return the number of each node's style."""
        tree, is_hidden, is_inside, parents = self.tree, self.context.is_hidden, self.tree.is_inside, self.tree.parent
        kinds = self.kinds = ElementKinds(tree, self.dependencies)
        positional, group_numbers = self.positional, IntMap()  # by the context above and the kind
        style_groups: list[StyleGroup] = []
        hidden_groups: dict[int, StyleGroup] = {}  # by the context above
        count = len(parents)
        numbers = array("i", bytes(_INT_BYTES * count))
        styles, contexts = numbers, array("i", numbers)
        for row in range(count):
            above = -1
            if row:
                parent = parents[row]
                above = contexts[parent]
                if is_hidden[above]:
                    contexts[row], styles[row] = above, styles[parent]
                    continue
            if is_inside[row]:
                style_group = hidden_groups.get(above)
                if style_group is None:
                    style_group = hidden_groups[above] = self.add_hidden(above)
                contexts[row], styles[row] = style_group.context, style_group.style
                continue
            kind = kinds.of(row)
            number = group_numbers.put(pair_key(above, kind.number), len(style_groups))
            if number == len(style_groups):
                style_group = new_style_group(self.candidates(positional, row, kind, above) if positional else [])
                style_groups.append(style_group)
                if not style_group.candidates:
                    self.add(style_group, row, kind, above, [])
            else:
                style_group = style_groups[number]
            if style_group.candidates:
                style_group = self.variant_for(style_group, row, kind, above)
            contexts[row], styles[row] = style_group.context, style_group.style
        return numbers

    def variant_for(self, style_group: StyleGroup, row: int, kind: ElementKind, above: int) -> StyleGroup:
        """Return the style group for a node, by the sibling-dependent rules that match it."""
        extra = [active.number for active in style_group.candidates if self.tree.matches(active.selector, row)]
        key = tuple(extra)
        variant = style_group.variants.get(key)
        if variant is None:
            variant = style_group.variants[key] = new_style_group([])
            self.add(variant, row, kind, above, extra)
        return variant

    def add(self, style_group: StyleGroup, row: int, kind: ElementKind, above: int, matched: list[int]) -> None:
        """Match a node of a new style group, and compute its style and its context."""
        context, tree, tag, hint_attributes = self.context, self.tree, kind.tag, kind.hint_attributes
        attributes = tree.attributes[row]
        style_above = context.style[above] if above >= 0 else -1
        inherited = context.inherited[above] if above >= 0 else -1
        cell = context.cell[above] if above >= 0 else None
        in_list = above >= 0 and context.in_list[above]
        if tag.is_table:
            cell = (attributes.get("border"), attributes.get("cellpadding"))
        elif tag.is_body:
            self.kinds.colour_links(attributes.get("link") or "")
        is_head = tag.is_head
        is_hidden = (len(hint_attributes) > 0 and "hidden" in attributes) or (is_head and self.is_bare(row))
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
        key = (inherited, tag.name, tuple(rules), hint_attributes, is_hidden, in_list, cell)
        number = self.styles.get(key)
        if number is None:
            ua_values = tag.default_in_list if in_list else tag.default
            layers = [ua_values]
            if is_hidden or is_head:
                layers.append(_HIDDEN if is_hidden else _SHOWN)
            presentational = tuple([pair for pair in hint_attributes if pair[0] != "style"]) if hint_attributes else ()
            if presentational or tag.is_hinted or (cell is not None and tag.is_cell):
                layers.append(hints(tag.name, presentational, cell))
            self.cascade(layers, rules, matched, attributes.get("style") if hint_attributes else None)
            number = self.styles[key] = self.computer.add(style_above, layers, ua_values)
        style_group.style = number
        style_group.context = context.add(
            above,
            number,
            self.computer,
            kind.ancestor_signature,
            kind.ancestor_names,
            kind.ancestor_bits,
            cell,
            in_list or tag.is_list,
        )

    def add_hidden(self, above: int) -> StyleGroup:
        """Return the group of nodes that no rule can show."""
        style_group, context = new_style_group([]), self.context
        style_group.style = self.computer.add(context.style[above], [_HIDDEN], _NO_DEFAULTS)
        style_group.context = context.add(
            above, style_group.style, self.computer, 0, _NO_NAMES, 0, context.cell[above], context.in_list[above]
        )
        return style_group

    def is_bare(self, row: int) -> bool:
        """Return whether no leaf is below the node: a head, unless the parser hung the page below it."""
        nodes = self.page.nodes
        return bool(nodes.first_leaf[row] == nodes.end_leaf[row])

    def candidates(
        self, active: dict[str, list[ActiveSelector]], row: int, kind: ElementKind, above: int
    ) -> list[ActiveSelector]:
        """Return the selectors whose required names are on the node and its ancestors."""
        groups: list[list[ActiveSelector]] = []
        for name in ("*", kind.tag.name) if row else ("*", kind.tag.name, ROOT):
            selectors = active.get(name)
            if selectors is not None:
                groups.append(selectors)
        for name in kind.names:
            selectors = active.get(name)
            if selectors is not None:
                groups.append(selectors)
        keys = self.plain_keys if active is self.plain else self.positional_keys
        if keys:
            attributes = self.tree.attributes[row]
            if attributes:
                groups += [active[key] for name, key in keys if name in attributes]
        matching: list[ActiveSelector] = []
        if not groups:
            return matching
        ancestor_names = self.context.names[above] if above >= 0 else _NO_NAMES
        ancestor_bits = self.context.bits[above] if above >= 0 else 0
        own, own_bits = kind.own, kind.own_bits
        for selectors in groups:
            for selector in selectors:
                if (
                    selector.ancestor_bits & ancestor_bits != selector.ancestor_bits
                    or selector.own_bits & own_bits != selector.own_bits
                ):
                    continue
                if selector.own is not None and not selector.own <= own:
                    continue
                if selector.ancestor_names is None or selector.ancestor_names <= ancestor_names:
                    matching.append(selector)
        return matching

    def cascade(self, layers: list[PackedValues], rules: list[Rule], matched: list[int], style: str | None) -> None:
        """Add what the sheets and the style attribute say, in order, then what of it is important."""
        has_important = False
        for rule in rules:
            block = rule.read()
            layers += block.normal
            has_important = has_important or len(block.important) > 0
        inline = parse_style_attribute(style, self.is_quirky) if style else None
        if inline is not None:
            layers += inline.normal
        if has_important:
            if self.has_layers:  # important rules of earlier layers beat those of later ones
                winners = [self.active[number] for number in matched]
                rules = [active.rule for active in sorted(winners, key=by_layer, reverse=True)]
            for rule in rules:
                layers += rule.read().important
        if inline is not None:
            layers += inline.important
