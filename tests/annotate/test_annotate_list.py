"""The list of pages: searched and filtered by the server, quick with 10,000 pages; files that are only looked at."""

import json
import time
from urllib.parse import urlencode

import pytest
from annotate_world import CRAWL, PLAIN, ask, id_of, make_store
from classified_store import MODEL, classify

from parcels.annotate.journal import FOLDER
from parcels.annotate.page_list import PART, UNCERTAIN_SHARE, PageFilter, list_pages
from parcels.annotate.page_sources import FilePageSource, StorePageSource
from parcels.annotate.predictions import UNSURE_BELOW
from parcels.annotate.serve import running
from parcels.annotate.session import AnnotationSession
from parcels.inputs import RawPage
from parcels.store import open_store
from parcels.urls import block_id, page_id


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    found = make_store(
        tmp_path_factory.mktemp("list") / "store",
        {"ferry": PLAIN, "tram": PLAIN.replace(b"Ferry", b"Tram")},
        articles=2,
    )
    classify(found, CRAWL)
    article = {"authors": [], "images": [], "confidence": 0.9, "text": "x"}
    found.write("articles", [
        {"page_id": id_of("ferry"), "title": "Fähre läuft auf Grund", "page_type": "article", **article},
        {"page_id": id_of("tram"), "title": "Trams", "page_type": "listing", **article},
    ], crawl=CRAWL, model="articles@1")  # fmt: skip
    kinds = [{"page_id": id_of("tram"), "page_type": "forum", "scores": []}]
    found.write("page_types", kinds, crawl=CRAWL, model="types@1")
    return found


@pytest.fixture(scope="module")
def session(store, tmp_path_factory):
    found = AnnotationSession(
        StorePageSource(store), store=store, journals=tmp_path_factory.mktemp("journals") / FOLDER
    )
    found.save(id_of("ferry"), "ann", "step-of-ann", {1: "title"})
    found.save(id_of("tram"), "bob", "step-of-bob", {1: "title"})
    return found


def pages_of(session, **wanted):
    found = list_pages(session, "ann", PageFilter(**wanted))
    assert found["found"] == len(found["pages"])
    return {one["page"] for one in found["pages"]}


def test_pages_are_found_by_words_of_address_and_title(session):
    assert len(pages_of(session)) == 8
    assert pages_of(session, words="FÄHRE grund") == {id_of("ferry")}
    assert pages_of(session, words="tram.example") == {id_of("tram")}
    assert pages_of(session, words="tram ferry") == set()


def test_pages_are_filtered_by_host_state_and_type(session):
    assert pages_of(session, host="tram.ex") == {id_of("tram")}
    assert pages_of(session, page_type="article") == {id_of("ferry")}
    assert pages_of(session, page_type="forum") == {id_of("tram")}  # the table of page types is asked first
    assert pages_of(session, state="labelled") == {id_of("ferry"), id_of("tram")}
    assert pages_of(session, state="mine") == {id_of("ferry")}
    assert len(pages_of(session, state="unlabelled")) == 6
    assert pages_of(session, state="mine", host="tram") == set()


def test_uncertain_pages_have_many_blocks_below_the_threshold(store, session):
    rows = store.read("labels", columns=["page_id", "confidence"], crawl=CRAWL, model=MODEL).to_pylist()
    sure = {page: [row["confidence"] for row in rows if row["page_id"] == page] for page in session.source.entries}
    unsure = {
        page for page, of_page in sure.items()
        if sum(one < UNSURE_BELOW for one in of_page) >= UNCERTAIN_SHARE * len(of_page)
    }  # fmt: skip
    assert 0 < len(unsure) < 8
    assert pages_of(session, is_uncertain=True) == unsure
    counts = [one["unsure"] for one in list_pages(session, "ann", PageFilter(is_uncertain=True))["pages"]]
    assert counts == sorted(counts, reverse=True)


