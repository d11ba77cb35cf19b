"""The Python functions and commands accept pages in several forms and refuse everything else."""

import gzip
import random
import zlib
from pathlib import Path

import pytest

import parcels
from parcels.cli.main import main
from parcels.errors import ConfigError, InputMissing, SkipRecord
from parcels.html.page import open_page, read_page

STORY = (
    "<title>Fire</title><h1>Fire at the pier</h1>" + "<p>The old pier burnt down last night, and nobody was hurt." * 6
)
FUNCTIONS = [parcels.blocks, parcels.extract, parcels.layout, parcels.segment]
RANDOM = random.Random(0).randbytes(20_000)
NOT_PAGES = {
    "png": b"\x89PNG\r\n\x1a\n" + RANDOM[:500],
    "pdf": b"%PDF-1.7\n" + RANDOM[:500],
    "random": RANDOM,
    "short": RANDOM[:300],
    "deflated": zlib.compress(STORY.encode() * 50)[2:],
    "tags in random": RANDOM[:2000] + b"<p><a href=x><div>" + RANDOM[2000:],
    "sqlite": b"SQLite format 3\0" + bytes(100),
}


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_a_path_is_read_and_a_name_is_refused_with_the_fix(function, tmp_path, monkeypatch):
    (tmp_path / "a.html").write_text(STORY)
    (tmp_path / "b.html.gz").write_bytes(gzip.compress(STORY.encode()))
    assert function(tmp_path / "a.html").page == "a"
    assert function(tmp_path / "b.html.gz").page == "b"
    with pytest.raises(ConfigError, match=r"pathlib\.Path\('pages/x\.html'\)"):
        function("pages/x.html")
    with pytest.raises(InputMissing, match=r"no file .*none\.html"):
        function(tmp_path / "none.html")
    with pytest.raises(TypeError, match="got NoneType"):
        function(None)


def test_a_string_that_names_an_existing_file_is_not_opened(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("secret").write_text("<p>The secret.")
    with pytest.raises(ConfigError, match="secret"):
        open_page("secret")
    with pytest.raises(ConfigError, match="is an address"):
        open_page("https://post.example/pier")
    assert open_page("no such file").leaves.text == ["no such file"]
    assert open_page("<p>x.html").leaves.text == ["x.html"]
    assert open_page(bytearray(b"<p>x")).leaves.text == ["x"]


@pytest.mark.parametrize("name", NOT_PAGES)
def test_bytes_that_are_no_page_are_refused(name, tmp_path, capsys):
    with pytest.raises(SkipRecord) as refused:
        read_page(NOT_PAGES[name])
    assert refused.value.reason == "binary"
    (tmp_path / "a.html").write_bytes(NOT_PAGES[name])
    (tmp_path / "b.html.gz").write_bytes(gzip.compress(NOT_PAGES[name]))
    for file in ("a.html", "b.html.gz"):
        assert main(["extract", str(tmp_path / file), "--format", "text"]) == 3
        assert "binary" in capsys.readouterr().err


@pytest.mark.parametrize(
    "charset", ["koi8-r", "cp866", "mac_cyrillic", "shift_jis", "iso2022_jp", "utf-16-le", "utf-32-be"]
)
def test_unusual_charsets_are_pages(charset):
    text = "<meta charset={}><p>{}".format(charset, "Сегодня хорошая погода" if charset[:1] in "kcmu" else "今日の天気")
    page = read_page(text.encode(charset, "replace"), content_type=f"text/html; charset={charset}")
    assert page.leaves.text == [text.rpartition(">")[2]]


def test_a_page_with_zeros_between_its_letters_is_still_a_page():
    assert read_page(b"<p>\0a\0b\0c\0</p>\0").leaves.text == ["abc"]
