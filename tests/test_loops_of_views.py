"""Measuring gives the same with compiled loops and without."""

from pathlib import Path

import numpy as np
import pytest

from parcels import structured, tree
from parcels.classify.measured import measure
from parcels.divide import fine
from parcels.layout.render import lay_out
from parcels.page import read_page
from parcels.views import (
    lexical,
    lexical_words,
    look,
    topic,
)

PAGES = sorted((Path(__file__).parent / "pages").rglob("*.html"))[:12]
OF_VIEWS = (
    lexical,
    lexical_words,
    look,
    topic,
)

pytestmark = pytest.mark.skipif(look.loops is None, reason="not compiled here")


def without_loops(monkeypatch, modules):
    for module in modules:
        for name in ("loops",):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, None)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_are_measured_alike(monkeypatch, path):
    page = read_page(path.read_bytes(), "https://news.example/world/story-1")
    laid = lay_out(page)
    compiled = measure(fine.divide(page), laid)
    without_loops(monkeypatch, OF_VIEWS)
    plain = measure(fine.divide(page), laid)
    for view, numbers in compiled.numbers.items():
        assert numbers.tobytes() == plain.numbers[view].tobytes(), view
    assert compiled.terms == plain.terms
    assert compiled.names == plain.names
    for group, of in compiled.groups.items():
        assert np.array_equal(of, plain.groups[group])


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_are_read_for_claims_alike(monkeypatch, path):
    claims = structured.claims(read_page(path.read_bytes(), "https://news.example/world/story-1"))
    monkeypatch.setattr(tree, "_reader", None)
    assert structured.claims(read_page(path.read_bytes(), "https://news.example/world/story-1")) == claims
