"""Areas: the paper's heuristics on hand-made boxes, the default recogniser on hand-made and example pages."""

from itertools import pairwise
from urllib.parse import urlsplit

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parcels import example_web
from parcels.errors import ConfigError
from parcels.example_web.web import site
from parcels.html.page import Page, read_page
from parcels.layout.areas import AreaMap, names, notices, part_table, recognise
from parcels.layout.areas.kovacevic import recognise as kovacevic
from parcels.layout.boxes import AREAS, Layout
from parcels.layout.render import LaidOut, lay_out
from parcels.layout.result import xpaths

NOTICES = [
    "©",
    "(C)",
    "Copyright",
    "all ",
    "rights",
    "Contact",
    "coo",
    "kie",
    "site",
    " map",
    "imp",
    "ressum",
    "x",
    "\u0130",
]
SENTENCE = "The pier was closed for a week while divers looked at the timber below the water line. "


def layout_by_id(page: Page, boxes: dict[str, tuple[float, float, float, float]], height: float) -> Layout:
    """A layout where every element with an id has its box, what is inside takes it over, and so do leaves."""
    nodes = np.full((len(page.nodes), 4), np.nan, np.float32)
    for row, element in enumerate(page.nodes.elements):
        above = int(page.nodes.parent[row])
        nodes[row] = boxes.get(element.get("id") or "", nodes[above] if above >= 0 else (0, 0, 1000, height))
    return Layout(1000.0, height, nodes, nodes[page.leaves.node], (None,) * len(page.leaves), "virtual")


def area_of(page: Page, areas: AreaMap, text: str) -> str:
    return areas.of_leaf(next(n for n, found in enumerate(page.leaves.text) if text in found))


def sheets_of(host: str) -> dict[str, bytes]:
    found = site(host)
    return {
        host + path: found.answer(f"http://{host}{path}", {}).body for path in found.routes if path.endswith(".css")
    }


def example(url: str) -> LaidOut:
    answer = example_web.fetch(url)
    page = read_page(answer.body, url, content_type=answer.headers["Content-Type"])
    return lay_out(page, css=sheets_of(urlsplit(url).hostname or ""))


TABLES = """<table id=top><tr><td>Logo</table>
<table id=whole><tr><td id=menu>Menu<td id=text>Story<td id=ads>Links</table>
<table id=end><tr><td>Imprint</table>"""
BOXES = {
    "top": (0, 0, 1000, 100),
    "whole": (0, 100, 1000, 1850),
    "menu": (0, 100, 200, 1850),
    "text": (200, 100, 600, 1850),
    "ads": (800, 100, 200, 1850),
    "end": (0, 1950, 1000, 50),
}


def test_the_papers_heuristics_find_all_five_areas_of_a_page_of_tables():
    page = read_page(TABLES)
    areas = recognise(page, layout_by_id(page, BOXES, 2000), recogniser="kovacevic")
    assert [areas.of_leaf(n) for n in range(5)] == ["header", "left", "centre", "right", "footer"]


def test_a_cell_at_the_side_is_a_menu_only_in_a_table_from_header_to_footer():
    page = read_page(TABLES)
    low = {**BOXES, "whole": (0, 300, 1000, 600), "menu": (0, 300, 200, 600)}
    assert area_of(page, kovacevic(page, layout_by_id(page, low, 2000)), "Menu") == "centre"


def test_the_papers_margins_are_settings():
    page = read_page(TABLES)
    layout = layout_by_id(page, BOXES, 2000)
    assert area_of(page, kovacevic(page, layout, header_px=50), "Logo") == "centre"
    assert area_of(page, kovacevic(page, layout, left_share=0.1), "Menu") == "centre"
    assert area_of(page, kovacevic(page, layout, footer_px=40), "Imprint") == "centre"


def test_what_follows_a_rule_near_the_bottom_is_footer_by_the_papers_fourth_heuristic():
    page = read_page("<p id=text>Story</p><hr id=rule><p id=below>Imprint</p>")
    boxes = {"text": (0, 0, 1000, 900), "rule": (0, 900, 1000, 2), "below": (0, 910, 1000, 20)}
    areas = kovacevic(page, layout_by_id(page, boxes, 1000))
    assert [areas.of_leaf(n) for n in range(2)] == ["centre", "footer"]


