from pathlib import Path
from urllib.parse import urljoin

import pytest

from parcels import example_web
from parcels.css.cascade import computed_style
from parcels.css.selectors.names import Names
from parcels.css.sheets.parser import SheetCache, parse_sheet
from parcels.css.sheets.source import SheetSource, sheet_text, sheets_of
from parcels.html.page import read_page
from parcels.inputs import RawPage

PATHS = {
    "cdn.example/a/site.css?v=7.0.css": b".q { color: red }",
    "www.example/css/main.css": b"@import url('more.css'); @import '/css/print.css' print; .m { color: red }",
    "www.example/css/more.css": b".n { color: red }",
    "www.example/css/print.css": b".p { color: red }",
    "www.example/css/loop.css": b"@import 'loop.css'; @import 'main.css'; .l { color: red }",
}


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("../cdn.example/a/site.css%3Fv=7.0.css", "cdn.example/a/site.css?v=7.0.css"),
        ("http://cdn.example/a/site.css?v=7.0", "cdn.example/a/site.css?v=7.0.css"),
        ("//cdn.example/a/site.css?v=7.0.css", "cdn.example/a/site.css?v=7.0.css"),
        ("css/main.css", "www.example/css/main.css"),
        ("./css/../css/main.css", "www.example/css/main.css"),
        ("/css/main.css", "www.example/css/main.css"),
        ("https://www.example/css/main.css", "www.example/css/main.css"),
        ("https://www.example/css/main.css?v=3#x", "www.example/css/main.css"),
        ("https://mirror.example/www/css/main.css", "www.example/css/main.css"),
        ("other.css", None),
        ("http://elsewhere.example/main.css", None),
        ("", None),
    ],
)
def test_an_address_is_found_among_saved_paths(address: str, expected: str | None) -> None:
    hit = SheetSource(PATHS, "www.example").find(address)
    assert (hit and hit[0]) == expected


def test_addresses_are_found_relative_to_the_page_and_its_url() -> None:
    source = SheetSource({"https://a.example/x/s.css": b""})
    assert source.find("s.css", url="https://a.example/x/page.html") is not None
    assert source.find("../s.css", url="https://a.example/x/y/page.html") is not None
    assert source.find("s.css", url="https://b.example/x/page.html") is None


def test_a_directory_is_searched_and_never_left(tmp_path: Path) -> None:
    (tmp_path / "site" / "a.example").mkdir(parents=True)
    (tmp_path / "site" / "a.example" / "s.css").write_text("p { color: red }")
    (tmp_path / "secret.css").write_text("p { color: blue }")
    source = SheetSource(directory=tmp_path / "site")
    assert source.find("https://a.example/s.css?v=1") == ("a.example/s.css?v=1", b"p { color: red }")
    assert source.find("../secret.css") is None
    assert source.find("../../secret.css") is None
    assert source.find("x" * 5000 + ".css") is None
    assert source.find("a\0b.css") is None


def coverage(html: str) -> float:
    return computed_style(read_page("<!doctype html>" + html + "<p>x"), SheetSource(PATHS, "www.example")).css_coverage


def test_coverage_is_the_share_of_sheets_at_hand() -> None:
    assert coverage("") == 1
    assert coverage("<style>p { color: red }</style>") == 1
    assert coverage("<link rel=stylesheet href=gone.css>") == 0
    assert coverage("<style>p{}</style><link rel=stylesheet href=gone.css>") == 0.5
    assert coverage("<link rel=stylesheet href=css/main.css>") == 1
    assert coverage("<style>@import 'gone.css';</style>") == 0.5


def test_print_alternate_and_disabled_sheets_are_not_requested() -> None:
    assert coverage("<link rel=stylesheet media=print href=gone.css>") == 1
    assert coverage("<link rel='alternate stylesheet' title=x href=gone.css>") == 1
    assert coverage("<link rel=stylesheet disabled href=gone.css>") == 1
    assert coverage("<link rel=preload href=gone.css><link rel=icon href=gone.ico>") == 1
    assert coverage("<style media=print>@import 'gone.css';</style>") == 1


