"""Labels of blocks: training, saving, labelling, explaining; models that are damaged or made by others."""

import json
import shutil
from dataclasses import replace

import numpy as np
import pytest
from labelled_pages import write_labelled_pages
from small_recipe import SMALL

import parcels
from parcels.cli.main import main
from parcels.divide import coarse, fine
from parcels.errors import ConfigError, InputMissing, ModelMismatch
from parcels.features import registry
from parcels.features.registry import NUMBERS
from parcels.html.page import read_page
from parcels.labels import label_set
from parcels.labels.blocks import label_blocks, leaf_labels
from parcels.labels.evaluate import Folders, cross_validate, cross_validate_folders, evaluate
from parcels.labels.examples import read_examples
from parcels.labels.explain import explain
from parcels.labels.features import measure
from parcels.labels.gold import GoldLeaf, block_labels, find
from parcels.labels.model import model_at, open_model, second_rows
from parcels.labels.scores import score, score_page
from parcels.labels.train import train
from parcels.layout.render import lay_out


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_labelled_pages(tmp_path_factory.mktemp("labelled") / "pages")


@pytest.fixture(scope="module")
def examples(folder):
    return list(read_examples(folder))


@pytest.fixture(scope="module")
def model(examples):
    return train(examples, SMALL)


@pytest.fixture(scope="module")
def saved(model, tmp_path_factory):
    target = tmp_path_factory.mktemp("model") / "small"
    model.save(target)
    return target


def test_a_model_learns_the_pages_it_was_trained_on(model, examples):
    found = evaluate(model, examples).score()
    assert found.lost == 0
    assert found.block_error < 0.25
    assert found.f1["maincontent"] > 0.5


def test_held_out_sites_are_scored_once_each_and_worse_than_seen_ones(examples, model):
    held_out = cross_validate(examples, folds=3, recipe=SMALL)
    assert sorted(page.page for page in held_out.pages) == sorted(example.page for example in examples)
    error = held_out.score().block_error
    assert evaluate(model, examples).score().block_error < error < 0.8  # two sites teach little about a third
    low, high = held_out.intervals()["block_error"]
    assert low <= error <= high
    assert held_out.worst(1)[0].wrong_blocks > 0
    assert sum(n for _, _, n in held_out.calibration()) == sum(bool(label) for e in examples for label in e.labels)


def test_two_workers_score_the_folds_as_one_does(folder, capfd):
    folders, lines = Folders((str(folder),)), []
    one, two = (
        cross_validate_folders(folders, folds=3, workers=workers, recipe=SMALL, log=lines.append) for workers in (1, 2)
    )
    assert [page.page for page in one.pages] == [page.page for page in two.pages]
    assert len(one.pages) == 6
    assert one.confidence == two.confidence
    assert one.is_right == two.is_right
    assert lines[-1] == f"so far: {two.in_short()}"
    assert "fold 3 of 3: block error" in capfd.readouterr().err  # what a worker tells while it works


def test_a_pool_teaches(examples, model):
    pool = [example.measured for example in examples[:2]]
    taught = train(examples, SMALL, pool=pool)  # the same seed, so that all but what the pool taught is as in `model`
    page = examples[0].measured
    assert not np.array_equal(taught.predict(page).proba, model.predict(page).proba)
    np.testing.assert_array_equal(taught.predict(page).views["style"], model.predict(page).views["style"])


def test_a_saved_model_says_the_same(model, saved, examples):
    opened = open_model(saved)
    for example in examples[:3]:
        np.testing.assert_allclose(opened.predict(example.measured).proba, model.predict(example.measured).proba)


def test_probabilities_add_up_and_confidence_is_that_of_the_label(model, examples):
    said = model.predict(examples[0].measured)
    np.testing.assert_allclose(said.proba.sum(axis=1), 1)
    label, confidence = said.best()[0]
    assert confidence == pytest.approx(float(said.proba[0].max()), abs=1e-4)
    assert label == said.labels[said.proba[0].argmax()]


