"""From labels that people gave in a store to a model of one's own: the annotator, its export, training, labelling."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from annotate_world import make_store
from labelled_pages import gold_leaves

from parcels import example_web
from parcels.annotate.journal import FOLDER
from parcels.annotate.label_index import block_label
from parcels.annotate.page_sources import StorePageSource
from parcels.annotate.session import AnnotationSession
from parcels.cli.main import main
from parcels.errors import ConfigError, InputMissing
from parcels.html.page import read_page
from parcels.labels.examples import read_examples
from parcels.labels.gold import GoldLeaf

EACH = 2  # articles of each of the three example sites


def annotate(store, *, most=None, who="ann", seals=True):
    """Label the blocks of every stored page as the templates say, through an annotation session."""
    session = AnnotationSession(StorePageSource(store), store=store, journals=Path(store.location.path(FOLDER)))
    try:
        for number, (page, entry) in enumerate(session.source.entries.items()):
            leaves = gold_leaves(read_page(example_web.gold_html(entry.url), entry.url))
            blocks = {}
            for leaf in leaves:
                gold = GoldLeaf(leaf["block"], leaf["kind"], leaf["text"], leaf["label"])
                blocks.setdefault(leaf["block"], []).append(gold)
            labels = {n: block_label(own) for n, own in blocks.items()}
            chosen = dict(list(labels.items())[: most or len(labels)])
            session.save(page, who, f"step-{who}-{number:04d}", chosen)
    finally:
        if seals:
            session.close()
    return session


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    store = make_store(tmp_path_factory.mktemp("labelled") / "store", articles=EACH)
    annotate(store)
    return store


@pytest.fixture(scope="module")
def model(store, tmp_path_factory):
    out = tmp_path_factory.mktemp("trained") / "mine"
    words = [sys.executable, "-m", "parcels.cli", "train", "blocks", "--data", store.location.uri, "--out", str(out)]
    one_thread = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # several wait for each other on a busy machine
    done = subprocess.run(words, env={**os.environ, **one_thread}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return out


def test_a_store_that_people_labelled_trains_a_model_that_labels_pages(store, model, tmp_path, capsys):
    page = tmp_path / "new.html"
    url = example_web.article_urls("lumen.example")[EACH]  # not among the labelled pages
    page.write_bytes(example_web.fetch(url).body)
    assert main(["blocks", str(page), "--url", url, "--model", str(model)]) == 0
    blocks = json.loads(capsys.readouterr().out)["blocks"]
    gold = {leaf["text"]: leaf["label"] for leaf in gold_leaves(read_page(example_web.gold_html(url), url))}
    known = [(block["label"], gold[block["text"]]) for block in blocks if block["text"] in gold]
    assert len(known) > 20
    assert sum(found == label for found, label in known) / len(known) > 0.8
    assert main(["evaluate", "blocks", "--data", store.location.uri, "--model", str(model), "--json"]) == 0
    scores = json.loads(capsys.readouterr().out)
    assert (scores["pages"], scores["lost_leaves"]) == (3 * EACH, 0)
    assert scores["block_error"] < 0.1


def test_the_card_names_the_data_that_were_used_and_no_others(store, model):
    card, stated = (model / "card.md").read_text(), json.loads((model / "model.json").read_text())
    assert f"`store` ({3 * EACH} pages of 3 sites)" in card
    assert "parcels train blocks --data store --out mine" in card
    assert str(model.parent) not in card
    for other in ("fundus", "news17", "wcxb", "l3s", "metahtml"):
        assert other not in card
    assert stated["data"]["hash"] in card
    assert stated["data"]["pages"] == 3 * EACH
    assert sum(stated["data"]["labels"].values()) == stated["data"]["blocks"]


def test_an_export_and_its_pages_are_the_same_examples_as_the_store(store, tmp_path):
    direct = {one.page: one.labels for one in read_examples(store.location.uri)}
    assert len(direct) == 3 * EACH
    for what, name in (("annotations", "labels.jsonl"), ("votes", "votes.jsonl"), ("label-studio", "tasks.json")):
        file = tmp_path / name
        assert main(["export", what, "--store", store.location.uri, "--out", str(file)]) == 0
        found = {one.page: one.labels for one in read_examples(file, pages=[store.location.uri])}
        assert found == direct, what
    files = tmp_path / "pages"
    files.mkdir()
    rows = [{"page": url, "url": url, "html": example_web.fetch(url).body} for url in direct]
    pq.write_table(pa.Table.from_pylist(rows), files / "some.parquet")
    found = {
        one.page: one.labels for one in read_examples(tmp_path / "votes.jsonl", pages=[str(files / "some.parquet")])
    }
    assert found == direct


def test_an_export_without_its_pages_is_an_error_that_says_what_to_name(store, tmp_path):
    file = tmp_path / "labels.jsonl"
    assert main(["export", "annotations", "--store", store.location.uri, "--out", str(file)]) == 0
    with pytest.raises(ConfigError, match="--pages"):
        list(read_examples(file))
    other = make_store(tmp_path / "other", {"ferry": b"<p>Ferry"})
    with pytest.raises(InputMissing, match="None of the 6 labelled pages"):
        list(read_examples(file, pages=[other.location.uri]))
    (tmp_path / "bad.jsonl").write_text('{"leaves": [{"i": 0}]}\n')
    with pytest.raises(ConfigError, match="lacks"):
        list(read_examples(tmp_path / "bad.jsonl", pages=[store.location.uri]))


def test_labels_still_in_the_journal_count(tmp_path):
    store = make_store(tmp_path / "store", articles=1)
    session = annotate(store, seals=False)
    try:
        assert not store.read("annotations").num_rows
        assert len(list(read_examples(store.location.uri))) == 3
    finally:
        session.close()


def test_leaves_that_people_are_at_odds_about_teach_nothing(tmp_path):
    store = make_store(tmp_path / "store", articles=1)
    annotate(store)
    session = AnnotationSession(StorePageSource(store), store=store, journals=Path(store.location.path(FOLDER)))
    page = next(iter(session.source.entries))
    before = {one.page: one.labels for one in read_examples(store.location.uri)}
    session.save(page, "bob", "step-bob-0001", {0: "title"})
    session.close()
    after = {one.page: one.labels for one in read_examples(store.location.uri)}
    name = session.source.entries[page].name
    assert before[name][0] not in ("", "title")
    assert (after[name][0], after[name][1:]) == ("", before[name][1:])


def test_too_few_labels_say_how_many_are_needed(tmp_path, capsys):
    store = make_store(tmp_path / "store", articles=1)
    out = tmp_path / "mine"
    assert main(["train", "blocks", "--data", store.location.uri, "--out", str(out)]) == 3
    assert "No labels by people" in capsys.readouterr().err
    annotate(store, most=4)
    assert main(["train", "blocks", "--data", store.location.uri, "--out", str(out)]) == 3
    message = capsys.readouterr().err
    assert "12 labelled blocks" in message
    assert "at least 60 blocks with 2 labels on 2 pages" in message
    assert not out.exists()


@pytest.mark.parametrize(
    ("words", "package"),
    [
        (["train", "blocks"], "lightgbm"),
        (["train", "content"], "lightgbm"),
        (["train", "content-svm"], "scikit-learn"),
        (["train", "segmenter"], "scikit-learn"),
        (["train", "pagetypes"], "scikit-learn"),
        (["train", "tagger"], "nltk"),
        (["evaluate", "blocks", "--folds", "3"], "scikit-learn"),
        (["evaluate", "articles", "--folds", "3"], "scikit-learn"),
        (["evaluate", "segments"], "scipy"),
    ],
)
def test_a_missing_extra_is_named_before_any_work(words, package, monkeypatch, tmp_path, capsys):
    from parcels.common.optional import install_command

    for name in ("sklearn", "lightgbm", "nltk", "scipy"):
        monkeypatch.setitem(sys.modules, name, None)
    out = ["--out", str(tmp_path / "mine")] if words[0] == "train" else []
    assert main([*words, "--data", str(tmp_path / "no-such-folder"), *out]) == 2  # the data are not even looked for
    message = capsys.readouterr().err
    assert package in message
    assert install_command("learn") in message
