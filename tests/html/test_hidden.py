"""Which leaves a reader cannot see."""

import pytest

from parcels.css.cascade import computed_style
from parcels.html.page import read_page
from parcels.layout.boxes.virtual import render


def reasons(html: str) -> dict[str, str | None]:
    page = read_page(f"<!DOCTYPE html><body>{html}")
    layout = render(page, computed_style(page))
    return dict(zip(page.leaves.text, layout.hidden_reason, strict=True))


@pytest.mark.parametrize(
    ("style", "reason"),
    [
        ("display: none", "display"),
        ("visibility: hidden", "visibility"),
        ("opacity: 0", "visibility"),
        ("font-size: 1px", "size"),
        ("font-size: 0", "size"),
        ("height: 0; overflow: hidden", "size"),
        ("position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0 0 0 0)", "size"),
        ("color: #fff", "colour"),
        ("color: #fefefe", "colour"),
        ("color: #333; background: #333", "colour"),
        ("color: transparent", "colour"),
        ("position: absolute; left: -9999px", "off-screen"),
        ("position: absolute; top: -500px", "off-screen"),
        ("text-indent: -9999px", "off-screen"),
        ("color: #000", None),
        ("color: #fff; background: #000", None),
        ("color: #fff; background: url(dark.png)", None),
        ("overflow: hidden; height: 40px", None),
        ("position: absolute; color: #fff", None),
        ("opacity: 0.5", None),
    ],
)
def test_a_leaf_is_hidden_for_a_reason(style: str, reason: str | None) -> None:
    found = reasons(f"<style>.x {{ {style} }}</style><p>Seen</p><div class=x>Asked</div>")
    assert found == {"Seen": None, "Asked": reason}


def test_an_opaque_box_over_a_text_covers_it() -> None:
    page = """<style>#h { position: relative }
    #c { position: absolute; left: 0; top: 0; width: 400px; height: 100px; BACK }</style>
    <div id=h><p>Below</p><div id=c>Above</div></div>"""
    assert reasons(page.replace("BACK", "background: #eee")) == {"Below": "covered", "Above": None}
    assert reasons(page.replace("BACK", "")) == {"Below": None, "Above": None}
    assert reasons(page.replace("BACK", "background: #eee; z-index: -1")) == {"Below": None, "Above": None}


def test_an_absolute_box_is_not_cut_off_by_what_does_not_hold_it() -> None:
    found = reasons(
        "<style>#o { overflow: hidden; height: 20px } #a { position: absolute; top: 300px }</style>"
        "<div id=o>In<div id=a>Out</div></div>"
    )
    assert found == {"In": None, "Out": None}


def test_a_text_outside_a_box_that_hides_its_overflow_is_cut_off() -> None:
    found = reasons("<style>#o { overflow: hidden; height: 20px } p { margin: 40px 0 }</style><div id=o>In<p>Out</div>")
    assert found == {"In": None, "Out": "size"}


def test_a_body_that_hides_its_overflow_hides_nothing_of_the_page() -> None:
    html = "<head><title>t</title><style>html, body { height: 100%; overflow: hidden }</style></head>"
    page = read_page(f"<!DOCTYPE html><html>{html}<body>{'<p>one line</p>' * 100}<p>Last</p></body></html>")
    layout = render(page, computed_style(page))
    assert set(layout.hidden_reason) == {None}


def test_nested_boxes_clip_content_outside_any_of_them() -> None:
    found = reasons(
        "<style>div { overflow: hidden; width: 50px; height: 20px } b { margin-left: 90px }</style>"
        "<div>in<b>out</b><div><b>far</b></div></div>"
    )
    assert found == {"in": None, "out": "size", "far": "size"}
