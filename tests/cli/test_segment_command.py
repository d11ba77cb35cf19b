"""`parcels segment`: what it prints, its picture, and what it says of bad input."""

import json
import subprocess
import sys

import pytest
from segment_pages import MARKED, unmarked, write_marked_pages

import parcels
from parcels.cli import main
from parcels.segments.segmenters import SEGMENTERS

PAGE = unmarked(MARKED.format(site="coast.example", words="soon"))


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "fire.html"
    path.write_text(PAGE)
    return path


def printed(capsys, *words):
    assert main(["segment", *map(str, words), "--no-progress"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("segmenter", SEGMENTERS)
def test_each_leaf_is_in_exactly_one_final_segment(capsys, page, segmenter):
    (found,) = printed(capsys, page, "--segmenter", segmenter)
    assert found["page"] == "fire"
    assert found["segmenter"] == segmenter
    parents = {segment["parent"] for segment in found["segments"]}
    finals = [segment for segment in found["segments"] if segment["n"] not in parents]
    leaves = sorted(leaf for segment in finals for leaf in segment["leaves"])
    assert leaves == list(range(len(found["leaves"])))
    assert [segment["n"] for segment in found["segments"]] == list(range(len(found["segments"])))
    assert found["informative"] in [segment["n"] for segment in finals]


def test_leaves_are_those_of_blocks(capsys, page):
    (found,) = printed(capsys, page)
    blocks = parcels.blocks(PAGE, model=None).blocks
    expected = [(leaf.kind, leaf.text) for block in blocks for leaf in block.leaves]
    assert [(leaf["kind"], leaf["text"]) for leaf in found["leaves"]] == expected


def test_the_function_gives_what_the_command_prints(capsys, page):
    (found,) = printed(capsys, page)
    result = json.loads(json.dumps(parcels.segment(PAGE).to_json()))
    assert result["segments"] == found["segments"]
    assert result["informative"] == found["informative"]


def test_a_segment_holds_its_parts_and_a_box_around_them(capsys, page):
    (found,) = printed(capsys, page, "--level", 2)
    segments = found["segments"]
    for segment in segments[1:]:
        around = segments[segment["parent"]]
        assert set(segment["leaves"]) <= set(around["leaves"])
        if segment["box"]:
            x, y, w, h = segment["box"]
            left, top, wide, high = around["box"]
            assert left - 0.2 <= x
            assert top - 0.2 <= y
            assert x + w <= left + wide + 0.2
            assert y + h <= top + high + 0.2


def test_a_picture_is_drawn(capsys, page, tmp_path):
    printed(capsys, page, "--png", tmp_path / "page.png")
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "words, told",
    [
        (["--model", "no-such-model"], "Unknown model 'no-such-model'"),
        (["--css", "no-such-folder"], "folder does not exist"),
        (["--png", "no/such/folder/x.png"], "does not exist"),
    ],
)
def test_a_wrong_option_is_one_clear_message(capsys, page, words, told):
    assert main(["segment", str(page), *words]) == 2
    assert told in capsys.readouterr().err


def test_a_broken_page_is_a_line_with_its_error(capsys, tmp_path):
    (tmp_path / "bad.html").write_bytes(b"\x00\x01\x02" * 50)
    (tmp_path / "good.html").write_text(PAGE)
    lines = printed(capsys, tmp_path)
    assert [("error" in line) for line in lines] == [True, False]


@pytest.mark.parametrize("html", ["<div>" * 1000 + "x", "<p>a</p>" * 3000, "<table>" * 200 + "y", "<b>x" * 500])
def test_hostile_pages_are_segmented(html):
    found = parcels.segment(html)
    assert sum(len(segment.leaves) for segment in found.finals()) == len(found.leaves)


@pytest.mark.parametrize("segmenter", SEGMENTERS)
def test_a_page_that_shows_nothing_is_one_empty_segment(segmenter):
    found = parcels.segment("<body><script>draw()</script><div></div>", segmenter=segmenter)
    assert [segment.leaves for segment in found.segments] == [()]
    assert found.informative is None


def test_marked_pages_are_scored_by_folds(capsys, tmp_path):
    folder = write_marked_pages(tmp_path / "pages")
    words = ["evaluate", "segments", "--data", str(folder), "--folds", "2", "--against", "bf", "--json"]
    assert main(words) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["pages"] == 6
    assert found["oracle"]["ari"] == 1.0
    assert found["wps-margin"]["ari"] > found["bf"]["ari"]


def test_a_segmenter_is_trained_from_marked_pages_and_used(capsys, page, tmp_path):
    folder = write_marked_pages(tmp_path / "pages")
    assert main(["train", "segmenter", "--data", str(folder), "--out", str(tmp_path / "mine")]) == 0
    assert "6 marked pages" in capsys.readouterr().out
    assert "Trained by" in (tmp_path / "mine" / "card.md").read_text()
    (found,) = printed(capsys, page, "--model", tmp_path / "mine")
    parents = {segment["parent"] for segment in found["segments"]}
    texts = [
        [found["leaves"][leaf]["text"] for leaf in segment["leaves"]]
        for segment in found["segments"]
        if segment["n"] not in parents
    ]
    assert any(own[0] == "Fire at the pier" and own[-1] == "1890" for own in texts)


@pytest.mark.chromium
def test_boxes_of_chromium_are_segmented_on_request(page, chromium_path):
    words = [sys.executable, "-m", "parcels.cli", "segment", str(page), "--renderer", "chromium", "--no-progress"]
    done = subprocess.run([*words, "--segmenter", "vips"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    virtual = parcels.segment(PAGE, segmenter="vips")
    assert [leaf["text"] for leaf in found["leaves"]] == [leaf.text for leaf in virtual.leaves]
    parents = {segment["parent"] for segment in found["segments"]}
    finals = [segment for segment in found["segments"] if segment["n"] not in parents]
    assert sorted(leaf for segment in finals for leaf in segment["leaves"]) == list(range(len(found["leaves"])))
    whole, expected = found["segments"][0]["box"], virtual.segments[0].box
    assert whole[2] == pytest.approx(expected[2], abs=60)
    assert whole != list(expected)  # the browser has its own fonts: no line is as long as on the virtual screen