DIVS = f"""<div id=masthead><a href=/>The Post</a></div><div id=nav><a href=/a>World</a> <a href=/b>Sport</a></div>
<div id=sidebar><ul>{"".join(f"<li><a href=/{n}>Section {n}</a>" for n in range(12))}</ul></div>
<div id=main><h1>Pier closed</h1>{f"<p>{SENTENCE * 3}</p>" * 8}</div>
<div id=footer><a href=/privacy>Privacy</a> Copyright The Post</div>"""
STYLE = """<style>#sidebar {{ float: {side}; width: 200px }} #main {{ margin-{side}: 230px }}
#footer {{ clear: both }}</style>"""


@pytest.mark.parametrize("side", ["left", "right"])
def test_divs_with_a_float_beside_the_text_give_header_side_centre_and_footer(side: str):
    laid = lay_out(read_page(STYLE.format(side=side) + DIVS))
    found = {text: area_of(laid.page, laid.areas, text) for text in ("The Post", "Section 7", "Pier closed", "Privacy")}
    assert found == {"The Post": "header", "Section 7": side, "Pier closed": "centre", "Privacy": "footer"}


def test_a_header_inside_an_article_is_not_the_pages_header():
    page = f"<header><a href=/>The Post</a></header><article><header><h1>Pier closed</h1></header>{DIVS}</article>"
    laid = lay_out(read_page(page))
    assert area_of(laid.page, laid.areas, "Pier closed") == "centre"


def test_an_ad_on_top_is_not_called_header_because_it_is_called_banner():
    from parcels.layout.areas.names import BIT, own_flags

    nodes = read_page("<div class='banner ad-728x90'>Buy</div><div class=banner>The Post</div>").nodes
    rows = [row for row, tag in enumerate(nodes.tags) if tag == "div"]
    flags = [own_flags(nodes.attributes[row], int(nodes.tag[row])) for row in rows]
    assert [bool(one & BIT["header_name"]) for one in flags] == [False, True]


def test_columns_of_a_grid_are_no_sides():
    card = f"<div class=card><h3><a href=/x>Pier closed</a></h3><p>{SENTENCE}</p></div>"
    css = "<style>.card { float: left; width: 300px; margin-right: 20px }</style>"
    laid = lay_out(read_page(f"{css}<div id=masthead><a href=/>The Post</a></div>{card * 9}"))
    assert {"left", "right"}.isdisjoint(laid.areas.of_leaf(n) for n in range(len(laid.page.leaves)))


def columns_by_id(html: str, boxes: dict[str, tuple[float, float, float, float]]) -> dict[str, dict[str, float]]:
    """The evidence of each candidate for a side column, by the id of its element."""
    from parcels.layout.areas.column_evidence import COLUMN_NAMES
    from parcels.layout.areas.evidence import evidence_of

    page = read_page(html)
    geometry, _, columns = evidence_of(page, layout_by_id(page, boxes, 1000))
    ids = [page.nodes.elements[int(geometry.parts.row[part])].get("id") for part in columns.part]
    return {
        str(id_): dict(zip(COLUMN_NAMES, row.tolist(), strict=True))
        for id_, row in zip(ids, columns.evidence, strict=True)
    }


def test_a_column_of_a_grid_has_an_equal_sibling_and_a_column_beside_a_text_of_two_columns_has_a_wide_one():
    links = "<i>one</i><i>two</i>"
    grid = f"<div id=a>{links}</div><div id=b>{links}</div><div id=c>{links}</div>"
    thirds = {"a": (0, 0, 300, 500), "b": (350, 0, 300, 500), "c": (700, 0, 300, 500)}
    found = columns_by_id(grid, thirds)
    assert {name: row["sibling_equal"] for name, row in found.items()} == {"a": 1.0, "c": 1.0}
    text = f"<main><div id=a>{links}</div><div id=b>{links}</div></main><div id=c>{links}</div>"
    row = columns_by_id(text, thirds)["c"]
    assert row["sibling_equal"] == 0.0
    assert row["sibling_wide"] == pytest.approx(650 / 300 / 3)


def test_pieces_of_a_column_that_stand_close_and_in_line_are_one_run():
    piece = "<div id={}><i>one</i><i>two</i></div>"
    html = "".join(map(piece.format, ("text", "near", "next", "far", "across")))
    boxes = {
        "text": (0, 0, 600, 1000),
        "near": (750, 0, 200, 150),
        "next": (750, 200, 250, 200),
        "far": (750, 600, 250, 100),
        "across": (0, 900, 200, 100),
    }
    found = columns_by_id(html, boxes)
    assert {name: row["run_high"] for name, row in found.items()} == pytest.approx(
        {"near": 0.4, "next": 0.4, "far": 0.1, "across": 0.1}
    )


