"""The benchmark of segments goes on where it was killed, reads no scores of another state, and judges all draws."""

import numpy as np
import pytest
from segment_pages import write_marked_pages

from benchmarks.quality import segments_folds
from benchmarks.quality.segments_draws import AHEAD, FIELDS, SEEDS, lead, page_means, shortfalls
from benchmarks.quality.segments_folds import Group, kept_fold
from parcels.learn.folds import fold_of_group
from parcels.segments.evaluate import PageScore, fold_scores
from parcels.segments.examples import read_marked
from parcels.segments.segmenters import BASELINES, DEFAULT

QUICK = Group("quick", ("bf",), ("segment/block_fusion.py",))


@pytest.fixture
def marked(tmp_path, monkeypatch):
    monkeypatch.setattr(segments_folds, "KEPT", tmp_path / "kept")
    pages, _ = read_marked(write_marked_pages(tmp_path / "pages"))
    return pages


def unread():
    raise AssertionError("the pages were read again")


def test_a_fold_that_was_scored_is_not_scored_again(marked):
    first, was_kept = kept_fold(lambda: marked, 0, seed=0, level=1, group=QUICK, state="a")
    assert not was_kept
    again, was_kept = kept_fold(unread, 0, seed=0, level=1, group=QUICK, state="a")
    assert was_kept
    assert again == first


def test_every_draw_is_kept_by_itself_and_draw_0_is_the_one_without_a_seed(marked):
    first, _ = kept_fold(lambda: marked, 0, seed=0, level=1, group=QUICK, state="a")
    assert first == fold_scores(marked, 0, level=1, segmenters=["bf"])
    held_out = {tuple(page.page for page in first["bf"])}
    for seed in range(1, 6):
        other, was_kept = kept_fold(lambda: marked, 0, seed=seed, level=1, group=QUICK, state="a")
        assert not was_kept
        assert other == fold_scores(marked, 0, level=1, segmenters=["bf"], seed=seed)
        held_out.add(tuple(page.page for page in other["bf"]))
    assert len(held_out) > 1


def test_no_new_draw_is_one_that_something_was_chosen_by():
    assert not set(SEEDS) & set(range(1, 9))
    sites = np.array([f"site{number}" for number in range(71)])
    draws = {tuple(fold_of_group(sites, folds=4, seed=seed)) for seed in (*range(1, 9), *SEEDS)}
    assert len(draws) == 8 + len(SEEDS)


def test_scores_of_another_state_and_half_written_ones_are_not_read(marked, tmp_path):
    first, _ = kept_fold(lambda: marked, 0, seed=0, level=1, group=QUICK, state="a")
    (tmp_path / "kept" / "quick-b-level1-draw0-fold1.half").write_text("{")
    other, was_kept = kept_fold(lambda: marked, 0, seed=0, level=1, group=QUICK, state="b")
    assert not was_kept
    assert other == first


def test_scores_are_of_another_state_where_a_compiled_source_changes(tmp_path, monkeypatch):
    package = tmp_path / "parcels"
    (package / "layout").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "layout" / "boxes.pyx").write_text("1")
    (package / "layout" / "boxes.so").write_text("built")
    monkeypatch.setattr(segments_folds.parcels, "__file__", str(package / "__init__.py"))
    monkeypatch.setattr(segments_folds, "SHARED", ("layout",))
    monkeypatch.setattr(segments_folds, "fingerprint", lambda corpus: "same")
    states = [Group("quick", (), ()).state()]
    for name in ("boxes.so", "boxes.pyx"):
        (package / "layout" / name).write_text("other")
        states.append(Group("quick", (), ()).state())
    assert states[0] == states[1] != states[2]


def draw(slack=(True, True, False), baseline=(True, False, False), ari=0.9, order=1):
    """Three pages, the first two with an informative block, the first with no other; baselines have 0.8."""
    ours = {DEFAULT: (slack, ari), "wps-slack": (slack, ari)}
    found = {}
    for name, (right, index) in (ours | dict.fromkeys(BASELINES, (baseline, 0.8))).items():
        answers = zip("abc", (right[0], right[1], None), (True, False, False), strict=True)
        pages = [PageScore(page, page, index, index, answer, is_sole) for page, answer, is_sole in answers]
        found[name] = pages[::order]
    return found


def test_a_page_is_averaged_over_draws_whatever_their_order():
    means = page_means([draw(slack=(True, True)), draw(slack=(True, False), order=-1), draw(slack=(False, False))])
    assert means["wps-slack"]["is_informative_right"] == pytest.approx({"a": 2 / 3, "b": 1 / 3})
    assert means["wps-slack"]["is_sole_right"] == pytest.approx({"a": 2 / 3})
    assert set(means["wps-slack"]["ari"]) == set("abc")
    assert lead(means, "wps-slack", "gcuts", "is_informative_right") == pytest.approx([-1 / 3, 1 / 3])
    fewer = {name: pages[:2] for name, pages in draw().items()}
    with pytest.raises(ValueError, match="same pages"):
        page_means([draw(), fewer])


def test_ahead_is_above_every_baseline_on_the_mean_of_all_draws_and_no_tie():
    ahead = page_means([draw(baseline=(False, True)), draw(slack=(True, False), baseline=(False, False))])
    assert shortfalls({1: ahead, 2: ahead}) == []
    tie = page_means(
        [draw(slack=(True, True), baseline=(False, True)), draw(slack=(False, True), baseline=(True, False))]
    )
    assert [line for line in shortfalls({1: ahead, 2: tie}) if "informative" in line] == []
    missed = [line for line in shortfalls({1: ahead, 2: tie}) if "is_sole" in line]
    assert len(missed) == len(BASELINES)
    assert all(line.startswith("level 2") for line in missed)


def test_one_baseline_that_is_not_left_behind_is_told():
    scores = draw(baseline=(False, False))
    scores["gcuts"] = scores["wps-slack"]
    assert {line.split(": ")[0] for line in shortfalls({1: page_means([scores])})} == {
        "level 1, ari", "level 1, is_informative_right", "level 1, is_sole_right"
    }  # fmt: skip
    assert all("less gcuts" in line for line in shortfalls({1: page_means([scores])}))
    near = draw(baseline=(False, False), ari=0.8 + AHEAD / 2)
    assert {line.split(": ")[0] for line in shortfalls({1: page_means([near])})} == {"level 1, ari"}


def test_a_page_has_every_score_or_is_left_out_of_it():
    means = page_means([draw()])
    assert [len(means[DEFAULT][field]) for field in FIELDS] == [3, 3, 2, 1]
