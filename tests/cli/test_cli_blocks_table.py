"""`parcels blocks --format table`: for people, in colour on a terminal, safe whatever a page says."""

import os
import pty
import re
import subprocess
import sys

import pytest

from parcels.cli.main import main
from parcels.cli.output.blocks_table import TableStyle, table_of
from parcels.results import blocks

PAGE = (
    "<title>x</title><nav><a href=/>Home</a> <a href=/w>World</a></nav><h1>Ferry runs aground off the pier</h1>"
    "<p>" + "Nobody was hurt when the ferry ran aground, the harbour master said on Tuesday. " * 4 + "</p>"
    "<img src=x.jpg width=300 height=200>"
)


@pytest.fixture
def page(tmp_path):
    file = tmp_path / "ferry.html"
    file.write_text(PAGE)
    return file


def on_a_terminal(command, **environ):
    """The output of a command on a pseudo-terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stdout=theirs, stderr=subprocess.DEVNULL, env={**os.environ, **environ}) as process:
        os.close(theirs)
        read = bytearray()
        try:
            while part := os.read(ours, 4096):
                read += part
        except OSError:  # the other end was closed
            pass
        assert process.wait() == 0
    os.close(ours)
    return read.decode().replace("\r\n", "\n")


def test_each_block_is_a_line_with_label_confidence_area_and_text(page, capfd):
    assert main(["blocks", str(page), "--format", "table"]) == 0
    head, *lines = capfd.readouterr().out.splitlines()
    assert head.split() == ["n", "label", "confidence", "area", "text"]
    assert len(lines) == 4
    assert re.fullmatch(r"1  title +\d+% +\w+ +Ferry runs aground off the pier", lines[1])
    assert lines[2].endswith("…")
    assert max(map(len, lines)) <= 120
    assert lines[3].endswith("[img]")


def test_colours_are_for_terminals_and_can_be_switched_off(page):
    command = [sys.executable, "-m", "parcels.cli", "blocks", str(page), "--format", "table"]
    plain = {"COLUMNS": "60", "TERM": "xterm", "NO_COLOR": ""}
    coloured = on_a_terminal(command, **plain)
    assert "\x1b[38;5;160mtitle" in coloured
    without = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert max(map(len, without.splitlines())) == 60
    assert on_a_terminal(command, **plain | {"NO_COLOR": "1"}) == without
    assert b"\x1b" not in subprocess.run(command, capture_output=True, check=True).stdout


def test_nothing_that_a_page_says_reaches_the_terminal_raw():
    evil = "<p>Title \x1b]0;owned\x07 \x1b[2J \u202egnp.exe \x9b31m 日本語のテキスト " + "長" * 80
    text = table_of(blocks(evil), TableStyle(columns=80, colours={}))
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text)
    assert len(text.splitlines()) == 2


def test_several_pages_have_their_names_and_a_bad_one_is_on_stderr_only(page, capfd):
    (page.parent / "empty.html").write_bytes(b"")
    assert main(["blocks", str(page.parent), "--format", "table", "--no-progress", "--workers", "2"]) == 0
    said = capfd.readouterr()
    assert said.out.startswith("ferry\nn ")
    assert "error" not in said.out
    assert "empty" in said.err
