"""The walk: what is a leaf, where it stands, and the arrays around it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parcels.html.page import read_page


def leaves(html: str) -> list[tuple[str, str]]:
    page = read_page(html)
    return list(zip(page.leaves.kind, page.leaves.text, strict=True))


def test_text_images_media_and_controls_are_leaves_in_document_order():
    html = """<p>One <a href=x>two</a> three<img alt="four"><video title="five"></video><audio title="six"></audio>
    <iframe title="seven">x</iframe><embed title="eight"><input placeholder="nine"><textarea>ten</textarea>
    <select name="eleven"><option>a</select> twelve"""
    assert leaves(html) == [
        ("text", "One"),
        ("text", "two"),
        ("text", "three"),
        ("img", "four"),
        ("video", "five"),
        ("audio", "six"),
        ("iframe", "seven"),
        ("embed", "eight"),
        ("input", "nine"),
        ("textarea", "ten"),
        ("select", "eleven"),
        ("text", "twelve"),
    ]


TAGS = ("script", "style", "noscript", "template", "svg", "math", "object", "datalist", "canvas", "map", "title")


@pytest.mark.parametrize("tag", TAGS)
def test_passed_over_elements_hold_no_leaf(tag):
    assert leaves(f"<body>a<{tag}>hidden<p>hidden</p></{tag}>b</body>")[0] == ("text", "a")
    assert ("text", "b") in leaves(f"<body>a<{tag}>hidden</{tag}>b</body>")
    assert not any("hidden" in text for _, text in leaves(f"<body>a<{tag}>hidden</{tag}>b</body>"))


@pytest.mark.parametrize(
    "attribute",
    [
        "hidden",
        "hidden=until-found",
        'style="display:none"',
        'style="color:red; DISPLAY : none"',
        'style="visibility:hidden"',
    ],
)
def test_inline_hiding_hides_the_whole_part(attribute):
    assert leaves(f"<p>a<span {attribute}>b<img alt=c><i>d</i></span>e") == [("text", "a"), ("text", "e")]


def test_a_style_sheet_does_not_decide_visibility():
    assert leaves("<style>p{display:none}</style><p>shown") == [("text", "shown")]


def test_a_hidden_input_is_no_control_that_anyone_sees():
    assert leaves("<input type=hidden name=token><input type=text name=q>") == [("input", "q")]


@pytest.mark.parametrize(
    ("control", "text"),
    [
        ("<input placeholder=' Search  the site ' value=v name=n>", "Search the site"),
        ("<input value=Go name=n>", "Go"),
        ("<input aria-label=Query name=n>", "Query"),
        ("<input name=q>", "q"),
        ("<input>", ""),
        ("<textarea name=n>My words</textarea>", "My words"),
    ],
)
def test_the_text_of_a_control(control, text):
    assert leaves(control)[0][1] == text


def test_text_behind_a_comment_is_a_leaf_of_its_own():
    assert leaves("<p>one<!-- x -->two") == [("text", "one"), ("text", "two")]


def test_images_inside_a_picture_are_found_beside_their_sources():
    page = read_page("<picture><source srcset=a><source srcset=b><img alt=x></picture><p>y")
    assert page.leaves.text == ["x", "y"]
    assert page.tag_paths(page.leaves.node.tolist()) == ["html/body/picture/img", "html/body/p"]


def test_what_follows_a_wbr_or_embed_stands_beside_it():
    page = read_page("<p>long<wbr>word<b>bold</b></p><embed title=e>tail")
    assert page.leaves.text == ["long", "word", "bold", "e", "tail"]
    assert page.tag_paths(page.leaves.node.tolist()) == [
        "html/body/p",
        "html/body/p",
        "html/body/p/b",
        "html/body/embed",
        "html/body",
    ]


def test_leaves_know_their_link_and_the_white_space_before_them():
    page = read_page("<p>a<a href=x>b <b>c</b></a> d<br>e</p>")
    assert page.leaves.is_link.tolist() == [False, True, True, False, False]
    assert page.leaves.is_spaced.tolist() == [True, False, True, True, True]


HTML = st.recursive(
    st.sampled_from(["text", " ", "<!-- c -->", "<img alt=i>", "<br>", "<wbr>", "<source>", "<input>", "a b"]),
    lambda inner: st.tuples(
        st.sampled_from(["p", "div", "a", "b", "ul", "li", "table", "td", "video", "custom-tag", "span hidden"]),
        st.lists(inner, max_size=4),
    ).map(lambda made: f"<{made[0]}>{''.join(made[1])}</{made[0].split()[0]}>"),
    max_leaves=25,
)


@settings(max_examples=150, deadline=None)
@given(HTML)
def test_the_arrays_agree_with_each_other(html):
    page = read_page(f"<html><body>.{html}")
    nodes, found = page.nodes, page.leaves
    rows = np.arange(len(nodes))
    assert (nodes.parent[1:] < rows[1:]).all()
    assert (nodes.depth[1:] == nodes.depth[nodes.parent[1:]] + 1).all()
    assert (nodes.last >= rows).all()
    for row in rows[1:]:
        above = nodes.parent[row]
        assert nodes.last[row] <= nodes.last[above]
        assert nodes.first_leaf[above] <= nodes.first_leaf[row] <= nodes.end_leaf[row] <= nodes.end_leaf[above]
    for leaf, owner in enumerate(found.node.tolist()):
        inside = (nodes.first_leaf <= leaf) & (leaf < nodes.end_leaf)
        ancestors = set()
        while owner >= 0:
            ancestors.add(owner)
            owner = int(nodes.parent[owner])
        assert set(np.flatnonzero(inside).tolist()) == ancestors
    assert (np.diff(found.opened) >= 0).all()


def test_every_element_has_its_tag_and_attributes_and_comments_have_no_row():
    html = (
        "<body class=home><!-- a --><p id=x title='A b'>One<!-- b --> two</p><?php c ?><svg width=9><path d=M0></svg>"
    )
    nodes = read_page(html).nodes
    assert nodes.tags == [element.tag for element in nodes.elements]
    known = {tag: given for tag, given in zip(nodes.tags, nodes.attributes, strict=True) if tag != "path"}
    assert known == {"html": {}, "body": {"class": "home"}, "p": {"id": "x", "title": "A b"}, "svg": {"width": "9"}}
    assert nodes.attributes[nodes.tags.index("path")] == {}  # inside a drawing: nobody asks


def test_text_behind_a_comment_belongs_to_the_element_around_it():
    page = read_page("<p>One<!-- x --> two<b>three</b><!-- y -->four")
    rows = page.leaves.node.tolist()
    assert page.leaves.text == ["One", "two", "three", "four"]
    assert [page.nodes.tags[row] for row in rows] == ["p", "p", "b", "p"]
    assert page.leaves.is_spaced.tolist() == [True, True, False, False]
