import math

import numpy as np
import pytest

from parcels.css.cascade import computed_style
from parcels.css.sheets.parser import SheetCache
from parcels.css.style import (
    Align,
    Clear,
    Direction,
    Display,
    Float,
    Placement,
    Position,
    Styles,
    Track,
    Unit,
    WhiteSpace,
)
from parcels.css.values.conditions import Screen
from parcels.html.page import read_page


class StyledPage:
    """The style of the one element with id=x."""

    def __init__(
        self, css: str, body: str = "<div id=x>text</div>", *, doctype: str = "<!doctype html>", **options: object
    ):
        page = read_page(f"{doctype}<html><head><style>{css}</style></head><body>{body}</body></html>")
        self.styles: Styles = computed_style(page, cache=SheetCache(), **options)  # type: ignore[arg-type]
        self.row = next(row for row, element in enumerate(page.nodes.elements) if element.get("id") == "x")

    def __getattr__(self, name: str) -> object:
        value = getattr(self.styles, name)
        return value[self.row] if isinstance(value, np.ndarray) else value

    def px(self, name: str, side: str = "") -> object:
        found = getattr(self.styles, name)
        found = getattr(found, side) if side else found
        unit = Unit(int(found.unit[self.row]))
        number = round(float(found.number[self.row]), 3)
        return number if unit is Unit.PX else f"{number:g}%" if unit is Unit.PERCENT else unit.name.lower()

    def box(self, name: str) -> list[object]:
        return [self.px(name, side) for side in ("top", "right", "bottom", "left")]


def test_the_more_specific_rule_wins_then_the_later_one() -> None:
    assert StyledPage("#x { color: red } div { color: blue } .y { color: lime }").colour == 0xFF0000FF
    assert StyledPage("div { color: red } div { color: blue }").colour == 0x0000FFFF
    assert StyledPage("html body div { color: red } div { color: blue }").colour == 0xFF0000FF


def test_important_beats_specificity_and_style_attributes() -> None:
    assert StyledPage("div { color: red !important } #x { color: blue }").colour == 0xFF0000FF
    body = '<div id=x style="color: blue; width: 5px !important">'
    assert StyledPage("div { color: red ! important; width: 9px !important }", body).colour == 0xFF0000FF
    assert StyledPage("div { width: 9px !important }", body).px("width") == 5
    assert StyledPage("div { color: red }", body).colour == 0x0000FFFF


def test_text_properties_are_inherited_and_boxes_are_not() -> None:
    styled = StyledPage("body { color: red; margin: 7px; font-size: 20px; width: 300px; visibility: hidden }")
    assert styled.colour == 0xFF0000FF
    assert styled.font_size == 20
    assert not styled.is_visible
    assert styled.box("margin") == [0, 0, 0, 0]
    assert styled.px("width") == "auto"


def test_inherit_initial_unset_and_revert_mean_what_they_say() -> None:
    css = "body { margin: 7px; color: red } "
    assert StyledPage(css + "#x { margin: inherit }").box("margin") == [7, 7, 7, 7]
    assert StyledPage(css + "#x { color: initial }").colour == 0x000000FF
    assert StyledPage(css + "#x { color: blue } #x { color: unset }").colour == 0xFF0000FF
    assert StyledPage(css + "#x { display: unset }").display == Display.INLINE
    assert StyledPage(css + "#x { display: inline } #x { display: revert }").display == Display.BLOCK
    assert StyledPage(css + "#x { all: initial }").colour == 0x000000FF


def test_inheriting_a_box_property_distinguishes_parents() -> None:
    body = "<p style='width: 10px'><b>1</b></p><p style='width: 20px'><b id=x>2</b></p>"
    assert StyledPage("b { width: inherit }", body).px("width") == 20


