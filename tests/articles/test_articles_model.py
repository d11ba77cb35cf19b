"""The content model: learned from pages, kept as plain data, refused where it does not fit."""

import json
import shutil
from importlib.resources import files
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from parcels.articles import context, features
from parcels.articles.body.parts import parts_of
from parcels.articles.clues import ClueCounts, name_tokens, node_tokens
from parcels.articles.evaluate import interval
from parcels.articles.examples import read_examples
from parcels.articles.fields.stated import Stated
from parcels.articles.model import content_model_at, open_content_model
from parcels.articles.scores import contains, field_scores, shingle_f1, shingle_scores, word_f1
from parcels.articles.train import train_model
from parcels.cli import main
from parcels.errors import InputMissing, ModelMismatch
from parcels.html.page import read_page

SENTENCE = "On day {n} the keeper of house {site} wrote that the sea was calm, the lamp was lit, and nobody came by."


def made_page(site: int) -> tuple[str, str]:
    """A page of one of many small sites, and its gold text: the keeper's diary without menu and footer."""
    gold = [SENTENCE.format(n=n, site=site) for n in range(4 + site % 3)]
    body = "".join(f"<p>{sentence}</p>" for sentence in gold)
    menu = "".join(f"<li><a href='/{n}'>Page {n}</a></li>" for n in range(6))
    html = (
        f"<title>Diary {site}</title><nav class='menu'><ul>{menu}</ul></nav><div class='content'><h1>Diary {site}</h1>"
        f"{body}</div><div class='footer'><p>© All rights reserved, <a href='/t'>terms</a> of the house.</p></div>"
    )
    return html, "\n\n".join(gold)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("diaries")
    pages = [made_page(site) for site in range(24)]
    table = {
        "page": [f"p{n}" for n in range(24)],
        "url": [f"https://house{n}.example/diary" for n in range(24)],
        "html": [html.encode() for html, _ in pages],
        "text": [text for _, text in pages],
        "title": [f"Diary {n}" for n in range(24)],
        "page_type": ["article" if n % 2 else "listing" for n in range(24)],
    }
    pq.write_table(pa.table(table), folder / "pages.parquet")
    return folder


@pytest.fixture(scope="module")
def trained(corpus, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("model") / "content"
    told = train_model([corpus], out)
    assert "24 pages of 24 sites" in told
    return out


def test_a_trained_model_finds_the_content_of_an_unseen_site(trained):
    from parcels.articles.article import extract

    html, gold = made_page(99)
    found = extract(html, "https://house99.example/diary", model=str(trained))
    assert word_f1(gold, found.text) > 0.9
    assert "rights reserved" not in found.text


def test_training_twice_gives_the_same_bytes(trained, corpus, tmp_path):
    train_model([corpus], tmp_path / "content")
    for path in sorted(trained.rglob("*")):
        if path.is_file():
            assert path.read_bytes() == (tmp_path / "content" / path.relative_to(trained)).read_bytes(), path


def test_the_card_tells_data_and_scores(trained):
    card = (trained / "card.md").read_text()
    assert "24 pages of 24 sites" in card
    assert "F1 of words" in card


@pytest.mark.parametrize("change", ["kind", "features", "gone", "learner"])
def test_a_model_that_does_not_fit_is_refused_with_what_to_do(trained, tmp_path, change):
    folder = tmp_path / "model"
    shutil.copytree(trained, folder)
    stated = json.loads((folder / "model.json").read_text())
    if change == "kind":
        stated["kind"] = "blocks"
    elif change == "features":
        stated["features"] = [*stated["features"], "colour"]
    elif change == "gone":
        (folder / "names.tsv").unlink()
    else:
        (folder / "second" / "arrays.npz").write_bytes(b"PK")
    (folder / "model.json").write_text(json.dumps(stated))
    with pytest.raises(ModelMismatch, match="parcels train content"):
        open_content_model(folder)


def test_the_shipped_model_fits_this_code():
    model = content_model_at()
    assert set(model.types.types) >= {"article", "forum", "product", "listing", "documentation", "service"}
    assert (files("parcels.models") / "content" / "card.md").is_file()


def test_every_feature_has_a_column():
    page = read_page("<h1>Fire</h1><ul><li>a<li>b<li>c</ul><p>It burnt down.")
    parts = parts_of(page)
    clues = ClueCounts.empty().clues()
    rows = features.features(parts, Stated((), "", ""), clues, node_tokens(parts))
    assert rows.shape == (len(parts), len(features.NAMES))
    assert np.isfinite(rows).all()
    assert context.context(parts, np.full(len(parts), 0.5)).shape == (len(parts), len(context.NAMES))
    assert len(set(features.NAMES)) == len(features.NAMES)


def test_a_site_counts_once_as_a_clue():
    counts = ClueCounts.empty()
    for site in ("a", "b", "c", "d", "e"):
        page = read_page("<div class=story><p>The sea was calm and the lamp was lit.</div><div class=ads>Buy now</div>")
        counts.add(parts_of(page), np.array([1.0, 0.0]), site)
    clues = counts.clues()
    assert clues.names["story"] > 0 > clues.names["ads"]
    assert "story" not in counts.clues({"a", "b"}).names  # too few sites are left


def test_names_are_cut_into_words():
    assert name_tokens("postBody post_body x1") == ("post", "body")


def test_scores_are_those_of_the_benchmarks():
    assert word_f1("a b", "a b") == 1.0
    assert word_f1("", "") == 1.0
    assert shingle_f1([shingle_scores("a b c d e", "a b c d"), shingle_scores("a b c d", "")]) == pytest.approx(0.4)
    assert contains("a b c", "c b a d")
    assert not contains("a b c", "a b")
    assert field_scores({"published": "2024-05-03"}, {"published": "2024-05-03T10:00"}) == {"published": 1.0}


def test_an_interval_holds_the_mean():
    low, high = interval([0.0, 1.0, 1.0, 0.5], ["a", "b", "c", "d"])
    assert low <= 0.625 <= high


def test_learning_needs_gold_text(tmp_path):
    pq.write_table(pa.table({"page": ["a"], "html": [b"<p>x"]}), tmp_path / "pages.parquet")
    with pytest.raises(InputMissing, match="text"):
        read_examples([tmp_path])


def test_the_command_line_extracts_trains_and_evaluates(trained, corpus, tmp_path, capsys):
    page = tmp_path / "one.html"
    page.write_text(made_page(50)[0])
    assert main(["extract", str(page), "--model", str(trained)]) == 0
    assert json.loads(capsys.readouterr().out)["page"] == "one"
    assert main(["extract", str(page), "--model", str(trained), "--format", "md"]) == 0
    assert "\n# Diary 50\n" in capsys.readouterr().out
    assert main(["extract", str(tmp_path), "--model", str(trained), "--format", "text", "--no-progress"]) == 0
    assert "the sea was calm" in json.loads(capsys.readouterr().out)["text"]
    assert main(["evaluate", "articles", "--data", str(corpus), "--model", str(trained), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["parcels"]
    assert found["word_f1"] > 0.9
    assert found["title"] == 1.0


def test_an_unknown_model_is_one_error(capsys):
    assert main(["extract", "-", "--model", "nosuch"]) == 2
    assert "nosuch" in capsys.readouterr().err
