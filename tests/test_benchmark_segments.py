"""The benchmark of segments goes on where it was killed, and reads no scores of another state."""

import pytest
from segment_pages import write_marked_pages

from benchmarks import segments_folds
from benchmarks.segments_folds import Group, kept_fold
from parcels.segment.examples import read_marked

QUICK = Group("quick", ("bf",), ("segment/block_fusion.py",))


@pytest.fixture
def marked(tmp_path, monkeypatch):
    monkeypatch.setattr(segments_folds, "KEPT", tmp_path / "kept")
    pages, _ = read_marked(write_marked_pages(tmp_path / "pages"))
    return pages


def unread():
    raise AssertionError("the pages were read again")


def test_a_fold_that_was_scored_is_not_scored_again(marked):
    first, was_kept = kept_fold(lambda: marked, 0, level=1, group=QUICK, state="a")
    assert not was_kept
    again, was_kept = kept_fold(unread, 0, level=1, group=QUICK, state="a")
    assert was_kept
    assert again == first


def test_scores_of_another_state_and_half_written_ones_are_not_read(marked, tmp_path):
    first, _ = kept_fold(lambda: marked, 0, level=1, group=QUICK, state="a")
    (tmp_path / "kept" / "quick-b-level1-fold1.half").write_text("{")
    other, was_kept = kept_fold(lambda: marked, 0, level=1, group=QUICK, state="b")
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
