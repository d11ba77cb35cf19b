"""The report of a store: one file that needs nothing else and tells the truth about the labels."""

import datetime as dt
import re
from pathlib import Path

import pytest
from annotate_world import CRAWL, PLAIN, id_of, make_store
from classified_store import MODEL, add_rounds, classify
from lxml import etree

from parcels import example_web
from parcels.annotate.journal import FOLDER
from parcels.annotate.page_sources import StorePageSource
from parcels.annotate.session import AnnotationSession
from parcels.cli.main import main
from parcels.importing.run_record import RunRecord
from parcels.report.crawled import overview, with_article
from parcels.report.data import Data
from parcels.report.quality import judge
from parcels.report.report import report
from parcels.report.svg import Bar, Drawn, Series, interval_bars, lines, page_picture
from parcels.store import open_store

EVIL = (
    b"<title>x</title><h1>Fire &amp; <b>ice</b></h1><p>&lt;script&gt;alert(1)&lt;/script&gt;</p><p>Nobody was hurt.</p>"
)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Pages of two days, labels by a model, by people, rounds, and something that was left out."""
    found = make_store(tmp_path_factory.mktemp("report") / "store", {"ferry": PLAIN, "evil": EVIL}, articles=2)
    with RunRecord(found, step="test", crawl=CRAWL, settings={}) as run:
        for day in (1, 2):
            for number, url in enumerate(example_web.article_urls("lumen.example")[2:5]):
                body = example_web.fetch(url).body if day == 1 else PLAIN
                when = dt.datetime(2025, 5, day, 12, number, tzinfo=dt.UTC)
                run.page(body, record=url, address=f"{url}?day={day}", name=None, source="test", fetched_at=when)
        run.reject("http://gone.example/<b>", "http-status", detail="404", source="test")
    classify(found, CRAWL)
    add_rounds(found, CRAWL, id_of("ferry"))
    session = AnnotationSession(StorePageSource(found), store=found, journals=Path(found.location.path(FOLDER)))
    for name in ("ferry", "evil"):
        said = session.open(id_of(name)).predictions.labels
        labels = {n: vote[0] for n, vote in enumerate(said)}
        session.save(id_of(name), "ann", f"step-of-ann-{name}", labels | {0: "ads"})
        session.save(id_of(name), "bob", f"step-of-bob-{name}", labels | {0: "ads"})
    session.close()
    return found


@pytest.fixture(scope="module")
def text(store):
    return report(store)


def test_the_quality_is_counted_against_the_vote(store):
    found = judge(store, MODEL)
    blocks = sum(page.score.blocks for page in found.pages)
    assert [page.score.wrong_blocks for page in found.pages] == [1, 1]
    assert found.total.block_error == pytest.approx(2 / blocks)
    assert found.spread["block_error"][0] <= found.total.block_error <= found.spread["block_error"][1]
    assert sum(count for (gold, said), count in found.pairs.items() if gold != said) == 2
    assert all(gold == "ads" for gold, said in found.pairs if gold != said)
    assert sum(count for _, _, count in found.bins) == blocks
    assert 0 <= found.calibration_error <= 1


def test_it_needs_nothing_else(text):
    root = etree.HTML(text)
    assert not root.xpath("//script|//link|//img[not(starts-with(@src,'data:'))]|//iframe")
    assert not re.search(r"url\(|@import", text)
    assert "default-src 'none'" in text
    assert len(root.xpath("//svg")) >= 12
    assert all(one.get("aria-label") for one in root.xpath("//svg"))


def test_it_has_every_part(text):
    root = etree.HTML(text)
    titles = [title.text for title in root.iter("h2")]
    assert titles == [
        "Labels per site", "Error and F1", "Confusion", "Calibration", "Co-training", "Annotators",
        "Crawl progress and harvest", "Focused crawls", "Layout changes", "Rejects", "Worst pages",
        "Latest runs",
    ]  # fmt: skip
    for link in root.xpath("//nav/a/@href"):
        assert root.xpath(f"//*[@id='{link[1:]}']"), link


def test_what_pages_say_is_text(text):
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)" in text
    assert "gone.example/&lt;b&gt;" in text


def test_a_rebuilt_site_shows_as_a_change_of_layout(text):
    section = etree.HTML(text).xpath("//section[@id='layout-changes']")[0]
    told = [title.text for title in section.iter("title") if "lumen.example, 2025-05-02" in title.text]
    assert len(told) == 1
    assert int(re.search(r"(\d+)% new", told[0])[1]) > 50


def test_the_worst_pages_come_with_pictures(text):
    section = etree.HTML(text).xpath("//section[@id='worst-pages']")[0]
    assert len(section.xpath(".//div[@class='worst']")) == 2
    assert len(section.xpath(".//svg")) == 4
    assert len(section.xpath(".//rect[@stroke='#d00000']")) == 2


def test_the_command_writes_the_file(store, tmp_path, capsys):
    out = tmp_path / "report.html"
    assert main(["report", "--store", store.location.uri, "--out", str(out), "--crawl", CRAWL]) == 0
    assert out.read_text("utf-8").startswith("<!DOCTYPE html>")
    assert "Open it in a browser" in capsys.readouterr().err


def test_an_empty_store_gives_a_report_that_says_what_to_do(tmp_path):
    text = report(open_store(tmp_path / "empty", create=True))
    for words in ("parcels run divide..classify", "parcels annotate", "parcels run cotrain", "No record was rejected"):
        assert words in text


def test_drawings_escape_and_scale():
    assert "&lt;b&gt;" in interval_bars([Bar("<b>", 0.5, 0.4, 0.6, "<i>")], about="x")
    assert lines([], about="nothing") == ""
    drawing = etree.fromstring(lines([Series("a", [(0, 0), (10, 5)], "#000")], about="a & b"))
    points = [tuple(map(float, pair.split(","))) for pair in drawing.find("polyline").get("points").split()]
    assert points[0][0] < points[1][0]
    assert points[0][1] > points[1][1]
    picture = etree.fromstring(
        page_picture([Drawn((0, 0, 1000, 500), "ads", is_wrong=True)], {"ads": "#123456"}, about="p")
    )
    assert [rect.get("fill") for rect in picture.iter("rect")] == ["#fff", "#123456"]


@pytest.mark.chromium
@pytest.mark.parametrize("width", [420, 1400])
def test_nothing_is_wider_than_the_window_but_what_scrolls_by_itself(text, width, tmp_path, chromium_path):
    from playwright.sync_api import sync_playwright

    long = tmp_path / "report.html"
    long.write_text(text.replace("gone.example", "gone" * 40).replace("evil.example", "evil" * 40), "utf-8")
    too_wide = """[...document.querySelectorAll('body *')].filter((one) => {
      const box = one.getBoundingClientRect();
      return box.right > innerWidth + 1 && !one.parentElement.closest('.scroll, svg');
    }).map((one) => `${one.tagName}.${one.className}`)"""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium_path), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": width, "height": 900})
        page.goto(long.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.evaluate(too_wide) == []
        tables = page.evaluate("[...document.querySelectorAll('table')].map((one) => one.parentElement.className)")
        assert set(tables) == {"scroll"}
        assert page.evaluate("Math.min(...[...document.querySelectorAll('section > .scroll > svg')]"
                             ".map((one) => one.getBoundingClientRect().width))") >= 500  # fmt: skip
        browser.close()


def test_only_articles_count_as_pages_with_an_article(store):
    pages = [id_of(name) for name in ("ferry", "evil")]
    rows = [
        {"page_id": pages[0], "text": "The ferry is late.", "page_type": "article", "authors": [], "images": []},
        {"page_id": pages[1], "text": None, "page_type": "listing", "authors": [], "images": []},
    ]
    store.write("articles", rows, crawl=CRAWL, model="content@test")
    data = Data(store)
    assert with_article(data) == ({pages[0]}, "pages with an article")
    assert "<b>1</b>articles" in overview(data)