@pytest.mark.parametrize(
    ("css", "name", "expected"),
    [
        ("margin: 1px 2px 3px 4px", "margin", [1, 2, 3, 4]),
        ("margin: 1px 2px 3px", "margin", [1, 2, 3, 2]),
        ("margin: 0 auto", "margin", [0, "auto", 0, "auto"]),
        ("margin: 1em 10%", "margin", [16, "10%", 16, "10%"]),
        ("padding: 2pt", "padding", [2.667] * 4),
        ("padding: -1px", "padding", [0, 0, 0, 0]),
        ("border: 1px solid red", "border", [1, 1, 1, 1]),
        ("border: solid", "border", [3, 3, 3, 3]),
        ("border: 5px none", "border", [0, 0, 0, 0]),
        ("border-left: thick dotted; border-width: 2px", "border", [0, 0, 0, 2]),
        ("border-style: solid; border-width: 1px 2px", "border", [1, 2, 1, 2]),
        ("inset: 1px 2px", "offset", [1, 2, 1, 2]),
        ("margin-inline: 3px; margin-block-start: 4px", "margin", [4, 3, 0, 3]),
        ("top: calc(1px + 2em); left: 50%", "offset", [33, "auto", "auto", "50%"]),
    ],
)
def test_sides_are_set_by_shorthands(css: str, name: str, expected: list[object]) -> None:
    assert StyledPage(f"#x {{ {css} }}").box(name) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("12px", 12),
        ("1.5em", 30),
        ("2rem", 32),
        ("1ex", 10),
        ("2ch", 20),
        ("72pt", 96),
        ("1pc", 16),
        ("1in", 96),
        ("2.54cm", 96),
        ("25.4mm", 96),
        ("10vw", 100),
        ("10vh", 80),
        ("33%", "33%"),
        ("auto", "auto"),
        ("min-content", "min_content"),
        ("0", 0),
        ("+4px", 4),
        (".5px", 0.5),
        ("5", "auto"),
        ("12 px", "auto"),
        ("red", "auto"),
        ("calc(100px - 2em * 2)", 20),
        ("calc((10px + 5px) / 3)", 5),
        ("calc(10% + 20%)", "30%"),
        ("calc(50% - 10px)", "49%"),
        ("min(100px, 50px)", 50),
        ("max(100px, 5em)", 100),
        ("clamp(10px, 5vw, 30px)", 30),
        ("calc(1px / 0)", "auto"),
        ("calc(1px", "auto"),
        ("1e2px", 100),
        ("1e30px", 33554428),
        ("1e400px", 33554428),
        ("-1px", "auto"),
        ("NaNpx", "auto"),
        ("calc(infinity * 1px)", "auto"),
        ("calc(nan * 1px)", "auto"),
    ],
)
def test_a_length_is_px_percent_or_a_keyword(value: str, expected: object) -> None:
    assert StyledPage(f"#x {{ font-size: 20px; width: {value} }}").px("width") == expected


def test_font_sizes_are_relative_to_the_parent() -> None:
    assert StyledPage("body { font-size: 10px } #x { font-size: 150% }").font_size == 15
    assert StyledPage("body { font-size: 10px } #x { font-size: larger }").font_size == 12
    assert StyledPage("html { font-size: 62.5% } #x { font-size: 1.4rem }").font_size == 14
    assert StyledPage("#x { font: italic bold 12px/2 Georgia, serif }").line_height == 24
    styled = StyledPage("#x { font: italic bold 12px/2 'Times  New Roman', serif }")
    assert (styled.is_italic, styled.font_weight, styled.styles.family_names[int(styled.font_family)]) == (
        True,
        700,
        "times new roman",
    )


def test_a_line_height_without_unit_is_inherited_as_a_factor() -> None:
    assert StyledPage("body { font-size: 10px; line-height: 1.5 } #x { font-size: 20px }").line_height == 30
    assert StyledPage("body { font-size: 10px; line-height: 1.5em } #x { font-size: 20px }").line_height == 15


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#123", 0x112233FF),
        ("#1234", 0x11223344),
        ("#12345678", 0x12345678),
        ("rgb(1, 2, 3)", 0x010203FF),
        ("rgba(1, 2, 3, .5)", 0x01020380),
        ("rgb(1 2 3 / 50%)", 0x01020380),
        ("rgb(100%, 0%, 0%)", 0xFF0000FF),
        ("hsl(120, 100%, 25%)", 0x008000FF),
        ("hsla(120deg 100% 25% / 0)", 0x00800000),
        ("RebeccaPurple", 0x663399FF),
        ("transparent", 0),
        ("rgb(300, -5, 1e999)", 0xFF00FFFF),
        ("#12", 0xABCDEFFF),
        ("bright", 0xABCDEFFF),
    ],
)
def test_colours_are_read_in_every_syntax(text: str, expected: int) -> None:
    assert StyledPage(f"#x {{ color: #abcdef; color: {text} }}").colour == expected