def test_a_vocabulary_with_a_word_twice_is_refused(model, tmp_path):
    model.save(tmp_path / "broken")
    words = (tmp_path / "broken" / "terms.txt").read_text("utf-8")
    first = words.split("\n")[0]
    (tmp_path / "broken" / "terms.txt").write_text(f"{words}\n{first}", "utf-8")
    with pytest.raises(ModelMismatch, match="twice"):
        open_model(tmp_path / "broken")


@pytest.mark.parametrize(
    "file", ["model.json", "terms.txt", "names.txt", "style/arrays.npz", "second0/learner.json", "second0/arrays.npz"]
)
def test_a_damaged_model_is_refused_with_its_place(saved, tmp_path, file):
    broken = shutil.copytree(saved, tmp_path / "broken")
    content = (broken / file).read_bytes()
    (broken / file).write_bytes(content[: len(content) // 2])
    with pytest.raises(ModelMismatch, match="broken"):
        open_model(broken)
    (broken / file).unlink()
    with pytest.raises(ModelMismatch, match="broken"):
        open_model(broken)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"version": 99}, "blocks@99"),
        ({"kind": "tagger"}, "tagger@1"),
        ({"temperature": 0}, "temperature"),
        ({"second": 1e9}, "networks"),
        ({"parts": {"../../etc": {}}}, "plain words"),
        ({"second_numbers": ["style", "astrology"]}, "astrology"),
        ({"labels": ["title"]}, "shape|labels"),
        ({"features": {"style": ["gone"]}}, "other features of the view 'style'"),
    ],
)
def test_a_model_of_others_is_refused_with_the_reason(saved, tmp_path, change, told):
    other = shutil.copytree(saved, tmp_path / "other")
    stated = json.loads((other / "model.json").read_text()) | change
    (other / "model.json").write_text(json.dumps(stated))
    with pytest.raises(ModelMismatch, match=told):
        open_model(other)


def test_links_inside_the_text_are_contentlinks(model):
    page = read_page("<p>Some long words of an article about a fire and <a href=/x>a link</a> inside it")
    laid = lay_out(page)
    found = label_blocks(fine.divide(page), measure(fine.divide(page), laid), model)
    expected = ["contentlink"] if found.blocks()[0].label == "maincontent" else [None]
    assert found.leaf_labels[1:2] == expected
    assert found.leaf_labels[0] is None


def test_coarse_blocks_follow_the_fine_ones(model, examples):
    page = examples[0].measured.look.page
    laid = lay_out(page)
    fine_labels = leaf_labels(model.predict(measure(fine.divide(page), laid)), examples[0].measured)
    division = coarse.divide(page)
    found = label_blocks(division, measure(fine.divide(page), laid), model)
    assert len(found.blocks()) == len(division)
    names = label_set()
    for block, (first, end) in zip(found.blocks(), division.ranges(), strict=True):
        inside = {label if label != "contentlink" else "maincontent" for label in fine_labels[first:end]}
        assert block.label in inside
        assert block.importance in {names[label].importance for label in inside}


def test_every_block_of_a_page_gets_a_label_confidence_views_and_importance():
    found = parcels.blocks("<h1>Fire at the pier</h1><p>By Ann Lee<p>LONDON (AP) - Nobody was hurt in the fire.")
    names = label_set().names
    for block in found.blocks:
        assert block.label in names
        assert 0 < block.confidence <= 1
        assert {"style", "words"} <= set(block.views)
        assert block.importance == label_set()[block.label].importance


def test_pages_without_words_or_blocks_are_labelled_too():
    assert parcels.blocks("<img src=x.jpg>").blocks[0].label
    assert parcels.blocks("<p>x").blocks[0].label
    assert all(block.label is None for block in parcels.blocks("<p>x", model=None).blocks)


def test_an_explanation_names_votes_features_and_words(model, examples):
    page = examples[0].measured
    found = explain(model, page, 3)
    assert found.label == model.predict(page).best()[3][0]
    assert set(found.views) == {"style", "words", "names"}
    names = model.second_names
    assert all(reason.name in names for reason in found.features)
    assert set(found.words) == {"words", "names"}
    with pytest.raises(ConfigError, match="Block 100000 does not exist"):
        explain(model, page, 100_000)


