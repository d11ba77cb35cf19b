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
    evidence,
    leaf_sizes,
    lexical,
    lexical_words,
    look,
    shared_words,
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
    evidence,
    leaf_sizes,
    lexical,
    lexical_words,
    look,
    shared_words,
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
        for name in ("loops", "form_loops", "group_loops", "name_loops"):
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
def test_pages_are_divided_and_read_for_claims_alike(monkeypatch, path):
    page = read_page(path.read_bytes(), "https://news.example/world/story-1")
    division, claims = fine.divide(page), structured.claims(page)
    monkeypatch.setattr(fine, "loops", None)
    monkeypatch.setattr(tree, "_reader", None)
    plain = fine.divide(page)
    assert np.array_equal(division.first, plain.first)
    assert np.array_equal(division.container, plain.container)
    assert structured.claims(read_page(path.read_bytes(), "https://news.example/world/story-1")) == claims


def test_words_are_shared_alike(monkeypatch):
    texts = [
        "",
        "a",
        "_x, y-z  ß²٣ don't",
        "日本 語、x a A",
        "\U0001d7d8\U0001f600a",
        "a\u0301b É",
        "İstanbul ISTANBUL é",
    ]
    texts.append(" ".join(f"word{n}" for n in range(9000)))
    claims = {"title": [shared_words.bag("A y"), shared_words.bag("日本 é x")], "body": [shared_words.bag(texts[-1])]}
    claims["section"] = []
    compiled = shared_words.shared_words(texts, claims)
    without_loops(monkeypatch, (shared_words,))
    plain = shared_words.shared_words(texts, claims)
    assert compiled.sizes.tolist() == plain.sizes.tolist()
    assert compiled.has_digit.tolist() == plain.has_digit.tolist()
    for field in claims:
        assert np.array_equal(compiled.best(field), plain.best(field)), field
    assert plain.sizes.max() == plain.common["body"].max() == 9000


def test_dates_are_found_alike(monkeypatch):
    dates = [(2024, 3, 7), (1999, 12, 31)]
    texts = [
        "7 March 2024",
        "MAR 7, '24",
        "12/31/99",
        "0007.03",
        "20240307 00024",
        "",
        "no",
        "12 \u0663 Marz",
        "\u00e9 7 mar",
    ]
    texts += ["1 " * 20 + "2024", "x" * 250 + " 2024", "x" * 260 + " 2024", "de\0c 31"]
    compiled = [evidence._date_share(text, dates) for text in texts]
    without_loops(monkeypatch, (evidence,))
    assert [evidence._date_share(text, dates) for text in texts] == compiled
    assert {round(3 * share) for share in compiled} == {0, 1, 2, 3}