def test_currentcolor_is_the_colour_of_the_element() -> None:
    assert StyledPage("#x { color: red; background: currentColor }").background == 0xFF0000FF
    styled = StyledPage("#x { background: url(a.png) no-repeat #fff }")
    assert (styled.background, styled.has_background_image) == (0xFFFFFFFF, True)


def test_keywords_become_codes() -> None:
    styled = StyledPage(
        "#x { display: flex; position: sticky; clear: both; white-space: pre-line; text-align: right;"
        "overflow-x: hidden;"
        "flex-flow: column wrap; justify-content: space-between; align-items: center; align-self: flex-end; order: 2;"
        "gap: 1px 2px; column-count: 3; z-index: 7; box-sizing: border-box; text-transform: uppercase; opacity: .5;"
        "text-decoration: underline dotted; letter-spacing: 1px; text-indent: -999px; visibility: hidden }"
    )
    assert (styled.display, styled.position, styled.clear) == (Display.FLEX, Position.STICKY, Clear.BOTH)
    assert (styled.white_space, styled.text_align, styled.overflow_hidden) == (WhiteSpace.PRE_LINE, Align.END, True)
    assert (styled.direction, styled.is_wrapping) == (Direction.COLUMN, True)
    assert (styled.justify_content, styled.align_items, styled.align_self) == (
        Align.SPACE_BETWEEN,
        Align.CENTRE,
        Align.END,
    )
    assert (styled.order, styled.row_gap, styled.column_gap, styled.column_count, styled.z_index) == (2, 1, 2, 3, 7)
    assert (styled.is_border_box, styled.is_upper_case, styled.opacity, styled.is_underlined) == (True, True, 0.5, True)
    assert (styled.letter_spacing, styled.text_indent, styled.is_visible) == (1, -999, False)
    assert math.isnan(StyledPage("").z_index)  # type: ignore[arg-type]


def test_flex_is_three_values() -> None:
    def flex(value: str) -> tuple[object, ...]:
        styled = StyledPage(f"#x {{ flex: {value} }}")
        return styled.flex_grow, styled.flex_shrink, styled.px("flex_basis")

    assert flex("1") == (1, 1, 0)
    assert flex("none") == (0, 0, "auto")
    assert flex("2 0 30%") == (2, 0, "30%")
    assert flex("auto") == (1, 1, "auto")


def test_grids_have_templates_and_placements() -> None:
    css = "body { display: grid; grid-template: 'a b' 50px 'c c' / 1fr repeat(2, 20%) } #x { grid-area: c }"
    styled = StyledPage(css)
    template = next(iter(styled.styles.templates.values()))
    assert template.columns == (Track(1.0, "fr"), Track(20.0, "percent"), Track(20.0, "percent"))
    assert template.areas == (("a", "b"), ("c", "c"))
    assert styled.styles.placements[styled.row].area == "c"
    assert StyledPage("#x { grid-column: 2 / span 3; grid-row: -1 }").placements[StyledPage("").row] == Placement(
        2, 0, 3, -1, 0, 1
    )
    fill = StyledPage("#x { display: grid; grid-template-columns: repeat(auto-fill, minmax(120px, 1fr)) }")
    assert fill.styles.templates[fill.row].auto_fill_min == 120