def test_the_second_stage_has_a_name_for_every_column(model, examples):
    page = examples[0].measured
    rows = second_rows(page, model.first(page), model.second_numbers)
    names = model.second_names
    assert rows.numbers.shape == (len(page), len(names))
    assert len(set(names)) == len(names)


def test_a_model_is_used_after_features_were_added(model, examples, tmp_path, monkeypatch):
    page = examples[0].measured
    model.save(tmp_path / "model")
    grown = {**page.numbers, "style": np.insert(page.numbers["style"], 3, 7, axis=1)}
    names = (*registry.ALL["style"][:3], "new_feature@1", *registry.ALL["style"][3:])
    monkeypatch.setitem(registry.ALL, "style", names)
    later = open_model(tmp_path / "model")
    assert later.places["style"] == [n for n in range(len(names)) if n != 3]
    again = later.predict(replace(page, numbers=grown))
    assert np.array_equal(again.proba, model.predict(page).proba)


def test_no_view_has_a_constant_column_on_real_looking_pages(examples):
    # Layout tables, sticky bars and the like do not occur on all sites: allow few constants, name them when it fails.
    for view, names in NUMBERS.items():
        rows = np.concatenate([example.measured.numbers[view] for example in examples])
        assert np.isfinite(rows).all()
        constant = [name for name, column in zip(names, rows.T, strict=True) if np.ptp(column) == 0]
        assert len(constant) <= len(names) / 5, constant


def test_gold_is_found_again_when_the_page_has_grown():
    page = read_page("<p>Advertisement<p>Headline<p>A <a href=x>link</a> in text")
    gold = find(page, [GoldLeaf(0, "text", "Headline", "title"), GoldLeaf(1, "text", "A", "maincontent"),
                       GoldLeaf(1, "text", "link", "contentlink"), GoldLeaf(1, "text", "gone", "ads")])  # fmt: skip
    assert gold.at == [1, 2, 3, -1]
    assert block_labels(gold, fine.divide(page)) == ["", "title", "maincontent"]
    found = score_page("p", "s", gold, ["ads", "title", "maincontent", "contentlink", "maincontent"])
    assert (found.blocks, found.wrong_blocks, found.lost, found.wrong_chars) == (2, 0, 1, 4)
    assert score([found], label_set().names).f1 == {"title": 1.0, "maincontent": 1.0, "contentlink": 1.0}


def test_the_commands_train_evaluate_label_and_explain(folder, saved, tmp_path, capsys):
    assert main(["evaluate", "blocks", "--data", str(folder), "--model", str(saved), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["pages"] == 6
    assert told["block_error"] < 0.25
    page = tmp_path / "page.html"
    page.write_text("<h1>Fire at the pier</h1><p>Nobody was hurt.")
    assert main(["blocks", str(page), "--model", str(saved)]) == 0
    assert json.loads(capsys.readouterr().out)["blocks"][0]["label"]
    assert main(["explain", str(page), "0", "--model", str(saved)]) == 0
    assert "views" in capsys.readouterr().out


def test_wrong_names_are_clear_errors(tmp_path, folder, capsys):
    assert main(["evaluate", "blocks", "--data", str(folder), "--folds", "3", "--workers", "0"]) == 2
    assert "--workers" in capsys.readouterr().err
    with pytest.raises(ConfigError, match=r"Unknown model 'nosuch'.* a shipped model \(news\)"):
        model_at("nosuch")
    with pytest.raises(InputMissing, match=r"pages\.parquet"):
        list(read_examples(tmp_path))
    bad = shutil.copytree(folder, tmp_path / "bad")
    next(iter((bad / "gold").glob("*.json"))).write_text('{"leaves": [{"kind": 1}]}')
    with pytest.raises(ConfigError, match="not a file of gold labels"):
        list(read_examples(bad))
