import pytest
from hypothesis import given
from hypothesis import strategies as st

from parcels.urls import MAX_LENGTH, _parsed, block_id, canonical, content_hash, host_of, new_run_id, page_id

SAME = [
    ("http://A.Example", "http://a.example/"),
    ("HTTP://a.example:80/", "http://a.example/"),
    ("https://a.example:443/x", "https://a.example/x"),
    ("https://a.example:8443/x", "https://a.example:8443/x"),
    ("http://a.example/#top", "http://a.example/"),
    ("http://a.example/?", "http://a.example/"),
    ("http://a.example/a/./b/../c", "http://a.example/a/c"),
    ("http://a.example/a/.", "http://a.example/a/"),
    ("http://a.example/%7ejoe/%c3%a9", "http://a.example/~joe/%C3%A9"),
    ("http://a.example/é b", "http://a.example/%C3%A9%20b"),
    ("http://a.example/%2F%3f", "http://a.example/%2F%3F"),
    ("http://a.example/?utm_source=x", "http://a.example/"),
    ("http://a.example/?UTM_Source=x&a=1&gclid=2&fbclid=3", "http://a.example/?a=1"),
    ("http://a.example/?b=2&a=1&b=1", "http://a.example/?b=2&a=1&b=1"),
    ("http://a.example/?myutm_source=x", "http://a.example/?myutm_source=x"),
    ("http://a.example/x?PHPSESSID=1a2b3c&p=2", "http://a.example/x?p=2"),
    ("http://a.example/x?p=2&phpsessid", "http://a.example/x?p=2"),
    ("http://a.example/x.do;jsessionid=0A1B2C.node1?p=2", "http://a.example/x.do?p=2"),
    ("http://a.example/x;JSESSIONID=0A/y", "http://a.example/x/y"),
    ("http://a.example/x?ASPSESSIONIDAQBSDSRT=EOHBLBDDPFCLHKPGGKLILNAM", "http://a.example/x"),
    ("http://a.example/(S(lit3py55t21z5v55vlm25s55))/x.aspx", "http://a.example/x.aspx"),
    ("http://a.example/x?CFID=12&CFTOKEN=3456&p=2", "http://a.example/x?p=2"),
    ("http://a.example/x?cfid=12&p=2", "http://a.example/x?cfid=12&p=2"),
    ("http://a.example/t?t=7&sid=9682993c8daa2c5497996114facdc805", "http://a.example/t?t=7"),
    ("http://a.example/t?s=9682993c8daa2c5497996114facdc805&t=7", "http://a.example/t?t=7"),
    ("http://a.example/t?session=fe369377-d884-4af9-ac45-eb65ccd040bb", "http://a.example/t"),
    ("http://a.example/t?sid=4711", "http://a.example/t?sid=4711"),
    ("http://a.example/?s=boats", "http://a.example/?s=boats"),
    ("http://a.example/x;v=2", "http://a.example/x;v=2"),
    ("http://a.example/x/.;jsessionid=1/y", "http://a.example/x/y"),
    ("http://a;jsessionid=1@b.example/x", "http://a%3Bjsessionid%3D1@b.example/x"),
    ("  http://a.example/x\n", "http://a.example/x"),
    ("http:\\\\a.example\\x", "http://a.example/x"),
    ("http://münchen.example/", "http://xn--mnchen-3ya.example/"),
    ("http://1.2.3/", "http://1.2.0.3/"),
    ("http://a.0x10/", None),
    ("http://[::1]/x", "http://[::1]/x"),
    ("http://a.example//b//c", "http://a.example//b//c"),
    ("ftp://a.example/", None),
    ("javascript:void(0)", None),
    ("/only/a/path", None),
    ("", None),
    ("http://", None),
    ("http://a.example/\ud800", None),
    ("http://a.example/" + "x" * MAX_LENGTH, None),
]
JOINED = [
    ("/x/y.html", "https://a.example/b/c", "https://a.example/x/y.html"),
    ("/x/../y.html", "https://a.example/b/c", "https://a.example/y.html"),
    ("/.well-known", "https://a.example/b/c", "https://a.example/.well-known"),
    ("y", "https://a.example/b/c", "https://a.example/b/y"),
    ("?p=2", "https://a.example/b?p=1", "https://a.example/b?p=2"),
    ("//b.example/x", "https://a.example/", "https://b.example/x"),
    ("#part", "https://a.example/b", "https://a.example/b"),
    ("/x", "https://A.example:443/b", "https://a.example/x"),
    ("/x", "https://a.example:8443/b", "https://a.example:8443/x"),
    ("http://b.example", "https://a.example/", "http://b.example/"),
    ("/x", "page:a", None),
    ("mailto:joe@a.example", "https://a.example/", None),
]
tokens = [
    "utm_a=1",
    "PHPSESSID=1",
    "sid=9682993c8daa2c5497996114facdc805",
    ";jsessionid=1",
    "cfid=1",
    "cftoken=2",
    "/(S(lit3py55t21z5v55vlm25s55))",
    "utm_",
    "GCLID=x",
    "fbclid",
    "mc_eid=2",
    "id=3",
    "&",
    "&&",
    "?",
    "=",
    "/",
    "/../",
    "a",
    "xn--a",
    ".",
]
words = st.text("abcAB019-._~/%?&=#:@\\ é\t[]xn", max_size=30) | st.lists(st.sampled_from(tokens)).map("".join)
addresses = st.builds(lambda host, rest: f"http://{host}{rest}", words, words) | st.builds(
    lambda path: f"https://www.a.example/{path}", words
)


