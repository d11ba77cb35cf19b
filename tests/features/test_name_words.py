"""Words of names, and what the addresses of links say."""

import pytest

from parcels.features import link_targets, tokens
from parcels.features.link_targets import KINDS, read_target, split_address
from parcels.features.words.counts import _leads_to

OWN = ("news.example", "news", "/news/Own-Page")  # domain, section and path of the page


def test_each_kind_has_the_number_of_its_place() -> None:
    constants = ("EMPTY", "SOCIAL_SITE", "RELATIVE", "HOME", "STORY", "AUTHOR", "NEW_WINDOW", "ACCOUNT")
    names = [KINDS[getattr(link_targets, constant)] for constant in constants]
    assert names == ["empty", "social", "relative_site", "home", "story", "author", "new_window", "account"]


@pytest.mark.parametrize(
    ("href", "kinds"),
    [
        ("", "empty"), (" ", "empty"), ("#", "fragment"), ("#Top-Stories", "fragment"), ("//", "empty"),
        ("?a=1", "relative_site home"), ("/", "relative_site home"), ("a", "relative_site shallow"),
        ("mailto:a@b.example", "mail"), ("TEL:1", "mail"), ("javascript:void(0)", "script"), ("x:y:z", "script"),
        ("https://www.Facebook.com/share", "social outside shallow"), ("HTTP://A.EXAMPLE", "outside home"),
        ("https://news.example/2017/03/fire/x/", "relative_site story"), ("/2017/3/x", "relative_site story"),
        ("/2017/123/x", "relative_site"), ("/by/ann-lee", "relative_site shallow author"),
        ("by/ann", "relative_site shallow"), ("/x/by", "relative_site shallow author"),
        ("/tags/", "relative_site shallow topic"), ("/topic//x", "relative_site shallow topic"),
        ("/log-in", "relative_site shallow account"), ("/alerts", "relative_site shallow account"),
        ("/alerts-x", "relative_site shallow account"), ("/alertsx", "relative_site shallow"),
        ("/alert_s", "relative_site shallow"), ("https://login.example/", "outside home account"),
        ("/one-two-three-four", "relative_site story"), ("/one-two-three", "relative_site shallow"),
        ("/a_b-c_d", "relative_site story"), ("/a--b-c-d", "relative_site shallow"), ("/12345", "relative_site story"),
        ("/1234", "relative_site shallow"), ("/news/", "relative_site same_section shallow"),
        ("/news/Own-Page/", "relative_site same_page shallow"),
        ("/news/own-page", "relative_site same_section shallow"),
        ("\x1f/x\x1c", "relative_site shallow"), ("http:", "empty"), ("http:///x", "relative_site shallow"),
        (".:x", "relative_site shallow"), ("/é/by", "relative_site shallow author"),
        ("/\ud800", "relative_site shallow"),
    ],
)  # fmt: skip
def test_addresses_have_kinds(href: str, kinds: str) -> None:
    assert " ".join(KINDS[kind] for kind in read_target(href, "", "", *OWN).kinds) == kinds


def test_what_a_link_states_of_itself_counts() -> None:
    kinds = [KINDS[kind] for kind in read_target("/x", "nofollow author tag", "_blank", *OWN).kinds]
    assert kinds == ["new_window", "sponsored", "relative_site", "shallow", "author", "topic"]
    assert read_target("/x", "hashtag", "", *OWN).kinds == read_target("/x", "", "", *OWN).kinds


def test_words_of_an_address_are_counted_once_up_to_a_bound() -> None:
    target = read_target("/News/news/of-the-Day/one/two/three/four/five/six/a/b/c/d?not=this", "", "", *OWN)
    assert target.words == ("news", "the", "day", "one", "two", "three", "four", "five")
    assert target.named == ("to:news", "to:the", "to:day", "to:one")
    assert target.depth == 12
    assert read_target("#Top-Stories", "", "", *OWN).words == ("top", "stories")


def test_addresses_are_split_like_the_generic_syntax() -> None:
    assert split_address("http://User@host.co.uk:80/path?q#f?") == (
        "http", "user@host.co.uk:80", "/path", "?q", "#f?",
    )  # fmt: skip
    assert split_address("//cdn.example?x") == ("", "cdn.example", "", "?x", "")
    assert split_address("a b:c/d") == ("", "", "a b:c/d", "", "")


@pytest.mark.parametrize(
    ("href", "is_email", "is_image"),
    [
        ("x.JPG", False, True), (".jpg?y", False, True), ("a.png#b?c", False, True), ("#a.png", False, False),
        ("?mailto:", True, False), ("MAILTO:x", True, False), ("mailto", False, False), ("a.svg ", False, False),
    ],
)  # fmt: skip
def test_addresses_lead_to_mail_and_images(href: str, is_email: bool, is_image: bool) -> None:
    assert _leads_to(href) == (is_email, is_image)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", ""), ("ABc", ""), ("ABCd", "ab"), ("ABCde", "ab cde"), ("A", ""), ("Ab", ""), ("Abc", "abc"), ("aB", ""),
        ("aBC", "bc"), ("ABC-DEf", "abc"), ("ABcd", "bcd"), ("x" * 400, "x" * 300), ("Ünder", "nder"),
        ("a\ud800bc bc", "bc"), ("css-1x2y3 nav navBar", "css nav bar"),
    ],
)  # fmt: skip
def test_names_have_words(name: str, words: str) -> None:
    assert " ".join(tokens.name_words(name)) == words


def test_headings_have_marked_words() -> None:
    assert tokens._of_heading("Related: Über 12_best", "under:") == ("under:related", "under:über", "under:12_best")
    assert len(tokens._of_heading("a b c d e f g h i j k l m n", "list:")) == tokens.MAX_HEADING_WORDS