def test_floats_and_positioned_boxes_become_blocks() -> None:
    span = "<span id=x>a</span>"
    assert StyledPage("#x { float: left }", span).display == Display.BLOCK
    assert StyledPage("#x { position: absolute; float: left }", span).float_ == Float.NONE
    assert StyledPage("body { display: flex }", span).display == Display.BLOCK
    assert StyledPage("#x { float: left; display: inline-flex }", span).display == Display.FLEX


def test_the_content_of_a_hidden_element_is_hidden() -> None:
    body = "<section hidden><div id=x>a</div></section>"
    assert StyledPage("#x { display: block }", body).display == Display.NONE
    assert StyledPage("section { display: block }", body).display == Display.BLOCK
    assert StyledPage("", "<details><p id=x>a</details>").display == Display.NONE
    assert StyledPage("", "<details open><p id=x>a</details>").display == Display.BLOCK


def test_nodes_inside_and_outside_of_closed_details_differ() -> None:
    page = read_page("<!doctype html><style>p { display: block }</style><div><p>1</p></div><details><p>2</p></details>")
    styles = computed_style(page)
    shown = {
        element.text: int(styles.display[row]) for row, element in enumerate(page.nodes.elements) if element.tag == "p"
    }
    assert shown == {"1": Display.BLOCK, "2": Display.NONE}
    styled = StyledPage("", "<span><a>1</a></span><svg><a id=x>2</a></svg>")
    assert styled.display == Display.NONE


def test_opacity_multiplies_down_the_tree() -> None:
    assert StyledPage("body { opacity: .5 } #x { opacity: 50% }").opacity == 0.25


def test_text_for_screen_readers_only_is_marked() -> None:
    css = "#x { position: absolute; clip: rect(0 0 0 0); width: 1px }"
    assert StyledPage(css).clip_hidden
    assert StyledPage("#x { clip-path: inset(50%) }").clip_hidden
    assert not StyledPage("#x { clip: rect(0 0 0 0) }").clip_hidden


@pytest.mark.parametrize(
    ("query", "holds"),
    [
        ("screen", True),
        ("print", False),
        ("not print", True),
        ("not screen", False),
        ("only screen and (min-width: 600px)", True),
        ("(min-width: 1001px)", False),
        ("(max-width: 62.5em)", True),
        ("(max-width: 62em)", False),
        ("(width >= 1000px)", True),
        ("(400px <= width < 1000px)", False),
        ("print, (min-height: 800px)", True),
        ("(orientation: landscape) and (hover: hover)", True),
        ("(prefers-color-scheme: dark)", False),
        ("(prefers-reduced-motion: reduce)", False),
        ("(min-width: 2000px) or (max-width: 1200px)", True),
        ("not (min-width: 600px)", False),
        ("(min-device-pixel-ratio: 2)", False),
        ("(-webkit-min-device-pixel-ratio: 1.5)", False),
        ("(min-resolution: 192dpi)", False),
        ("(no-such-feature: 1)", False),
        ("(min-aspect-ratio: 1/1)", True),
        ("", True),
    ],
)
def test_media_queries_are_evaluated_for_the_screen(query: str, holds: bool) -> None:
    assert bool(StyledPage(f"@media {query} {{ #x {{ color: red }} }}").colour == 0xFF0000FF) == holds


def test_another_screen_gives_other_answers() -> None:
    css = "@media (max-width: 500px) { #x { color: red } } #x { width: 10vw }"
    styled = StyledPage(css, screen=Screen(400, 700))
    assert (styled.colour, styled.px("width")) == (0xFF0000FF, 40)


def test_supports_layers_and_nesting() -> None:
    assert StyledPage("@supports (display: grid) and (not (-moz-x: y)) { #x { color: red } }").colour == 0xFF0000FF
    assert StyledPage("@supports not (display: grid) { #x { color: red } }").colour == 0x000000FF
    layers = "@layer a, b; @layer b { #x { color: red } } @layer a { div#x { color: blue } }"
    assert StyledPage(layers).colour == 0xFF0000FF
    assert StyledPage(layers + " div { color: lime }").colour == 0x00FF00FF
    assert StyledPage("body { color: red; & #x { color: blue; @media print { color: lime } } }").colour == 0x0000FFFF
    assert StyledPage("div { &:is(#x) { color: blue } width: 3px }").px("width") == 3


