"""Words of names and what addresses say: compiled and by patterns the same, for real addresses and for junk."""

import random
from typing import Any

import numpy as np
import pytest

from parcels.urls import registered
from parcels.views import link_targets, tokens
from parcels.views.lexical_words import IMAGE_ENDS, _leads_to
from parcels.views.link_targets import AUTHORS, KINDS, MAX_NAMED, SOCIAL, TOPICS, by_patterns

pytestmark = pytest.mark.skipif(link_targets.loops is None, reason="nothing is compiled here: make setup")

ADDRESSES = [
    "", " ", "#", "#Top-Stories", "?", "?a=1", "/", "//", "a", "mailto:a@b.example", "TEL:1", "javascript:void(0)",
    "https://www.Facebook.com/share", "https://news.example/2017/03/fire-at-the-pier/", "/2017/3/x", "/a/2017/12/",
    "/by/ann-lee", "by/ann", "/x/by", "/tags/", "/topic//x", "/log-in", "/alerts", "/alerts-x", "/alertsx", "/alert_s",
    "https://login.example/", "//cdn.example/x.jpg#y", "/one-two-three-four", "/one-two-three", "/a_b-c_d", "/a--b-c-d",
    "/12345", "/1234", "/news/", "/news/Own-Page/", "/news/Own-Page", "HTTP://A.EXAMPLE", "x:y:z", "/a\nb/by", "/é/by",
    "http://user@host.co.uk:80/path?q#f", "/Sign-Up", "/signin", "/membership/", "/people?x", "/people#x", "a:b/c d",
    "\x1f/x\x1c", "http:", "http:/", "http://", "http:///x", "data:image/png;base64,AAAA", ".:x", "/\ud800",
]  # fmt: skip
_PIECES = "/ // ? # - _ : . by tag topics log in sign up alert s 2017 03 12345 a Bc é news http https mailto @ %20"
PIECES = [*_PIECES.split(), "\n", " "]


def _junk(seed: int, count: int) -> list[str]:
    choose = random.Random(seed)
    return ["".join(choose.choices(PIECES, k=choose.randrange(12))) for _ in range(count)]


def test_the_kinds_are_numbered_as_the_compiled_loop_numbers_them() -> None:
    assert len(KINDS) == 17
    assert [KINDS[at] for at in (0, 4, 9, 16)] == ["empty", "social", "home", "account"]


@pytest.mark.parametrize("rel", ["", "nofollow author", "tag", "hashtag sponsored"])
def test_addresses_say_the_same_compiled_and_by_patterns(rel: str) -> None:
    loops: Any = link_targets.loops
    for href in ADDRESSES + _junk(len(rel), 3000):
        for own in (("", "", ""), ("news.example", "news", "/news/Own-Page")):
            found = loops.target(href, rel, "_blank", *own, registered, SOCIAL, AUTHORS, TOPICS, MAX_NAMED)
            if found is None:
                assert not href.isascii() or "\n" in href
            else:
                assert found == by_patterns(href, rel, "_blank", *own), href


def test_addresses_of_mail_and_images_are_told_alike() -> None:
    loops: Any = link_targets.loops
    hrefs = [
        *ADDRESSES,
        *_junk(9, 500),
        "x.JPG",
        ".jpg?y",
        "a.png#b?c",
        "#a.png",
        "?mailto:",
        "MAILTO:x",
        "mailto",
        "a.svg ",
    ]
    attributes = [{"href": href} for href in hrefs] + [{}]
    found = np.empty((2, len(attributes)), np.bool_)
    loops.leads(attributes, list(range(len(attributes))), IMAGE_ENDS, _leads_to, *found.view(np.uint8))
    assert found.T.tolist() == [list(_leads_to(of.get("href", ""))) for of in attributes]


NAMES = [
    "", "css-1x2y3 ArticleByline__author_name HTMLBody", "ABc", "ABCd", "A", "Ab", "aB", "aBC", "ABC-DEf", "x" * 400,
    "AB" * 200, "Ünder", "a\ud800b", "Related: the 12_best news", "image-01.Final_large.JPG?x=1",
]  # fmt: skip


def test_words_of_names_are_the_same_compiled_and_by_patterns(monkeypatch: pytest.MonkeyPatch) -> None:
    choose = random.Random(5)
    names = NAMES + ["".join(choose.choices("abcXYZ019-_ .é", k=choose.randrange(20))) for _ in range(3000)]
    words, headings = tokens.name_words.__wrapped__, tokens._of_heading.__wrapped__
    found = [(words(name), headings(name, "under:")) for name in names]
    monkeypatch.setattr(tokens, "loops", None)
    assert found == [(words(name), headings(name, "under:")) for name in names]


def test_words_of_files_are_the_same_compiled_and_by_patterns() -> None:
    loops: Any = tokens.loops
    for name in NAMES:
        expected = tuple([f"file:{word}" for word in tokens._FILE_WORD.findall(name[-80:].lower())])
        assert loops.file_words(name, "file:", 80) == (expected if name.isascii() else None)
