"""Operations on a store: forget, migrate, monitor."""

import contextlib
import datetime as dt
import json
import sqlite3
from pathlib import Path
from urllib.request import urlopen

import pyarrow.parquet as pq
import pytest
from example_rows import NOON, page, reject
from frontier_back_ends import BACK_ENDS

from crawler.frontier import blocklist, open_frontier
from crawler.frontier.contract import FrontierPolicy, Offer
from crawler.options import CrawlOptions
from parcels.cli.main import main
from parcels.operations.drift import drift
from parcels.operations.metrics import families, text
from parcels.operations.migrate import migrate, outdated
from parcels.query.schema import Table
from parcels.store import Store, open_store
from parcels.tables import TABLES
from parcels.urls import block_id, content_hash, host_of, page_id

CRAWL = "news"
GONE = "http://news.example/1"
QUICK = FrontierPolicy(delay=0.0, concurrency=8, robots=False)


def page_of(url: str, **columns: object) -> dict:
    return page(html=f"<p>{url}".encode(), crawl=CRAWL, **columns) | {
        "page_id": page_id(url, CRAWL, 0), "url": url, "final_url": url, "host": host_of(url),
    }  # fmt: skip


def label(url: str, n: int, name: str, **columns: object) -> dict:
    key = page_id(url, CRAWL, 0)
    return {"block_id": block_id(key, n, "fine@1"), "page_id": key, "n": n, "label": name, "confidence": 0.9,
            "views": [], "leaves": [], "spans": [], "importance": 1} | columns  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Two pages of one host and one of another, with something of each in many tables."""
    store = open_store(tmp_path / "store", create=True)
    pages = [
        page_of(GONE),
        page_of("http://news.example/2", referrer=GONE),
        page_of("http://other.example/3", referrer="http://news.example/2"),
    ]
    store.write("pages", pages)
    links, labels = [], []
    for n, one in enumerate(pages):
        target = pages[(n + 1) % 3]["url"]
        links.append({"page_id": one["page_id"], "n": 0, "target": target, "target_host": host_of(target),
                      "anchor": "more", "is_queued": True, "score": 0.5, "fetched_date": NOON.date()})  # fmt: skip
        labels.append(label(one["url"], 0, "title"))
    store.write("links", links, crawl=CRAWL)
    store.write("labels", labels, crawl=CRAWL, model="news@1")
    store.write("rejects", [reject(GONE), reject("http://fine.example/x"), reject(pages[0]["page_id"])], crawl=CRAWL)
    sheet = {"content_hash": content_hash(b"p{}"), "kind": "stylesheet", "body": b"p{}", "byte_count": 3,
             "source": "crawl", "fetched_date": NOON.date()}  # fmt: skip
    store.write("resources", [sheet | {"url": f"http://{host}.example/s.css"} for host in ("news", "other")],
                crawl=CRAWL)  # fmt: skip
    topic_links = [{"target": one["url"], "anchor": "x", "area": "left", "score": 0.1} for one in pages]
    store.write("topics", [{"page_id": pages[2]["page_id"], "topic": "sea", "scores": [], "areas": [],
                            "links": topic_links}], crawl=CRAWL, model="topics@1")  # fmt: skip
    return store


def everything(store: Store) -> str:
    """All that is readable in the tables, but for what ran."""
    return repr([store.read(name).to_pylist() for name in TABLES if name != "runs"])


def forget(store: Store, *words: str) -> int:
    return main(["forget", *words, "--store", store.location.root])


def test_a_forgotten_address_is_in_no_table_and_everything_else_is(store, capsys):
    before = {name: store.read(name).num_rows for name in TABLES}
    assert forget(store, GONE) == 0
    said = everything(store)
    assert GONE not in said
    assert page_id(GONE, CRAWL, 0) not in said
    assert "http://news.example/2" in said
    after = {name: store.read(name).num_rows for name in TABLES}
    gone = {name: before[name] - after[name] for name in TABLES if before[name] != after[name]}
    # links: its own, and the one that leads to it; rejects: by address and by page id
    assert gone == {"pages": 1, "links": 2, "labels": 1, "rejects": 2, "runs": -1}
    assert [link["target"] for link in store.read("topics").to_pylist()[0]["links"]] == [
        "http://news.example/2", "http://other.example/3",
    ]  # fmt: skip
    assert "pages: 1 rows removed" in capsys.readouterr().out


def test_a_forgotten_host_takes_its_sheets_along(store):
    assert forget(store, "NEWS.example") == 0
    assert "news.example" not in everything(store)
    assert store.read("pages").column("url").to_pylist() == ["http://other.example/3"]
    assert store.read("resources").num_rows == 1


def test_a_dry_run_changes_nothing_and_tells_the_same(store, capsys):
    before = everything(store)
    assert forget(store, GONE, "--dry-run", "--format", "json") == 0
    assert everything(store) == before
    assert not store.read("runs").num_rows
    would = json.loads(capsys.readouterr().out)["rows"]
    assert would == {"pages": 1, "links": 2, "labels": 1, "rejects": 2}


def test_forgetting_twice_forgets_nothing_more(store, capsys):
    forget(store, GONE)
    capsys.readouterr()
    assert forget(store, GONE) == 0
    assert "No table has rows of these targets" in capsys.readouterr().out


def test_a_rewritten_file_keeps_its_name_columns_and_metadata(store):
    [file] = store.files("pages")
    before = pq.read_schema(file.path)
    forget(store, GONE)
    [after] = store.files("pages")
    assert after.path == file.path
    assert pq.read_schema(file.path).equals(before, check_metadata=True)
    assert not list(Path(store.location.path("_staging")).glob("*"))


@pytest.mark.parametrize("word", ["not a host", "ftp:/x", "mailto:a@b", "http://"])
def test_what_is_neither_address_nor_host_is_refused(store, word, capsys):
    before = everything(store)
    assert forget(store, word) == 2
    assert word in capsys.readouterr().err
    assert everything(store) == before


def test_pages_that_are_not_sealed_yet_are_not_overlooked(store, capsys):
    spool = Path(store.location.path("_crawl", CRAWL, "spool", "w"))
    spool.mkdir(parents=True)
    (spool / "1.spool").write_bytes(b"rows")
    assert forget(store, GONE) == 2
    assert "not in the tables yet" in capsys.readouterr().err


def test_what_lies_beside_the_tables_is_told(store, capsys):
    warc = Path(store.location.path("_warc", CRAWL))
    warc.mkdir(parents=True)
    (warc / "1.warc.gz").write_bytes(b"x")
    assert forget(store, GONE) == 0
    assert "_warc (1 files)" in capsys.readouterr().err


def where_of(store: Store, kind: str, request: pytest.FixtureRequest) -> str:
    if kind == "redis":
        return request.getfixturevalue("redis_server").url
    return f"sqlite:{store.location.path('_crawl', CRAWL, 'frontier.sqlite')}"


@pytest.mark.parametrize("kind", BACK_ENDS)
def test_what_was_forgotten_never_comes_into_the_frontier_again(store, kind, request):
    where = where_of(store, kind, request)
    opened = open_frontier(where, crawl=CRAWL, policy=QUICK)
    opened.admit([Offer(GONE), Offer("http://news.example/2"), Offer("http://bad.example/1", 0.5, 1, GONE)])
    opened.close()
    store.write("runs", [run_row()], crawl=CRAWL)
    assert (
        forget(store, GONE, "bad.example", *(["--frontier", where, "--crawl", CRAWL] if kind == "redis" else [])) == 0
    )
    opened = open_frontier(where, crawl=CRAWL, policy=QUICK)
    assert opened.admit([Offer(GONE)]) == "s"
    assert opened.admit([Offer("http://bad.example/1"), Offer("http://bad.example/2")]) in ("sh", "hh")
    assert opened.admit([Offer("http://news.example/9")]) == "q"
    assert sorted(lease.url for lease in opened.lease(10).leases) == ["http://news.example/2", "http://news.example/9"]
    opened.close()
    if kind == "sqlite":
        data = Path(where.removeprefix("sqlite:")).with_suffix(".sqlite")
        with contextlib.closing(sqlite3.connect(data)) as db:
            assert GONE not in repr(db.execute("SELECT url, referrer, extra FROM urls").fetchall())


def test_a_new_crawl_of_the_same_store_is_barred_too(store, tmp_path):
    forget(store, GONE)
    options = CrawlOptions(store=store.location.root, crawl="later", state=str(tmp_path / "later"))
    blocklist.block_before_crawl(options)
    opened = open_frontier(options.frontier_at(tmp_path / "later"), crawl="later", policy=QUICK)
    assert opened.admit([Offer(GONE), Offer("http://news.example/2")]) == "sq"
    opened.close()


def run_row(**columns: object) -> dict:
    return {"run_id": "0" * 32, "step": "crawl", "outcome": "done", "started_at": NOON,
            "ended_at": NOON + dt.timedelta(seconds=90), "settings": "{}", "versions": [],
            "counts": [{"name": "pages", "count": 3}]} | columns  # fmt: skip


# -- migration ----------------------------------------------------------------------------------------------------


def test_files_with_older_columns_are_read_and_migrated(store, monkeypatch, capsys):
    now = TABLES["rejects"]
    older = Table(now.name, now.key, now.partitions, now.written_by, now.doc,
                  tuple(column for column in now.columns if column.name != "detail"), now.version)  # fmt: skip
    monkeypatch.setitem(TABLES, "rejects", older)
    store.write("rejects", [reject("http://old.example/")], crawl="old")
    newer = Table(*(getattr(now, name) for name in ("name", "key", "partitions", "written_by", "doc", "columns")),
                  now.version + 1)  # fmt: skip
    monkeypatch.setitem(TABLES, "rejects", newer)
    assert [(one.table, one.wanted) for one in outdated(store)] == [("rejects", newer.version)]
    before = sorted(row["record"] for row in store.read("rejects").to_pylist())
    assert main(["migrate", "--store", store.location.root, "--dry-run"]) == 0
    assert "rejects: 2 files would be migrated" in capsys.readouterr().out
    assert [one.files for one in migrate(store)] == [2]
    assert outdated(store) == []
    assert sorted(row["record"] for row in store.read("rejects").to_pylist()) == before
    assert {file.version for file in store.files("rejects")} == {newer.version}
    assert "detail" in pq.read_schema(store.files("rejects", crawl="old")[0].path).names


def test_a_table_of_a_newer_version_says_what_to_do(store, monkeypatch, capsys):
    [file] = store.files("labels")
    Path(file.path).rename(file.path.replace("labels-v1-", "labels-v9-"))
    assert main(["query", "SELECT 1", "--store", store.location.root]) == 2
    assert "written by a newer parcels" in capsys.readouterr().err


# -- drift --------------------------------------------------------------------------------------------------------


@pytest.fixture
def changed(tmp_path: Path) -> Store:
    """A host whose pages keep their labels, and one whose titles vanish in the third week."""
    store = open_store(tmp_path / "store", create=True)
    pages, labels = [], []
    for week in range(3):
        at = NOON + dt.timedelta(weeks=week)
        for host in ("calm.example", "new-look.example"):
            for n in range(10):
                url = f"http://{host}/{week}/{n}"
                pages.append(page_of(url, fetched_at=at, fetched_date=at.date()))
                names = ["title"] * 2 + ["maincontent"] * 8
                if host == "new-look.example" and week == 2:
                    names = ["sitenav"] * 5 + ["maincontent"] * 5
                labels += [label(url, number, name) for number, name in enumerate(names)]
    store.write("pages", pages)
    store.write("labels", labels, crawl=CRAWL, model="news@1")
    return store


def test_a_site_that_changed_its_look_is_told(changed, capsys):
    found = drift(changed, period="week")
    assert [one.host for one in found if one.is_alarming] == ["new-look.example"]
    [alarm] = [one for one in found if one.is_alarming]
    assert (alarm.pages, alarm.blocks, alarm.moved) == (10, 100, "sitenav +0.50")
    assert alarm.distance == pytest.approx(0.5)
    assert [one.distance for one in found if one.host == "calm.example"] == [None, 0.0, 0.0]
    assert main(["drift", "--store", changed.location.root]) == 0
    said = capsys.readouterr().out
    assert "new-look.example: 10 pages, 100 blocks, changed 0.50 (sitenav +0.50)" in said
    assert "1 of 2 hosts" in said


def test_labels_of_two_models_are_not_mixed(changed):
    changed.write("labels", [label("http://calm.example/0/0", 0, "advertisement", run_id="f" * 32)], crawl=CRAWL,
                  model="other@1")  # fmt: skip
    assert sum(one.blocks for one in drift(changed)) == 1
    assert sum(one.blocks for one in drift(changed, model="news@1")) == 600


def test_a_store_without_labels_has_no_drift(store, tmp_path):
    empty = open_store(tmp_path / "empty", create=True)
    assert drift(empty) == []


# -- metrics ------------------------------------------------------------------------------------------------------


def test_the_numbers_of_a_store_are_in_prometheus_text(store, tmp_path):
    store.write("runs", [run_row()], crawl=CRAWL)
    said = text(families(store))
    assert 'parcels_runs_total{crawl="news",step="crawl",outcome="done"} 1' in said
    assert 'parcels_run_seconds_total{crawl="news",step="crawl"} 90' in said
    assert 'parcels_run_counts_total{crawl="news",step="crawl",what="pages"} 3' in said
    assert 'parcels_table_rows{table="pages"} 3' in said
    assert 'parcels_rejects{crawl="news",step="test",reason="empty"} 3' in said
    parser = pytest.importorskip("prometheus_client.parser")
    assert len(list(parser.text_string_to_metric_families(said))) == 8
    assert main(["metrics", "--store", store.location.root, "--out", str(tmp_path / "x.prom")]) == 0
    assert (tmp_path / "x.prom").read_text() == said


def test_the_numbers_are_served(store):
    import threading
    from http.server import ThreadingHTTPServer

    from parcels.cli.commands.metrics import handler

    with ThreadingHTTPServer(("127.0.0.1", 0), handler(store)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with urlopen(f"http://127.0.0.1:{server.server_port}/metrics") as answer:
            assert b'parcels_table_rows{table="pages"} 3' in answer.read()
        server.shutdown()