@pytest.mark.parametrize("url, expected", SAME)
def test_spellings_of_an_address_have_one_form(url, expected):
    assert canonical(url) == expected


@pytest.mark.parametrize("url, base, expected", JOINED)
def test_a_relative_link_is_resolved_against_its_page(url, base, expected):
    assert canonical(url, base) == expected


@given(addresses)
def test_the_canonical_form_of_a_canonical_form_is_itself(url):
    form = canonical(url)
    assert form is None or canonical(form) == form


@given(addresses)
def test_the_short_cut_for_plain_addresses_changes_nothing(url):
    assert canonical(url) == _parsed(url, None)


@given(words, addresses)
def test_the_short_cut_for_plain_links_changes_nothing(link, base):
    form = canonical(base)
    if form is not None:
        assert canonical(link, form) == _parsed(link, form)


@given(addresses)
def test_the_host_of_a_canonical_address_is_the_parsers(url):
    import ada_url

    form = canonical(url)
    if form is not None:
        assert host_of(form) == (ada_url.URL(form).hostname or None)


def test_page_ids_tell_crawls_and_visits_apart_and_are_pinned():
    ids = {page_id("http://a.example/", crawl, visit) for crawl in ("a", "b") for visit in (0, 1)}
    assert len(ids) == 4
    assert all(len(id_) == 32 and int(id_, 16) >= 0 for id_ in ids)
    # Stores on disk hold these: a change of the id is a change of the format.
    assert page_id("http://a.example/", "news", 0) == "be5d0473543c0064e42ad22a67b05bbe"


def test_block_ids_begin_with_their_page_and_sort_in_document_order():
    page = page_id("http://a.example/", "news", 0)
    ids = [block_id(page, n, "fine@1") for n in range(300)]
    assert ids == sorted(ids)
    assert all(id_.startswith(page) and len(id_) == 46 for id_ in ids)
    assert not set(ids) & {block_id(page, n, "fine@2") for n in range(300)}


def test_run_ids_sort_by_start_and_differ():
    ids = [new_run_id() for _ in range(1000)]
    assert len(set(ids)) == 1000
    assert [id_[:12] for id_ in ids] == sorted(id_[:12] for id_ in ids)


def test_equal_bytes_have_equal_hashes():
    assert content_hash(b"a") == content_hash(b"a") != content_hash(b"b")
