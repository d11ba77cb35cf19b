"""The virtual screen against what Chromium made of the same pages (tests/layout, written by expected.py there)."""

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from parcels.css.cascade import computed_style
from parcels.html.page import Page, read_page
from parcels.layout.boxes import Layout
from parcels.layout.boxes.virtual import render

FOLDER = Path(__file__).parents[1] / "layout"
PAGES = sorted(path.stem for path in FOLDER.glob("*.html"))
ACROSS_PX = 20.0  # 2 % of the screen
HEIGHT_SHARE, HEIGHT_PX = 0.2, 6.0
ORDER_PX = 3.0  # boxes that are farther apart in Chromium stand in the same order here
# Where the cascade, not the layout, differs: the width of text fields.
LOOSE = {"controls": 25.0}


def laid_out(html: str | bytes, width: float = 1000.0) -> tuple[Page, Layout]:
    page = read_page(html)
    return page, render(page, computed_style(page), width=width)


def by_id(page: Page, layout: Layout) -> dict[str, list[float]]:
    found = {}
    for element, box in zip(page.nodes.elements, layout.nodes.tolist(), strict=True):
        name = element.get("id")
        if name:
            found[name] = box
    return found


def test_styles_in_arrays_of_other_types_are_refused() -> None:
    page = read_page("<p style='font-size: 20px'>One <b>two</b>")
    styles = computed_style(page)
    for name in ("opacity", "font_size", "letter_spacing", "text_indent"):
        with pytest.raises(ValueError, match="dtype mismatch"):
            render(page, replace(styles, **{name: getattr(styles, name).astype(np.float64)}))


def test_styles_of_another_page_are_refused() -> None:
    page, other = read_page("<p>One <b>two</b>"), read_page("<p>One")
    with pytest.raises(ValueError, match="needs a style for each"):
        render(page, computed_style(other))


def test_leaves_in_another_order_than_their_elements_are_laid_out_where_they_open() -> None:
    page, layout = laid_out("<p>One</p><p>Two</p><p>Three</p>")
    turned = [2, 0, 1]
    leaves = page.leaves
    mixed = replace(
        leaves,
        text=[leaves.text[n] for n in turned],
        kind=[leaves.kind[n] for n in turned],
        node=leaves.node[turned],
        opened=leaves.opened[turned],
        is_spaced=leaves.is_spaced[turned],
    )
    boxes = render(replace(page, leaves=mixed), computed_style(page)).leaves
    np.testing.assert_array_equal(boxes, layout.leaves[turned])


@pytest.mark.parametrize("name", PAGES)
def test_boxes_are_where_chromium_puts_them(name: str) -> None:
    expected = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    boxes = by_id(*laid_out((FOLDER / f"{name}.html").read_bytes()))
    tolerance = LOOSE.get(name, ACROSS_PX)
    for key, (x, _, width, height) in expected.items():
        box = boxes[key]
        assert abs(box[0] - x) <= tolerance, (key, box, expected[key])
        assert abs(box[2] - width) <= tolerance, (key, box, expected[key])
        assert abs(box[3] - height) <= max(HEIGHT_SHARE * height, HEIGHT_PX), (key, box, expected[key])
    keys = sorted(expected, key=lambda key: expected[key][1])
    for above, below in pairwise(keys):
        if expected[below][1] - expected[above][1] > ORDER_PX:
            assert boxes[below][1] > boxes[above][1], (above, below)


def test_every_leaf_that_is_shown_has_a_box_and_every_hidden_one_has_none() -> None:
    hidden = "<style>.n { display: none }</style><p class=n>Three<img width=3 height=3>"
    page, layout = laid_out(f"<p>One <b>two</b>{hidden}")
    assert page.leaves.text == ["One", "two", "Three", ""]
    assert np.isnan(layout.leaves[:, 0]).tolist() == [False, False, True, True]
    assert layout.hidden_reason == (None, None, "display", "display")
    assert layout.renderer == "virtual"


def test_a_narrow_screen_makes_a_longer_page() -> None:
    html = "<p>" + "several words in a row " * 100
    assert laid_out(html, width=300.0)[1].height > 2.5 * laid_out(html, width=1000.0)[1].height


def test_words_of_ideographs_break_anywhere() -> None:
    _, layout = laid_out("<body style='margin:0'><div style='width:100px;font-size:20px;line-height:20px'>" + "漢" * 50)
    assert layout.leaves[0].tolist()[2] == pytest.approx(100.0, abs=1.0)
    assert layout.leaves[0].tolist()[3] == pytest.approx(200.0, rel=0.2)


LONG = "Rain fell on the harbour all night and the ferries stayed in. " * 12


@pytest.mark.parametrize(
    "inner", ["{}", "<i>{}</i>", "<i><b>{}</b></i>", "<i style='padding-left: 30px'><b>{}</b></i>"]
)
@pytest.mark.parametrize("around", ["<p>{}</p>", "<div><p>Before</p>{}<p>After</p></div>"])
@pytest.mark.parametrize("align", ["left", "center", "right"])
def test_a_text_by_itself_stands_where_it_stands_with_a_mark_of_no_width_beside_it(inner, around, align) -> None:
    # A text that is all there is goes a shorter way than a text with something beside it.
    boxes = []
    for mark in ("", "<span></span>"):
        html = f"<!doctype html><body style='text-align: {align}'>" + around.format(inner.format(LONG) + mark)
        page, layout = laid_out(html)
        boxes.append(layout.leaves[page.leaves.text.index(LONG.strip())])
    np.testing.assert_allclose(boxes[0], boxes[1], atol=0.01)


def test_the_label_of_a_missing_image_goes_on_in_a_next_line_of_a_narrow_box() -> None:
    image = "<img id=label alt='Emergency information for all who work here'>"
    page, layout = laid_out(f"<div style='width: 150px'>{image}</div>")
    _, _, width, height = by_id(page, layout)["label"]
    assert width == 150.0
    assert height >= 32.0
    page, layout = laid_out(f"<div style='width: 900px'>{image}</div>")
    _, _, width, height = by_id(page, layout)["label"]
    assert 150.0 < width < 400.0
    assert height == 16.0


def test_the_label_of_a_missing_image_does_not_widen_a_table() -> None:
    image = "<img alt='Emergency information for all who work here'>"
    page, layout = laid_out(f"<table id=t style='width: 200px'><tr><td>{image}<td>{image}</table>")
    assert by_id(page, layout)["t"][2] == 200.0
