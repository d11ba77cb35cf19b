"""The line of JSON of a page, written from columns, is that of the dicts."""

import numpy as np
import orjson
import pytest

from parcels import results
from parcels.classify.labelled import label_blocks
from parcels.classify.model import Prediction, model_at
from parcels.divide import DIVIDERS, fine
from parcels.page import read_page
from parcels.results import blocks_to_json, blocks_to_line, laid_within_bounds

PAGE = '<title>Fire</title><h1>Fire at the pier</h1><p>By <b>Ann Lee</b> | 6 May 2004<p>\u00e9 "b" \\ c<img alt=x>'
ODD = (
    [chr(at) + 'eight or more"' for at in range(0x180)]
    + ["x" * n + "\n" * n for n in range(20)]
    + ["\U0001f525\x01" * 90]
)

pytestmark = pytest.mark.skipif(results.lines is None, reason="not compiled here")


def line_of(texts, sure, edges):
    """The line of blocks of one leaf each."""
    size = len(texts)
    nothing, ranges = [None] * size, [(n, n + 1) for n in range(size)]
    return results.lines.page_line(
        {"page": "p"}, ranges, [(None, of) for of in sure], {}, [], nothing, nothing, edges, texts, texts, texts, texts,
        nothing, nothing, [()] * size,
    )  # fmt: skip


def told(line, field):
    return [orjson.dumps(block[field]) for block in orjson.loads(line)["blocks"]]


@pytest.mark.parametrize("divider", DIVIDERS)
@pytest.mark.parametrize("model", ["news", None])
@pytest.mark.parametrize("has_layout", [True, False])
def test_a_line_has_the_bytes_of_the_dicts(divider, model, has_layout):
    for html in (PAGE, "<p>"):
        page = read_page(html, "https://a.example/1")
        of = {"divider": divider, "laid": laid_within_bounds(page) if has_layout else None, "model": model}
        assert blocks_to_line(page, **of) == orjson.dumps(blocks_to_json(page, **of))


def test_votes_of_the_shipped_model_are_written_from_probabilities():
    page = read_page(PAGE, "https://a.example/1")
    laid = laid_within_bounds(page)
    labelled = label_blocks(fine.divide(page), laid, model_at("news"), is_fine=True)
    views, labels = labelled.proba
    assert labels == model_at("news").labels.tolist()
    assert {name: of.dtype for name, of in views.items()} == dict.fromkeys(labelled.votes, np.float64)


def test_every_letter_is_escaped_as_orjson_does():
    line = line_of(ODD, [0.5] * len(ODD), None)
    assert [block["text"] for block in orjson.loads(line)["blocks"]] == ODD
    assert all(orjson.dumps(text) in line for text in ODD)


def test_confidences_have_the_digits_that_orjson_gives():
    sure = [part / 10_000 for part in range(10_001)] + [1 / 3, 1e-5, -0.5, -0.0, 2.5, float("nan"), 1]
    line = line_of(["x"] * len(sure), sure, None)
    assert told(line, "confidence") == [orjson.dumps(of) for of in sure]
    assert all(b'"confidence":' + orjson.dumps(of) + b"," in line for of in sure)


def test_boxes_are_rounded_as_numpy_rounds():
    chance = np.random.default_rng(1)
    edges = (chance.normal(size=(3000, 4)) * 10.0 ** chance.integers(-2, 18, (3000, 1))).astype(np.float32)
    edges[0, 0], edges[1, 1], edges[2] = np.nan, np.nan, (-0.01, 0, 1, 1)
    line = line_of(["x"] * len(edges), [0.5] * len(edges), edges)
    whole = line_of(["x"], [0.5], edges[2:3])
    assert told(line, "box") == [orjson.dumps(box) for box in results._boxes(edges, len(edges))]
    assert b'"box":[-0.0,0.0,1.0,1.0]' in whole


def test_votes_are_those_of_the_likeliest_labels():
    proba = np.random.default_rng(2).dirichlet([0.2] * 5, 3000)
    proba[0, 2], proba[1] = np.nan, (0.5, 0.5, 0, 0, 0)
    said = Prediction(np.array(list("abcde")), proba, {"one": proba, "two": proba[::-1]})
    views = {name: np.ascontiguousarray(of) for name, of in said.views.items()}
    size = len(proba)
    lines = [
        results.lines.page_line(
            {},
            [(0, 0)] * size,
            said.best(),
            votes,
            labels,
            [*[3] * 2999, -1],
            ["x"] * size,
            None,
            ["x"] * size,
            ["x"] * size,
            [],
            [],
            [],
            [],
            [()] * size,
        )
        for votes, labels in ((views, list("abcde")), (said.votes(), []))
    ]
    assert lines[0] == lines[1]
    assert b'"importance":-1' in lines[0]