def test_a_high_footer_is_near_the_bottom_as_a_whole_because_it_ends_there():
    from parcels.layout.areas.evidence import evidence_of
    from parcels.layout.areas.leaf_evidence import LEAF_NAMES

    links = "".join(f"<li><a href=/{n}>Place {n}</a>" for n in range(60))
    page = read_page(f"{f'<p>{SENTENCE}</p>' * 60}<div class=footer><ul>{links}</ul>© The Post</div>")
    _, leaves, _ = evidence_of(page, lay_out(page).layout)
    ends_low = leaves[:, LEAF_NAMES.index("footer_ends_low")].tolist()
    assert ends_low == [*[0.0] * 60, *[1.0] * 61]


def test_a_lone_caption_that_ends_a_page_is_no_footer_unless_it_names_rights():
    for last, area in (("The author at home", "centre"), ("© The author", "footer")):
        page = f"<h1>Novels</h1>{'<p><img src=a.png width=300 height=200>' * 3}<p>{last}"
        laid = lay_out(read_page(page))
        assert area_of(laid.page, laid.areas, last) == area


def test_a_part_is_the_outermost_of_the_elements_around_the_same_leaves():
    from parcels.layout.areas.geometry import parts_of

    page = read_page("<div id=a><div id=b><p>one</p><p><b>two</b></p></div></div>")
    parts = parts_of(page)
    assert [page.nodes.tags[row] for row in parts.row.tolist()] == ["html", "p", "p"]
    assert parts.parent.tolist() == [-1, 0, 0]
    assert parts.last.tolist() == [2, 1, 2]
    assert parts.of_leaf.tolist() == [1, 2]


def test_the_cut_takes_a_whole_part_where_its_leaves_together_say_so():
    from parcels.layout.areas.partition import partition

    parts = part_table.PartTable(read_page("<div><p>one</p><p>two</p></div><div>three</div>"))
    against = np.full((3, 5), -6.0)
    against[:, AREAS.index("centre")] = 0.0
    against[:, AREAS.index("header")] = [2.0, -0.2, -3.0]
    regions, loose = partition(parts, against, price=0.5)
    assert (regions, loose) == ([(2, 0)], [])  # the first leaf alone: the second would cost more than it saves
    against[1, 0] = 0.1
    assert partition(parts, against, price=0.5)[0] == [(1, 0)]


def test_a_leaf_far_from_the_header_joins_it_only_with_more_evidence_than_a_header_of_its_own_needs():
    from parcels.layout.areas.partition import partition

    parts = part_table.PartTable(read_page("<div><p>one</p><p>two</p></div><div><p>three</p><p>four</p></div>"))
    gains = np.full((4, 5), -6.0)
    gains[:, AREAS.index("centre")] = 0.0
    gains[:, AREAS.index("header")] = [3.0, 2.0, -6.0, 2.0]
    assert partition(parts, gains, price=1.0) == ([(1, 0), (6, 0)], [])
    assert partition(parts, gains, price=1.0, min_gain=3.0) == ([(1, 0)], [])
    gains[:2, AREAS.index("header")] = -6.0  # now it is the only one
    assert partition(parts, gains, price=1.0, min_gain=3.0) == ([(6, 0)], [])


def test_gains_and_areas_by_given_weights_are_those_of_the_recogniser():
    from parcels.layout.areas import evidence

    laid = example(example_web.article_urls(example_web.hosts()[0])[0])
    geometry, leaves, columns = evidence.evidence_of(laid.page, laid.layout)
    weights = evidence._LEAF_WEIGHTS, evidence._COLUMN_WEIGHTS
    gains = evidence.gains_of(leaves @ weights[0], columns.evidence @ weights[1], columns)
    assert evidence.area_map_of(geometry, gains).nodes.tolist() == laid.areas.nodes.tolist()


def test_a_layout_of_another_page_is_refused():
    layout = lay_out(read_page("<p>One")).layout
    with pytest.raises(ValueError, match="a layout of 1 leaves for a page of 2"):
        recognise(read_page("<p>One<p>Two"), layout)


@given(st.lists(st.lists(st.sampled_from(NOTICES), max_size=6).map("".join), max_size=3))
def test_notices_are_the_texts_that_hold_one_of_the_words(texts: list[str]):
    rights, legal = [], []
    for text in texts:
        small = text.lower() if len(text) <= 40 else ""
        rights.append(int("©" in small or any(word in small for word in notices._RIGHTS.split("|"))))
        legal.append(int(rights[-1] or any(word in small for word in notices._LEGAL.split("|"))))
    assert notices.find_notices(texts, 40) == (rights, legal)


