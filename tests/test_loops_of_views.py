"""Tagging and measuring give the same with compiled loops and without."""

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from parcels import structured, tree
from parcels.classify.measured import measure
from parcels.divide import fine
from parcels.layout.render import lay_out
from parcels.nlp import analysis, decode, idf, lexicon, names, tagger
from parcels.nlp.analysis import Analyser
from parcels.nlp.lexicon import Models
from parcels.page import read_page
from parcels.views import (
    ancestors,
    arrays,
    context,
    context_anchors,
    context_groups,
    context_links,
    context_neighbours,
    leaf_sizes,
    lexical,
    lexical_words,
    look,
    style_boxes,
    style_fonts,
    style_linear,
    style_marks,
    style_tables,
    topic,
)

DOCS = sorted((Path(__file__).parent.parent / "docs").glob("*.md"))
PAGES = sorted((Path(__file__).parent / "pages").rglob("*.html"))[:12]
OF_NLP = (analysis, decode, lexicon, names, tagger)
OF_VIEWS = (
    ancestors,
    arrays,
    context,
    context_anchors,
    context_groups,
    context_links,
    context_neighbours,
    leaf_sizes,
    lexical,
    lexical_words,
    look,
    style_boxes,
    style_fonts,
    style_linear,
    style_marks,
    style_tables,
    topic,
)
ARRAYS = ("text_of", "begin", "is_first", "is_spaced", "tag", "label", "flags", "idf")

pytestmark = pytest.mark.skipif(decode.loops is None or look.loops is None, reason="not compiled here")


def without_loops(monkeypatch, modules):
    for module in modules:
        for name in ("loops", "form_loops", "group_loops"):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, None)


def analyser():
    models = files("parcels") / "models"
    tags = tagger.open_tagger(models / "tagger")
    return Analyser(Models(tags, names.open_names(models / "names", tags.labels), idf.shipped()))


def test_texts_are_analysed_alike(monkeypatch):
    texts = [line for path in DOCS for line in path.read_text("utf-8").splitlines()][:3000]
    texts += ["", "SINGAPORE (AFP) - Ann Lee of Reuters said so.", "A", "the new york times today", "! ? ."]
    compiled = analyser().analyse(texts)
    without_loops(monkeypatch, OF_NLP)
    plain = analyser().analyse(texts)
    assert compiled.tokens == plain.tokens
    assert compiled.stems == plain.stems
    for name in ARRAYS:
        one, two = getattr(compiled, name), getattr(plain, name)
        assert one.dtype == two.dtype, name
        assert np.array_equal(one, two), name
    assert len(set(compiled.tag.tolist())) > 30
    assert len(set(compiled.label.tolist())) > 4


def test_ties_are_decided_alike(monkeypatch):
    """Without weights every label has the same score at every token."""
    asked = []

    def decided(self, token, previous, second, places, words):
        asked.append((token, previous, second))
        return token % len(self.labels)

    monkeypatch.setattr(tagger.Tagger, "_as_nltk_adds", decided)
    words = ["Aa", "bb", "cc", "dd"]
    weights = tagger.Weights.from_dicts({("i word", "zz"): {"NN": 1.0, "VB": 2.0, "JJ": 0.5}}, ["JJ", "NN", "VB"])
    compiled = tagger.Tagger(weights, {"cc": "JJ"}).tag_sentences([words, words[:1]])
    assert [token for token, _, _ in asked] == [0, 1, 3, 4]
    without_loops(monkeypatch, OF_NLP)
    assert tagger.Tagger(weights, {"cc": "JJ"}).tag_sentences([words, words[:1]]) == compiled


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
