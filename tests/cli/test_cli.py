"""The command line: what scripts outside rely on."""

import gzip
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from parcels.cli.main import main
from parcels.cli.table import COMMANDS

PAGE = "<title>t</title><h1>Fire</h1><p>It <b>burnt</b> <a href=x>down</a>.</p><img alt='Ruin'>"


def parcels(*words: object, stdin: bytes = b"", **options: object) -> "subprocess.CompletedProcess[bytes]":
    command = [sys.executable, "-m", "parcels.cli", *map(str, words)]
    return subprocess.run(command, input=stdin, capture_output=True, timeout=120, check=False, **options)


def lines(out: bytes) -> list[dict]:
    return [json.loads(line) for line in out.splitlines()]


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "b.html").write_text(PAGE)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "c.html.gz").write_bytes(gzip.compress(PAGE.replace("Fire", "Flood").encode()))
    (tmp_path / "a.html").write_bytes(b"")
    (tmp_path / "notes.txt").write_text("not a page")
    return tmp_path


def test_the_help_answers_quickly():
    started = time.monotonic()
    done = parcels("--help")
    seconds = time.monotonic() - started
    assert done.returncode == 0
    assert all(name in done.stdout.decode() for name in COMMANDS)
    assert seconds < 2, "0.04 s on an idle machine; the limit allows for a busy one"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name):
    done = parcels(name, "--help")
    assert done.returncode == 0
    assert f"parcels {name}" in done.stdout.decode().rpartition("example:")[2]


def test_one_page_gives_one_json_object(folder):
    done = parcels("blocks", folder / "b.html", "--url", "http://a.example/b")
    (page,) = lines(done.stdout)
    assert page["page"] == "b"
    assert page["url"] == "http://a.example/b"
    first, second, third = page["blocks"]
    assert first["n"] == 0
    assert set(first) >= {"n", "label", "confidence", "views", "importance", "area", "box", "text", "leaves", "spans"}
    assert second["text"] == "It burnt down."
    assert [leaf["text"] for leaf in second["leaves"]] == ["It", "burnt", "down", "."]
    assert third["leaves"] == [{"kind": "img", "text": "Ruin"}]
    assert second["area"] == "centre"
    assert all(len(block["box"]) == 4 for block in page["blocks"])
    (bare,) = lines(parcels("blocks", folder / "b.html", "--no-layout").stdout)
    assert bare["blocks"][0]["box"] is None


def test_a_folder_gives_a_line_a_page_in_order_and_an_error_line_for_a_bad_one(folder):
    done = parcels("blocks", folder)
    pages = lines(done.stdout)
    assert [page["page"] for page in pages] == ["a", "b", "c"]
    assert "empty" in pages[0]["error"]
    assert pages[2]["blocks"][0]["text"] == "Flood"
    assert done.returncode == 0


def test_a_file_whose_name_is_no_text_is_a_page_like_others(tmp_path):
    names = [b"a-\xff.html", b"b-\xe9.html.gz", b"c.html"]
    for name, content in zip(names, [b"<p>One", b"\x1f\x8bbroken", b"<p>Three"], strict=True):
        (tmp_path / os.fsdecode(name)).write_bytes(content)
    pages = lines(parcels("blocks", tmp_path).stdout)
    assert [page["page"] for page in pages] == ["a-\ufffd", "b-\ufffd", "c"]
    assert ["error" in page for page in pages] == [False, True, False]
    address = os.fsdecode(b"http://a.example/\xff")
    assert lines(parcels("blocks", tmp_path / "c.html", "--url", address).stdout)[0]["url"] == "http://a.example/\ufffd"


def test_the_exit_code_is_3_where_no_page_succeeded(folder):
    assert parcels("blocks", folder / "a.html").returncode == 3
    assert parcels("blocks", folder / "nothing.html").returncode == 3