def test_keyframes_and_font_faces_style_nothing() -> None:
    css = "@keyframes k { from { color: red } to { color: blue } } @font-face { font-family: a } @page { margin: 1in }"
    assert StyledPage(css + " #x { width: 1px }").px("width") == 1


def test_variables_are_inherited_and_have_fallbacks() -> None:
    assert StyledPage(":root { --c: red } #x { color: var(--c) }").colour == 0xFF0000FF
    assert StyledPage("#x { color: var(--none, blue) }").colour == 0x0000FFFF
    assert StyledPage("body { color: red } #x { color: var(--none) }").colour == 0xFF0000FF
    assert StyledPage(":root { --a: 1px; --b: var(--a) 2px } #x { margin: var(--b) }").box("margin") == [1, 2, 1, 2]
    assert StyledPage(":root { --n: 3 } #x { width: calc(var(--n) * 2px) }").px("width") == 6
    assert StyledPage(":root { --c: red } body { --c: initial } #x { color: var(--c, lime) }").colour == 0x00FF00FF


def test_variables_in_a_cycle_are_nothing() -> None:
    css = "#x { color: red; --a: var(--b); --b: var(--c); --c: var(--a); color: var(--a) }"
    assert StyledPage("body { color: blue } " + css).colour == 0x0000FFFF


def test_variables_that_double_are_bounded() -> None:
    doubling = "".join(f"--v{n + 1}: var(--v{n}) var(--v{n});" for n in range(60))
    assert StyledPage(f"#x {{ --v0: x; {doubling} color: var(--v60, red) }}").colour == 0xFF0000FF


@pytest.mark.parametrize(
    ("body", "check"),
    [
        ("<table id=x width=50% bgcolor=#ff0000>", lambda x: (x.px("width"), x.background) == ("50%", 0xFF0000FF)),
        ("<table id=x cellspacing=5 border=2>", lambda x: (x.border_spacing, x.px("border", "top")) == (5, 2)),
        (
            "<table cellpadding=4 border=3><tr><td id=x>",
            lambda x: x.box("padding") == [4] * 4 and x.px("border", "top") == 1,
        ),
        ("<table><tr><td id=x>", lambda x: x.box("padding") == [1] * 4 and x.vertical_align == Align.CENTRE),
        (
            "<table><tr valign=top><td id=x nowrap>",
            lambda x: (x.vertical_align, x.white_space) == (0, WhiteSpace.NOWRAP),
        ),
        ("<table align=right id=x>", lambda x: x.float_ == Float.RIGHT),
        ("<table align=center id=x>", lambda x: x.px("margin", "left") == "auto"),
        ("<td id=x width=30 height=20 align=center>", lambda x: x.text_align == Align.CENTRE),
        ("<img id=x width=30 height=20 hspace=5 border=1>", lambda x: (x.px("width"), x.px("height")) == (30, 20)),
        (
            "<img id=x hspace=5 vspace=2 border=1>",
            lambda x: x.box("margin") == [2, 5, 2, 5] and x.px("border", "top") == 1,
        ),
        ("<font id=x size=5 color=red face=Arial>", lambda x: (x.font_size, x.colour) == (24, 0xFF0000FF)),
        ("<font id=x size=-1>", lambda x: x.font_size == 13),
        ("<center><p id=x>", lambda x: x.text_align == Align.CENTRE and x.centres_blocks),
        ("<center><table><tr><td id=x>", lambda x: x.text_align == Align.START),
        ("<p id=x align=right>", lambda x: x.text_align == Align.END),
        ("<p dir=rtl id=x>", lambda x: x.text_align == Align.END),
        ("<input id=x size=40>", lambda x: x.px("width") == 287 and x.display == Display.INLINE_BLOCK),
        ("<input id=x type=hidden>", lambda x: x.display == Display.NONE),
        ("<textarea id=x rows=4 cols=30></textarea>", lambda x: (x.px("width"), x.px("height")) == (242, 60)),
        ("<br id=x clear=all>", lambda x: x.clear == Clear.BOTH),
        ("<hr id=x size=5>", lambda x: x.px("height") == 5),
        ("<a id=x href=y>", lambda x: (x.colour, x.is_underlined) == (0x0000EEFF, True)),
        ("<a id=x>", lambda x: (x.colour, x.is_underlined) == (0x000000FF, False)),
    ],
)
def test_attributes_of_the_last_century_still_count(body: str, check: object) -> None:
    assert check(StyledPage("", body))  # type: ignore[operator]