def test_a_letter_that_grows_in_lower_case_moves_no_notice_to_another_leaf():
    texts = ["\u0130" * 20, "Sport", "Privacy", "World"]
    assert notices.find_notices(texts, 300) == ([0, 0, 0, 0], [0, 0, 1, 0])


def test_every_page_has_a_centre():
    laid = lay_out(read_page("<p>Only this"))
    assert laid.areas.of_leaf(0) == "centre"


def test_a_page_without_leaves_is_all_centre():
    page = read_page("<p>x</p>")
    layout = lay_out(page).layout
    bare = read_page("<div><br></div><p>.")
    assert set(recognise(page, layout).nodes.tolist()) == {AREAS.index("centre")}
    assert len(lay_out(bare).areas.leaves) == 1


def test_a_leaf_without_a_box_has_the_area_of_its_part():
    css = "<style>#nav ul { display: none }</style>"
    page = css + DIVS.replace("World</a>", "World</a><ul><li><a href=/c>Hidden item</a></ul>")
    laid = lay_out(read_page(page))
    assert area_of(laid.page, laid.areas, "Hidden item") == area_of(laid.page, laid.areas, "World")


def test_the_courier_has_a_left_menu_and_a_right_column():
    laid = example(example_web.article_urls("www.harbourcourier.example")[0])
    found = set(map(laid.areas.of_leaf, range(len(laid.page.leaves))))
    assert found == set(AREAS)
    assert area_of(laid.page, laid.areas, "Archive") == "left"


def test_lumen_has_header_aside_and_footer_around_its_story():
    url = example_web.article_urls("lumen.example")[0]
    laid = example(url)
    assert area_of(laid.page, laid.areas, "Most read") == "right"
    paragraphs = example_web.truth(url).paragraphs
    in_story = [n for n, text in enumerate(laid.page.leaves.text) if text in paragraphs]
    assert in_story
    assert {laid.areas.of_leaf(n) for n in in_story} == {"centre"}
    for row, element in enumerate(laid.page.nodes.elements):
        if element.tag == "footer" and laid.page.nodes.depth[row] <= 3:
            assert laid.areas.of_node(row) == "footer"


def test_every_story_of_the_example_web_keeps_its_text_in_the_centre():
    for host in example_web.hosts()[:3]:
        url = example_web.article_urls(host)[3]
        laid = example(url)
        paragraphs = set(example_web.truth(url).paragraphs)
        areas = [laid.areas.of_leaf(n) for n, text in enumerate(laid.page.leaves.text) if text in paragraphs]
        assert areas
        assert set(areas) == {"centre"}


def test_an_unknown_recogniser_or_renderer_is_named_with_the_known_ones():
    page = read_page("<p>x")
    with pytest.raises(ConfigError, match="evidence, kovacevic"):
        lay_out(page, recogniser="vips")
    with pytest.raises(ConfigError, match="virtual, chromium"):
        lay_out(page, renderer="gecko")


def test_paths_number_only_siblings_of_the_same_tag():
    page = read_page("<div><p>a<p>b<ul><li>c</ul></div><div>d</div>")
    assert xpaths(page)[2:] == [
        "/html/body/div[1]",
        "/html/body/div[1]/p[1]",
        "/html/body/div[1]/p[2]",
        "/html/body/div[1]/ul",
        "/html/body/div[1]/ul/li",
        "/html/body/div[2]",
    ]


def test_ten_thousand_columns_take_no_longer_than_a_second():
    import time

    cells = "".join(f"<td>{n}" for n in range(100))
    page = read_page(f"<table>{f'<tr>{cells}' * 100}</table>")
    rows = np.arange(len(page.leaves))
    boxes = np.stack([rows % 100 * 10, rows // 100 * 20, rows * 0 + 9, rows * 0 + 18], axis=1).astype(np.float32)
    nodes = np.tile(np.array([0, 0, 1000, 2000], np.float32), (len(page.nodes), 1))
    layout = Layout(1000.0, 2000.0, nodes, boxes, (None,) * len(page.leaves), "virtual")
    started = time.process_time()
    recognise(page, layout)
    assert time.process_time() - started < 1.0


def test_of_the_parts_of_names_none_begins_another():
    parts = sorted(names._BY_PART)
    assert [(one, other) for one, other in pairwise(parts) if other.startswith(one)] == []