def test_the_server_answers_the_same_question(session):
    with running(session) as server:
        question = urlencode({"annotator": "Zoë Müller", "words": "Fähre", "state": "labelled", "offset": "x"})
        status, _, text = ask(f"{server.url}api/pages?{question}")
        found = json.loads(text)
        assert (status, found["all"], found["found"]) == (200, 8, 1)
        [page] = found["pages"]
        assert (page["page"], page["people"], page["is_mine"]) == (id_of("ferry"), 1, False)
        assert ["tram.example", 1] in found["hosts"]
        assert json.loads(ask(f"{server.url}api/session")[2])["unsure_below"] == UNSURE_BELOW


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """10,000 pages of 500 hosts with ten labels each."""
    store = open_store(tmp_path_factory.mktemp("large") / "store", create=True)
    urls = [f"http://www.site{n % 500}.example/story-{n}" for n in range(10_000)]
    page = store.read("pages").schema
    ids = [page_id(url, CRAWL, 0) for url in urls]
    example = make_store(tmp_path_factory.mktemp("one") / "store", {"ferry": PLAIN}).read("pages").to_pylist()[0]
    known = {name: value for name, value in example.items() if name in page.names and name not in ("crawl", "day")}
    store.write("pages", [
        known | {"page_id": one, "url": url, "final_url": url, "host": url.split("/")[2], "name": None}
        for one, url in zip(ids, urls, strict=True)
    ], crawl=CRAWL)  # fmt: skip
    views = [{"view": view, "label": "title", "confidence": 0.9} for view in ("style", "context", "lexical")]
    rows = [
        {"block_id": block_id(one, n, "fine@1"), "page_id": one, "n": n, "label": "title", "views": views,
         "confidence": 0.5 if at % 10 == 0 and n == 3 else 0.98, "leaves": [], "spans": [], "importance": 3}
        for at, one in enumerate(ids) for n in range(10)
    ]  # fmt: skip
    store.write("labels", rows, crawl=CRAWL, model=MODEL)
    return store


def test_ten_thousand_pages_are_listed_quickly_and_in_parts(large, tmp_path):
    session = AnnotationSession(StorePageSource(large), store=large, journals=tmp_path / FOLDER)
    list_pages(session, "ann", PageFilter())  # gathers what the list shows
    before = time.process_time()
    first = list_pages(session, "ann", PageFilter(words="story"))
    later = list_pages(session, "ann", PageFilter(words="story", offset=9_980))
    uncertain = list_pages(
        session, "ann", PageFilter(words="story-1", is_uncertain=True, state="unlabelled", host="site1")
    )
    assert time.process_time() - before < 1.0
    assert (first["found"], len(first["pages"]), len(later["pages"])) == (10_000, PART, 20)
    assert 0 < uncertain["found"] < 1_000
    assert len(json.dumps(first)) < 100_000
    session.close()


def test_doubts_by_column_are_those_of_each_block(store, session):
    found = session.source.stored.doubts
    for page in session.source.entries:
        said = session.source.open(page).predictions
        each = [said.doubt(n) for n in range(len(said.labels))]
        assert found[page] == (pytest.approx(sum(each) / len(each), abs=1e-3), len(each))


def test_files_of_one_name_are_several_pages_with_neighbours():
    session = AnnotationSession(
        FilePageSource([RawPage("index", PLAIN), RawPage("index", PLAIN), RawPage("other", PLAIN)], model=None)
    )
    order = list(session.source.entries)
    assert len(order) == 3
    with running(session) as server:

        def at(question):
            return json.loads(ask(f"{server.url}api/next?{question}")[2])["page"]

        assert at("") == order[0]
        assert [at(f"after={page}") for page in order] == [order[1], order[2], order[0]]
        assert at(f"after={order[0]}&back=1") == order[2]
        assert json.loads(ask(f"{server.url}api/pages")[2])["found"] == 3


def test_a_store_that_went_away_is_a_message(tmp_path):
    import shutil

    store = make_store(tmp_path / "store", {"ferry": PLAIN})
    with running(AnnotationSession(StorePageSource(store), store=store, journals=tmp_path / FOLDER)) as server:
        shutil.rmtree(tmp_path / "store")
        status, _, text = ask(f"{server.url}api/page/{id_of('ferry')}")
        assert status == 503
        assert "The store cannot be reached" in json.loads(text)["error"]
        status, _, text = ask(f"{server.url}frame/{id_of('ferry')}")
        assert (status, "The store cannot be reached" in text) == (503, True)
