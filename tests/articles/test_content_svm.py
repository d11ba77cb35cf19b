"""Yao and Zuo's extractor: its blocks, features and tokens, the machine without scikit-learn, models of plain data."""

import json
import shutil
import subprocess
import sys

import numpy as np
import pytest
from test_articles_model import made_page

from parcels.articles.scores import lcs_f1, word_f1
from parcels.articles.svm.blocks import text_blocks
from parcels.articles.svm.examples import page_of
from parcels.articles.svm.features import POSITION, SETS, TEXT, features, names_of
from parcels.articles.svm.machine import Machine
from parcels.articles.svm.model import extract_page, open_svm_model, svm_model_at
from parcels.articles.svm.tokens import surest_tokens
from parcels.articles.svm.train import OURS, PAPER, SvmSettings, train
from parcels.cli import main
from parcels.errors import ConfigError, ModelMismatch
from parcels.html.page import read_page


def made(site: int):
    html, gold = made_page(site)
    return page_of({"page": f"p{site}", "html": html.encode(), "text": gold, "url": f"https://house{site}.example/"})


@pytest.fixture(scope="module")
def pages():
    return [made(site) for site in range(12)]


@pytest.fixture(scope="module")
def folder(pages, tmp_path_factory):
    out = tmp_path_factory.mktemp("svm") / "model"
    train(pages).save(out)
    return out


def test_the_seven_numbers_of_a_text_are_those_of_the_paper():
    page = read_page("<p>" + "word " * 19 + "end.<p>Two words. And <a href=x>three more words</a> here.")
    rows = dict(zip(TEXT, features(text_blocks(page), (), of=SETS[0]).T, strict=True))
    assert rows["words"].tolist() == [20, 7]
    assert rows["words_quotient"].tolist() == [1, 7 / 20]
    assert rows["sentence_words"].tolist() == [20, 3.5]
    assert rows["text_density"].tolist() == [20 / 2, 7]  # 99 characters are two lines of 80
    assert rows["link_density"].tolist() == [0, 3 / 7]


def test_positions_are_discrete_and_sets_grow():
    blocks = text_blocks(read_page("<p>a" * 8))
    whole = features(blocks, ("nav",), positions=4)
    assert whole[:, len(TEXT)].tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert [features(blocks, ("nav",), of=one).shape[1] for one in SETS] == [7, 8, 9]
    assert names_of(("nav",))[7:] == [POSITION, "has_nav"]


def test_a_token_of_one_frequent_nuisance_beats_a_rare_one_and_content_never_wins():
    names = [("nav",)] * 8 + [("ad",)] * 2 + [("story",)] * 10
    assert surest_tokens(names, [False] * 10 + [True] * 10, [1.0] * 20, count=3) == ("nav", "ad", "story")


@pytest.mark.parametrize("settings", [PAPER, OURS], ids=["paper", "ours"])
def test_it_learns_pages_of_other_sites(pages, settings: SvmSettings):
    model, unseen = train(pages, settings), made(77)
    taken, expected = model.taken(unseen.blocks)
    assert taken.tolist() == unseen.is_content.tolist()
    assert 0.5 < expected <= 1
    assert "menu" in model.tokens


def test_our_decision_function_is_that_of_scikit_learn():
    from sklearn.svm import SVC

    rng = np.random.default_rng(3)
    rows = rng.normal(size=(300, 4))
    y = (rows[:, 0] * rows[:, 1] > 0).astype(int)
    machine = Machine.fitted(rows, y, np.ones(300), strength=2.0, gamma=0.7, tail=0.0)
    theirs = SVC(C=2.0, gamma=0.7).fit(machine.scale(rows), y)
    other = rng.normal(size=(700, 4))
    assert machine.decide(other) == pytest.approx(theirs.decision_function(machine.scale(other)), abs=1e-4)


def test_a_saved_model_says_the_same(pages, folder):
    unseen = made(50).blocks
    assert open_svm_model(folder).decide(unseen) == pytest.approx(train(pages).decide(unseen), abs=1e-6)


@pytest.mark.parametrize("change", ["kind", "tokens", "positions", "gone", "short", "pickle", "nan"])
def test_a_model_that_does_not_fit_is_refused_with_what_to_do(folder, tmp_path, change):
    copy = tmp_path / "model"
    shutil.copytree(folder, copy)
    stated = json.loads((copy / "model.json").read_text())
    arrays = dict(np.load(copy / "arrays.npz"))
    if change == "kind":
        stated["kind"] = "content"
    elif change == "tokens":
        stated["tokens"] = ["nav"] * 400
    elif change == "positions":
        stated["positions"] = 10**12
    elif change == "gone":
        (copy / "arrays.npz").unlink()
    elif change == "short":
        np.savez(copy / "arrays.npz", **arrays | {"weights": arrays["weights"][:-1]})
    elif change == "pickle":
        np.savez(copy / "arrays.npz", **arrays | {"weights": np.array([{}], object)})
    else:
        np.savez(copy / "arrays.npz", **arrays | {"low": arrays["low"] * np.nan})
    (copy / "model.json").write_text(json.dumps(stated))
    with pytest.raises(ModelMismatch, match="parcels train content-svm"):
        open_svm_model(copy)


def test_the_shipped_model_extracts_without_scikit_learn():
    html, gold = made_page(5)
    found = extract_page(read_page(html), svm_model_at())
    assert word_f1(gold, found.text) > 0.8
    assert (found.title, found.page_type) == ("Diary 5", None)
    code = "import sys, parcels.cli.commands.extract as e; e.svm_model_at(); print('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout.strip() == b"False"


@pytest.mark.parametrize("html", ["", "<p>", "<img alt=x>", "<p>" + "word " * 50_000, "<p>a" * 20_000])
def test_odd_pages_give_an_article(html):
    found = extract_page(read_page(html or "<html></html>"), svm_model_at())
    assert 0 <= found.confidence <= 1


def test_the_command_line_has_it_and_tells_a_wrong_model(tmp_path, capsys):
    page = tmp_path / "one.html"
    page.write_text(made_page(8)[0])
    assert main(["extract", str(page), "--extractor", "svm"]) == 0
    assert "the sea was calm" in json.loads(capsys.readouterr().out)["text"]
    assert main(["extract", str(page), "--extractor", "svm", "--model", "nosuch"]) == 2
    assert "content_svm" in capsys.readouterr().err
    with pytest.raises(ConfigError):
        svm_model_at("nosuch")


def test_the_longest_common_subsequence_knows_order():
    assert lcs_f1("a b c d", "a b c d") == 1.0
    assert lcs_f1("a b c d", "d c b a") == 0.25
    assert (lcs_f1("", ""), lcs_f1("a", "")) == (1.0, 0.0)