def test_sheets_beat_presentational_attributes() -> None:
    assert StyledPage("img { width: 7px }", "<img id=x width=30>").px("width") == 7


def test_the_body_colours_its_text_and_links() -> None:
    page = read_page("<!doctype html><body text=red link=lime><p>a</p><a href=x>b</a>")
    styles = computed_style(page)
    assert [int(colour) for colour in styles.colour[page.leaves.node]] == [0xFF0000FF, 0x00FF00FF]


@pytest.mark.parametrize(
    ("body", "check"),
    [
        ("<h1 id=x>", lambda x: (x.font_size, x.font_weight, x.px("margin", "top")) == (32, 700, 21.44)),
        ("<p id=x>", lambda x: x.box("margin") == [16, 0, 16, 0]),
        ("<ul id=x>", lambda x: x.px("padding", "left") == 40 and x.px("margin", "top") == 16),
        ("<ul><li><ul id=x>", lambda x: x.px("margin", "top") == 0),
        ("<ul><li id=x>", lambda x: x.display == Display.LIST_ITEM and x.list_marker),
        ("<ul style='list-style: none'><li id=x>", lambda x: not x.list_marker),
        ("<blockquote id=x>", lambda x: x.box("margin") == [16, 40, 16, 40]),
        ("<b><strong id=x>", lambda x: x.font_weight == 900),
        ("<pre id=x>", lambda x: x.white_space == WhiteSpace.PRE and x.font_size == 13),
        ("<table><tr><th id=x>", lambda x: x.font_weight == 700 and x.text_align == Align.CENTRE),
        ("<table id=x>", lambda x: x.display == Display.TABLE and x.border_spacing == 2),
        ("<select id=x><option>a</select>", lambda x: x.display == Display.INLINE_BLOCK),
        ("<script id=x></script>a", lambda x: x.display == Display.NONE),
        ("<noscript id=x>a</noscript>b", lambda x: x.display == Display.NONE),
        ("<custom-element id=x>", lambda x: x.display == Display.INLINE),
        ("<a href=y><span id=x>", lambda x: x.is_underlined),
        ("<a href=y><span id=x style='float: left'>", lambda x: not x.is_underlined),
    ],
)
def test_elements_start_as_browsers_start_them(body: str, check: object) -> None:
    assert check(StyledPage("", body))  # type: ignore[operator]


def test_tables_of_pages_without_a_doctype_start_afresh() -> None:
    body = "<table><tr><td id=x>a"
    assert StyledPage("body { font-size: 30px }", body, doctype="").font_size == 16
    assert StyledPage("body { font-size: 30px }", body).font_size == 30
    assert StyledPage("#x { width: 20 }", body, doctype="").px("width") == 20
    assert StyledPage("#x { width: 20 }", body).px("width") == "auto"


def test_alike_nodes_share_their_work_and_different_ones_do_not() -> None:
    items = "".join(f"<li class=c{n % 3}><a href=#{n}>{n}</a></li>" for n in range(300))
    css = ".c1 a { color: red } li:nth-child(5) a { color: lime }"
    page = read_page(f"<!doctype html><style>{css}</style><ul>{items}</ul>")
    colours = computed_style(page).colour[page.leaves.node]
    assert [hex(int(colour)) for colour in colours[:6]] == [
        "0xeeff",
        "0xff0000ff",
        "0xeeff",
        "0xeeff",
        "0xff00ff",
        "0xeeff",
    ]
    assert (colours[1::3][3:] == 0xFF0000FF).all()
