"""Models by name: a folder, a shipped one, one in a store; both kinds that label blocks; kinds that do not fit."""

import json
from pathlib import Path

import numpy as np
import pytest
from annotate_world import make_store
from labelled_pages import write_labelled_pages

from parcels.cli.main import main
from parcels.errors import ConfigError, ModelMismatch
from parcels.labels.cotrained import VIEWS, CoTrained, open_cotrained
from parcels.labels.examples import read_examples
from parcels.labels.explain import explain
from parcels.labels.model import model_at, open_block_model
from parcels.learn.boostexter import BoosTexter
from parcels.learn.learner import Features
from parcels.models.registry import KEPT, KINDS, find_model, model_path, shipped_models, stored_models

PAGE = "<nav><a href=/>Home</a> <a href=/news>News</a></nav><h1>Fire at the pier</h1><p>Nobody was hurt in the fire."


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_labelled_pages(tmp_path_factory.mktemp("labelled") / "pages", each_site=1)


@pytest.fixture(scope="module")
def cotrained(folder):
    """A model as co-training leaves it: one learner per view, fitted on the same blocks."""
    pages = list(read_examples(folder))
    terms = sorted({term for page in pages for row in page.measured.terms for term in row})
    empty = CoTrained(np.array([]), {term: place for place, term in enumerate(terms)}, dict.fromkeys(VIEWS), "product")
    labels = np.array([label for page in pages for label in page.labels])
    known = np.flatnonzero(labels != "")
    learners = {}
    for view in VIEWS:
        first, *others = [empty.rows(page.measured)[view] for page in pages]
        rows: Features = first
        for other in others:
            rows = rows.and_below(other)
        rows = rows.take(known)
        learners[view] = BoosTexter(rounds=30).fit(rows.numbers, rows.words, labels[known])
    return CoTrained(np.unique(labels[known]), empty.vocabulary, learners, "most-confident")


@pytest.fixture(scope="module")
def store(cotrained, tmp_path_factory):
    store = make_store(tmp_path_factory.mktemp("stored") / "store", {"pier": PAGE.encode()})
    target = Path(store.location.path(KEPT, "mine"))
    target.mkdir(parents=True)
    for name, data in cotrained.parts({"rounds": 3, "crawl": "test"}):
        (target / name).write_bytes(data)
    return store


@pytest.fixture
def page(tmp_path):
    (tmp_path / "page.html").write_text(PAGE)
    return str(tmp_path / "page.html")


def test_blocks_are_labelled_by_a_co_trained_model_of_the_store(store, page, capsys):
    assert main(["blocks", page, "--store", store.location.uri, "--model", "mine"]) == 0
    by_name = json.loads(capsys.readouterr().out)["blocks"]
    assert main(["blocks", page, "--model", store.location.path(KEPT, "mine")]) == 0
    assert json.loads(capsys.readouterr().out)["blocks"] == by_name
    assert all(set(block["views"]) == set(VIEWS) for block in by_name)
    assert all(0 < block["confidence"] <= 1 for block in by_name)


def test_the_store_of_the_settings_file_is_looked_in_too(store, page, tmp_path, monkeypatch, capsys):
    (tmp_path / "parcels.toml").write_text(f'[all]\nstore = "{store.location.uri}"\n')
    monkeypatch.chdir(tmp_path)
    assert main(["blocks", page, "--model", "mine"]) == 0
    assert json.loads(capsys.readouterr().out)["blocks"]


def test_a_co_trained_model_is_evaluated_and_explained_like_others(store, folder, page, capsys):
    words = ["--store", store.location.uri, "--model", "mine"]
    assert main(["evaluate", "blocks", "--data", str(folder), *words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["block_error"] < 0.3  # of the pages that it was fitted on
    assert main(["explain", page, "1", *words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["views"]) == set(VIEWS)
    assert {reason["name"].partition(".")[0] for reason in found["features"]} <= {"style", "context", "lexical"}
    assert "lexical" in found["words"]


def test_the_features_of_an_explanation_matter(store, folder):
    model = model_at(store.location.path(KEPT, "mine"))
    measured = next(iter(read_examples(folder))).measured
    effects = [reason.effect for n in range(5) for reason in explain(model, measured, n).features]
    assert max(effects) > 0.01


def test_a_model_of_another_kind_is_refused_with_what_it_is_for(store, page, capsys):
    for command, name, told in (
        (
            "blocks",
            "news_topics",
            "(topics of pages), but a model for labels of blocks is needed (kind blocks or cotrained)",
        ),
        ("topic", "news", "it is blocks@1 (labels of blocks), but a model for topics of pages is needed"),
        ("extract", "news", "it is blocks@1 (labels of blocks), but a model for main content is needed"),
        ("extract", "mine", "it is cotrained@1 (labels of blocks)"),
        ("pagetype", "segmenter", "it is segmenter@3 (segments of pages)"),
    ):
        words = ["--store", store.location.uri] if name == "mine" else []
        assert main([command, page, "--model", name, *words]) == ModelMismatch("").exit_code
        assert told in capsys.readouterr().err
    with pytest.raises(ModelMismatch, match="tagger@"):
        open_block_model(find_model("tagger"))


def test_an_unknown_name_lists_the_models_of_the_right_kind(store, page, capsys):
    assert main(["blocks", page, "--model", "nosuch", "--store", store.location.uri]) == 2
    message = capsys.readouterr().err
    assert "a shipped model (news)" in message
    assert "(mine)" in message
    with pytest.raises(ConfigError, match=r"a shipped model \(news_topics\)"):
        find_model("nosuch", "layout-mixture")


def test_a_folder_without_a_model_does_not_hide_a_shipped_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "news").mkdir()
    assert model_path("news", None) == "news"
    assert (find_model("news") / "model.json").is_file()
    (tmp_path / "other").mkdir()
    with pytest.raises(ModelMismatch, match=r"has no model\.json"):
        find_model("other")


def test_a_damaged_co_trained_model_is_refused(cotrained, tmp_path):
    for name, data in cotrained.parts({}):
        (tmp_path / name).write_bytes(data)
    assert open_cotrained(tmp_path).fingerprint() == cotrained.fingerprint()
    words = (tmp_path / "terms.txt").read_text()
    (tmp_path / "terms.txt").write_text(words.partition("\n")[2])  # one word fewer: the weights would be another word's
    with pytest.raises(ModelMismatch, match=r"reads .* words"):
        open_cotrained(tmp_path)
    (tmp_path / "terms.txt").unlink()
    with pytest.raises(ModelMismatch, match="cannot be used"):
        open_cotrained(tmp_path)


def test_every_shipped_model_has_a_known_kind_a_card_and_a_title(store):
    found = {info.name: info for info in shipped_models()}
    assert {"news", "news_topics", "content", "segmenter", "pagetypes", "tagger"} <= set(found)
    for info in found.values():
        assert info.kind in KINDS
        assert info.title
        assert "arcels train" in info.card
    assert [info.name for info in shipped_models("layout-mixture")] == ["news_topics"]
    assert [(info.name, info.kind, info.stated["rounds"]) for info in stored_models(store)] == [
        ("mine", "cotrained", 3)
    ]
