"""The in-process jobs: a page in, blocks in Parquet, a query out."""

import pytest
from divided_store import divide

from parcels import example_web
from parcels.importing.run_record import RunRecord
from parcels.query.sql import connect
from parcels.results import blocks
from parcels.store import open_store


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The whole example web in a store, divided."""
    store = open_store(tmp_path_factory.mktemp("whole") / "store", create=True)
    with RunRecord(store, step="test", crawl="web", settings={}) as run:
        for url in (url for host in example_web.hosts() for url in example_web.urls(host)):
            run.page(example_web.fetch(url).body, record=url, address=url, name=None, source="test")
    divide(store, crawl="web")
    return store


def test_every_page_of_the_example_web_is_in_the_store_with_its_blocks(whole):
    connection = connect(whole)
    expected = sum(len(example_web.urls(host)) for host in example_web.hosts())
    assert connection.execute("SELECT count(*) FROM pages").fetchone() == (expected,)
    assert connection.execute("SELECT count(DISTINCT page_id) FROM blocks").fetchone() == (expected,)
    assert connection.execute("SELECT count(*) - count(DISTINCT block_id) FROM blocks").fetchone() == (0,)


def test_stored_blocks_are_those_of_the_python_function(whole):
    url = example_web.article_urls("www.harbourcourier.example")[0]
    rows = connect(whole).execute(
        "SELECT b.text FROM blocks b JOIN pages p USING (page_id) WHERE p.url = ? ORDER BY b.n", [url]
    )
    assert [text for (text,) in rows.fetchall()] == [block.text for block in blocks(example_web.fetch(url).body).blocks]


def test_a_page_that_cannot_be_divided_is_in_rejects_and_costs_the_others_nothing(tmp_path):
    store = open_store(tmp_path / "store", create=True)
    with RunRecord(store, step="test", crawl="c", settings={}) as run:
        for name, html in {"good": b"<p>x", "deep": b"<div>" * 5000, "blank": b"<script>x</script>"}.items():
            run.page(html, record=name, address=f"http://a.example/{name}", name=name, source="test")
    done = divide(store, crawl="c")
    assert done["divide: blocks"] == 1
    reasons = {row["record"]: row["reason"] for row in store.read("rejects").to_pylist()}
    assert reasons == {"http://a.example/deep": "too-deep", "http://a.example/blank": "no-leaves"}


def test_stored_blocks_have_a_place_on_the_virtual_screen(whole):
    rows = connect(whole).execute(
        "SELECT area, count(*) FROM blocks WHERE host = 'www.harbourcourier.example' AND box IS NOT NULL GROUP BY area"
    )
    assert set(dict(rows.fetchall())) == {"header", "footer", "left", "right", "centre"}