def test_imports_come_before_the_sheet_and_loops_end() -> None:
    page = read_page(
        "<!doctype html><link rel=stylesheet href=css/loop.css>"
        "<i class=l>1</i><i class=m>2</i><i class=n>3</i><i class=p>4</i>"
    )
    found = sheets_of(page, SheetSource(PATHS, "www.example"), cache=SheetCache())
    assert not found.missing
    styles = computed_style(page, SheetSource(PATHS, "www.example"))
    assert [int(colour) >> 24 for colour in styles.colour[page.leaves.node]] == [0xFF, 0xFF, 0xFF, 0]


def test_a_sheet_declares_its_charset() -> None:
    assert sheet_text("\ufeffé".encode()) == "é"
    assert sheet_text("é".encode("utf-16")) == "é"
    assert sheet_text(b'@charset "iso-8859-2"; \xb1') == '@charset "iso-8859-2"; ą'
    assert sheet_text(b'@charset "no-such"; \xe9')[-1] == "é"
    assert sheet_text(b"\xe9") == "é"


def test_sheets_are_parsed_once_for_each_content_and_the_oldest_are_forgotten() -> None:
    cache = SheetCache(max_bytes=100)
    first = cache.sheet("p { color: red }")
    assert cache.sheet("p { color: red }") is first
    assert cache.sheet("p { color: red }", is_quirky=True) is not first
    for n in range(20):
        cache.sheet(f"p {{ width: {n}px }}")
    assert len(cache) <= 6
    assert cache.sheet("p { color: red }") is not first
    cache.clear()
    assert len(cache) == 0


def test_the_first_and_the_later_pages_with_a_sheet_agree() -> None:
    css = ".a, .z { color: red } p > .b { color: lime } [title] { width: 3px } :root { font-size: 20px }"
    css += " i + i { height: 4px }"
    page = read_page(f"<!doctype html><style>{css}</style><p><i class=a title=x>1</i><i class=b>2</i>")
    cache = SheetCache()
    first, later = computed_style(page, cache=cache), computed_style(page, cache=cache)
    for name in ("colour", "font_size"):
        assert (getattr(first, name) == getattr(later, name)).all()
    assert (first.width.number == later.width.number).all()
    assert (first.height.number == later.height.number).all()


@pytest.mark.parametrize("host", ["lumen.example", "www.meridianpost.example"])
def test_the_example_web_loses_no_rule(host: str) -> None:
    page, raw = next(
        (page, answer)
        for scheme in ("https", "http")
        for answer in [example_web.fetch(f"{scheme}://{host}/")]
        if answer.status == 200
        for page in [read_page(answer.body, f"{scheme}://{host}/")]
    )
    wanted = [
        urljoin(page.url or "", link.get("href") or "")
        for link in page.root.iter("link")
        if link.get("rel") == "stylesheet"
    ]
    assert wanted
    css: dict[str, bytes] = {}
    while wanted:
        address = wanted.pop()
        css[address] = example_web.fetch(address).body
        sheet = parse_sheet(sheet_text(css[address]))
        assert sheet.rules
        assert not sheet.left_out
        assert not sheet.index.unknown_count
        wanted += [urljoin(address, asked.address) for asked in sheet.imports]
    styles = computed_style(page, SheetSource.of(RawPage("x", raw.body, page.url, css=css)))
    assert styles.css_coverage == 1


def test_a_rule_is_one_object_for_all_pages() -> None:
    sheet = parse_sheet("p { color: red } .a, .b > p { color: blue } @layer x { p { color: green } }")
    seen = Names({"p", ".a", ".b", "*"})
    first, second = ({(key, rule.order): rule for key, _, rule in sheet.selectors(seen)} for _ in range(2))
    assert first.keys() == second.keys() == {("p", 0), (".a", 1), ("p", 1), ("p", 2)}
    assert all(first[place] is second[place] for place in first)
    assert [sheet.rule(order).layer for order in range(3)] == ["", "", "x"]