def test_a_parquet_file_gives_its_pages_by_name(tmp_path):
    table = pa.table({
        "page": ["one", "two", "three"],
        "html": pa.array([PAGE.encode(), None, b"%PDF-1.4"], pa.binary()),
        "url": ["http://a.example/", None, None],
        "css": pa.array([[{"path": "a.css", "text": b"p{}"}], None, []],
                        pa.list_(pa.struct({"path": pa.string(), "text": pa.binary()}))),
    })  # fmt: skip
    pq.write_table(table, tmp_path / "pages.parquet")
    pages = lines(parcels("blocks", tmp_path / "pages.parquet").stdout)
    assert [page["page"] for page in pages] == ["one", "two", "three"]
    assert pages[0]["url"] == "http://a.example/"
    assert [page.get("reason") for page in pages] == [None, "empty", "binary"]


def test_standard_input_is_a_page():
    (page,) = lines(parcels("blocks", "-", stdin=PAGE.encode()).stdout)
    assert page["blocks"][0]["text"] == "Fire"


def test_an_address_is_fetched():
    from parcels.example_web import ExampleWeb, article_urls

    with ExampleWeb.serve() as web:
        environment = os.environ | {"http_proxy": web.proxy, "no_proxy": ""}
        url = article_urls("lumen.example")[0]
        (page,) = lines(parcels("blocks", url, env=environment).stdout)
        assert page["url"] == url
        assert len(page["blocks"]) > 30
        missing = parcels("blocks", "http://lumen.example/no-such-page", env=environment)
    assert missing.returncode == 3
    assert b"http-status" in missing.stderr


def test_workers_give_the_same_lines_in_the_same_order(folder):
    for number in range(40):
        (folder / f"p{number:02}.html").write_text(PAGE.replace("Fire", f"Fire {number}"))
    assert parcels("blocks", folder, "--workers", 2).stdout == parcels("blocks", folder).stdout


def test_out_writes_a_file_that_appears_only_when_it_is_complete(folder):
    done = parcels("blocks", folder, "--out", folder / "blocks.jsonl")
    assert done.stdout == b""
    assert len(lines((folder / "blocks.jsonl").read_bytes())) == 3
    assert not list(folder.glob("*.part"))
    assert parcels("blocks", folder, "--out", folder / "no" / "such" / "folder").returncode == 2


def test_a_damaged_gzip_file_is_an_error_line(folder):
    (folder / "d.html.gz").write_bytes(gzip.compress(PAGE.encode() * 100)[:-20])
    bad = lines(parcels("blocks", folder).stdout)[2]
    assert bad["page"] == "d"
    assert bad["reason"] == "bad-gzip"


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["blokcs"], "'blocks'"),
        (["blocks", "x.html", "--divder", "fine"], "--divider"),
        (["blocks", "x.html", "--divider", "finest"], "fine"),
        (["blocks"], "PAGE"),
        (["blocks", "x.html", "--workers", "0"], "at least 1"),
    ],
)
def test_wrong_usage_is_exit_code_2_with_a_hint(words, hint, capfd):
    assert main(words) == 2
    assert hint in capfd.readouterr().err


def test_a_reader_that_goes_away_is_no_error(folder):
    for number in range(200):
        (folder / f"p{number}.html").write_text(PAGE * 50)
    command = f"{sys.executable} -m parcels.cli blocks {folder} | head -c 100"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, timeout=60, check=False)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


def test_an_unexpected_error_is_told_as_a_bug(monkeypatch, capfd, folder):
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("parcels.processed_page.read_page", broken)
    assert main(["blocks", str(folder / "b.html")]) == 1
    assert "This is a bug" in capfd.readouterr().err


def test_progress_is_told_in_plain_lines_and_only_after_two_seconds(monkeypatch, capfd):
    from parcels.common import progress

    monkeypatch.setattr(progress, "QUIET_SECONDS", 0.0)
    with progress.Progress("pages", total=3) as told:
        told.add(1)
        told.add(2, failed=1)
    said = capfd.readouterr().err
    assert "3 of 3 pages" in said
    assert "1 failed" in said
    monkeypatch.setattr(progress, "QUIET_SECONDS", 60.0)
    with progress.Progress("pages", total=3) as told:
        told.add(3)
    assert capfd.readouterr().err == ""
