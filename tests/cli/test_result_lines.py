"""The line of JSON of a page: the same fields as its objects, boxes rounded, text escaped."""

import numpy as np
import orjson
import pytest

from parcels import results
from parcels.divide import DIVIDERS
from parcels.html.page import read_page
from parcels.results import blocks_of, blocks_to_line, laid_within_bounds

PAGE = '<title>Fire</title><h1>Fire at the pier</h1><p>By <b>Ann Lee</b> | 6 May 2004<p>\u00e9 "b" \\ c<img alt=x>'


@pytest.mark.parametrize("divider", DIVIDERS)
@pytest.mark.parametrize("model", ["news", None])
@pytest.mark.parametrize("has_layout", [True, False])
def test_a_line_has_the_bytes_of_the_objects(divider, model, has_layout):
    for html in (PAGE, "<p>"):
        page = read_page(html, "https://a.example/1")
        of = {"divider": divider, "laid": laid_within_bounds(page) if has_layout else None, "model": model}
        assert blocks_to_line(page, **of) == orjson.dumps(blocks_of(page, **of).to_json())


def test_a_line_without_layout_and_model_has_every_field():
    page = read_page('<p>\u00e9 "b" \\ c', "https://a.example/1", name="one.html")
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
    assert orjson.loads(blocks_to_line(page)) == {**known, "blocks": [block]}


def test_boxes_have_one_digit_and_are_null_where_no_leaf_has_one():
    edges = np.array([[np.nan] * 4, [-0.01, 0, 1, 1], [8.04, 16, 992.06, 53.25]], np.float32)
    assert orjson.dumps(results._boxes(edges, 3)) == b"[null,[-0.0,0.0,1.0,1.0],[8.0,16.0,984.0,37.2]]"
