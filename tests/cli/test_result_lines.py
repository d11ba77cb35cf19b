"""The JSON of a page's blocks: every field, boxes rounded, text escaped."""

import numpy as np
import orjson
import pytest

from parcels import results
from parcels.cli.commands.blocks import page_line
from parcels.divide import DIVIDERS
from parcels.html.page import read_page
from parcels.inputs import RawPage
from parcels.processed_page import ProcessedPage

PAGE = '<title>Fire</title><h1>Fire at the pier</h1><p>By <b>Ann Lee</b> | 6 May 2004<p>\u00e9 "b" \\ c<img alt=x>'


@pytest.mark.parametrize("divider", DIVIDERS)
@pytest.mark.parametrize("model", ["news", None])
@pytest.mark.parametrize("html", [PAGE, "<p>"])
def test_the_command_line_and_the_python_function_give_the_same_json(divider, model, html):
    url = "https://a.example/1"
    line = page_line(RawPage("", html.encode(), url), divider=divider, has_layout=True, model=model)
    assert line == orjson.dumps(results.blocks(html, url, divider=divider, model=model).to_json())


def test_a_line_without_layout_and_model_has_every_field():
    raw = RawPage("one.html", '<p>\u00e9 "b" \\ c'.encode(), "https://a.example/1")
    leaf = {"kind": "text", "text": '\u00e9 "b" \\ c'}
    block = {
        "n": 0,
        "label": None,
        "confidence": None,
        "views": {},
        "importance": None,
        "area": None,
        "box": None,
        "tag_path": "html/body/p",
        "text": leaf["text"],
        "leaves": [leaf],
        "spans": [],
    }
    known = {"page": "one.html", "url": "https://a.example/1", "charset": "utf-8", "divider": "fine"}
    line = page_line(raw, divider="fine", has_layout=False, model=None)
    assert orjson.loads(line) == {**known, "blocks": [block]}


def test_boxes_have_one_digit_and_are_null_where_no_leaf_has_one():
    rectangles = np.array([[np.nan] * 4, [-0.0, 0, 1, 1], [8.0, 16.0, 984.0, 37.2]])
    assert orjson.dumps(results._boxes(rectangles, 3)) == b"[null,[-0.0,0.0,1.0,1.0],[8.0,16.0,984.0,37.2]]"
    page = ProcessedPage.parsed(read_page("<h1>Fire</h1><p>Nobody was hurt."))
    found = results.block_columns(page).rectangles
    assert (found == found.round(1)).all()
