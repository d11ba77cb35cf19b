"""`parcels layout`: the fields that others rely on, pictures, messages."""

import json
import os
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

import parcels
from parcels.cli.main import main

PAGE = "<div id=header><a href=/>Post</a></div><div id=main><h1>Fire</h1><p>Nobody was hurt.</div>"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "fire.html"
    file.write_text(PAGE)
    return file


def output(capfdbinary: pytest.CaptureFixture[bytes]) -> list[dict]:
    return [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]


def test_a_page_is_one_line_with_the_fields_of_the_contract(page: Path, capfdbinary: pytest.CaptureFixture[bytes]):
    assert main(["layout", str(page)]) == 0
    [line] = output(capfdbinary)
    assert line["page"] == "fire"
    assert line["width"] == 1000
    assert line["height"] > 0
    element = line["elements"][-1]
    assert element["xpath"] == "/html/body/div[2]/p"
    assert element["tag"] == "p"
    assert len(element["box"]) == 4
    assert {found["area"] for found in line["elements"]} <= {"header", "footer", "left", "right", "centre"}
    assert [leaf["text"] for leaf in line["leaves"]] == ["Post", "Fire", "Nobody was hurt."]
    assert set(line["leaves"][0]) == {"kind", "text", "box", "area", "hidden_reason"}


def test_the_python_function_has_the_same_fields(page: Path, capfdbinary: pytest.CaptureFixture[bytes]):
    main(["layout", str(page)])
    [line] = output(capfdbinary)
    found = parcels.layout(page.read_bytes())
    assert json.loads(json.dumps(found.to_json())) | {"page": "fire"} == line


def test_the_function_can_be_called_after_its_modules_were_imported():
    import parcels.layout.boxes

    assert parcels.layout("<p>One").leaves[0].text == "One"


def test_a_folder_gives_a_line_a_page_with_two_workers_too(page: Path, capfdbinary: pytest.CaptureFixture[bytes]):
    (page.parent / "ash.html").write_text("<p>Ash")
    (page.parent / "empty.html").write_bytes(b"")
    assert main(["layout", str(page.parent), "--workers", "2", "--no-progress"]) == 0
    lines = output(capfdbinary)
    assert [line["page"] for line in lines] == ["ash", "empty", "fire"]
    assert "error" in lines[1]


def test_the_width_and_a_folder_of_sheets_change_the_boxes(page: Path, capfdbinary: pytest.CaptureFixture[bytes]):
    page.write_text("<!doctype html><link rel=stylesheet href=/css/site.css>" + PAGE)
    sheets = page.parent / "css"
    sheets.mkdir()
    (sheets / "site.css").write_text("#main { width: 50% } body { margin: 0 }")
    assert main(["layout", str(page), "--css", str(page.parent), "--width", "600"]) == 0
    [line] = output(capfdbinary)
    boxes = {element["xpath"]: element["box"] for element in line["elements"]}
    assert boxes["/html/body/div[2]"][2] == 300


def test_a_picture_is_a_png_of_the_pages_size(page: Path, capfdbinary: pytest.CaptureFixture[bytes]):
    target = page.parent / "page.png"
    assert main(["layout", str(page), "--png", str(target)]) == 0
    [line] = output(capfdbinary)
    data = target.read_bytes()
    width, height = int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert (width, height) == (1000, int(line["height"]))
    start = data.index(b"IDAT") + 4
    length = int.from_bytes(data[start - 8 : start - 4])
    assert len(zlib.decompress(data[start : start + length])) == height * (1 + 3 * width)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--css", "no-such-folder"], "folder does not exist"),
        (["--png", "no/such/folder/x.png"], "does not exist"),
        (["--width", "5"], "must be 100 to 10000 pixels, got 5"),
        (["--recogniser", "vips"], "invalid choice"),
    ],
)
def test_a_wrong_setting_is_told_and_exits_with_2(
    page: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
):
    assert main(["layout", str(page), *words]) == 2
    assert message in capsys.readouterr().err


def test_a_picture_of_several_pages_is_refused(page: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["layout", str(page), str(page), "--png", "x.png"]) == 2
    assert "single page" in capsys.readouterr().err


def test_the_command_needs_no_playwright_unless_chromium_is_asked_for():
    code = "import sys, parcels.cli.commands.layout; sys.exit('playwright' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_share_of_style_sheets_at_hand_is_stated(page: Path, capfdbinary: pytest.CaptureFixture[bytes]):
    (page.parent / "site.css").write_text("body { margin: 0 }")
    page.write_text("<link rel=stylesheet href=site.css><link rel=stylesheet href=gone.css>" + PAGE)
    assert main(["layout", str(page)]) == 0
    assert main(["layout", str(page), "--css", str(page.parent)]) == 0
    assert [line["css_coverage"] for line in output(capfdbinary)] == [0.0, 0.5]
    assert parcels.layout(PAGE).css_coverage == 1.0


@pytest.mark.chromium
@pytest.mark.parametrize("words", [["layout"], ["layout", "--workers", "2"], ["segment"]])
def test_chromium_gives_the_same_structure_and_ends_quietly(words: list[str], page: Path, chromium_path: Path):
    command = [sys.executable, "-m", "parcels.cli", words[0], str(page), *words[1:], "--renderer", "chromium"]
    done = subprocess.run([*command, "--no-progress"], capture_output=True, check=True)
    assert done.stderr == b""
    line = json.loads(done.stdout)
    if words[0] == "layout":
        assert line["renderer"] == "chromium"
        assert line["elements"][-1]["xpath"] == "/html/body/div[2]/p"
        assert len(line["elements"][-1]["box"]) == 4
    else:
        assert line["segments"]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_missing_chromium_is_one_line(workers: str, page: Path, tmp_path: Path):
    command = [sys.executable, "-m", "parcels.cli", "layout", str(page), str(page), "--renderer", "chromium"]
    environ = {**os.environ, "PATH": str(tmp_path)}
    done = subprocess.run(
        [*command, "--workers", workers, "--no-progress"], capture_output=True, text=True, env=environ, check=False
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "apt-get install chromium" in done.stderr


def test_a_missing_playwright_is_one_line(page: Path, tmp_path: Path):
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    (tmp_path / "playwright.py").write_text("raise ImportError('none here')")
    environ = {**os.environ, "PATH": str(tmp_path), "PYTHONPATH": f"{tmp_path}:{Path(parcels.__file__).parents[1]}"}
    command = [sys.executable, "-m", "parcels.cli", "layout", str(page), "--renderer", "chromium"]
    done = subprocess.run(command, capture_output=True, text=True, env=environ, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "needs playwright: pip install" in done.stderr
