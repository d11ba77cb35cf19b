"""Time per page grows with the page's size, not with its square: a hostile page costs no more than a large one."""

import contextlib
import json
import time

import pytest

import parcels
from parcels.cli import main
from parcels.errors import SkipRecord

SIZE = 192_000  # characters; a step that is quadratic takes minutes here
SECONDS = 6.0  # of CPU; the slowest shape takes under two on a busy machine
TEXTS = {
    "initials": "A. ",
    "bylines": "| by Ann Lee, ",
    "dates": "2024-01-01 ",
    "words for days": "Monday ",
    "times ago": "5 minutes ago ",
    "digits": "1",
    "dashes": "- ",
    "dots": ".",
    "slashes": "/",
    "brackets": "(",
    "commas": ", ",
    "names": "Ann Lee of Reuters, Paris ",
    "addresses": "a@b.example www. ",
    "one word": "a",
    "compounds": "a-",
}


def repeated(text: str) -> str:
    return text * (SIZE // len(text))


MARKUP = {
    "paragraphs": "<p>x" * 8_000,
    "lines": "<p>By " + "x<br>" * 20_000,
    "items": "<ul>" + "<li>By Ann" * 10_000,
    "links": "<a href=/x>y</a>" * 10_000,
    "cells": "<table>" + "<tr><td>1<td>2" * 6_000,
    "spaces": "<p>a" + " " * SIZE + "x",
    "spaces in an attribute": f"<img alt='a{' ' * SIZE}x'>",
    "a long address": f"<a href='/{repeated('a-')}'>x</a>",
    "a long title": f"<title>{repeated('a - ')}</title><h1>a</h1><p>x",
}


@pytest.fixture(scope="module", autouse=True)
def _models_are_open():
    for function in (parcels.blocks, parcels.extract):
        function("<h1>Fire at the pier</h1><p>By Ann Lee<p>Nobody was hurt.")


HEADS = {
    "authors": "<meta name=author content='{}'>",
    "titles": "<meta property='og:title' content='{}'>",
    "dates": "<meta name=date content='{}'>",
    "linked data": '<script type="application/ld+json">{{"@type": "Article", "headline": "{0}", "author": "{0}"}}'
    "</script>",
}


@pytest.mark.parametrize("name", [*TEXTS, *MARKUP])
@pytest.mark.parametrize("function", [parcels.blocks, parcels.extract], ids=["blocks", "extract"])
def test_a_hostile_page_takes_time_in_proportion_to_its_size(name: str, function):
    page = MARKUP[name] if name in MARKUP else f"<h1>Fire</h1><p>By {repeated(TEXTS[name])}"
    assert seconds(function, page) < SECONDS


@pytest.mark.parametrize("name", HEADS)
def test_hostile_claims_of_a_page_about_itself_take_no_longer(name: str):
    for text in (*TEXTS.values(), "a - ", " ", "by ", "| "):
        page = (
            HEADS[name].format("x" + repeated(text) + "x") + "<h1>Fire at the pier</h1><p>By Ann Lee<p>Nobody was hurt."
        )
        assert seconds(parcels.extract, page) < SECONDS, text


def seconds(function, page: str) -> float:
    """Return the seconds of CPU that a page takes; a page may be refused, too."""
    started = time.process_time()
    with contextlib.suppress(SkipRecord):
        function(page)
    return time.process_time() - started


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_page_past_its_time_limit_is_skipped_and_the_others_are_done(tmp_path, capsys, workers):
    (tmp_path / "a.html").write_text("<p>One")
    (tmp_path / "b.html").write_text("<p>" + repeated("- ") * 40)
    (tmp_path / "c.html").write_text("<p>Three")
    assert main(["blocks", str(tmp_path), "--max-seconds", "3", "--workers", workers]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["page"], line.get("reason")) for line in lines] == [("a", None), ("b", "too-slow"), ("c", None)]
