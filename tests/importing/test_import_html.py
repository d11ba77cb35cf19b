import datetime as dt
import gzip
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from parcels.errors import ConfigError, InputMissing
from parcels.importing import known, run_record
from parcels.importing.html import import_html
from parcels.store import DiskFull, Writer, open_store
from parcels.urls import page_id


@pytest.fixture
def store(tmp_path):
    return open_store(tmp_path / "store", create=True)


@pytest.fixture
def pages(tmp_path):
    """A Parquet file: two pages with addresses, one with style sheets, one without anything."""
    rows = [
        {"page": "a", "html": b"<p>A", "url": "HTTP://News.example/a#top", "css": None, "dir": None},
        {"page": "b", "html": b"<p>B", "url": None, "dir": "site/x",
         "css": [{"path": "site/one.css", "text": b"p{}"}, {"path": "site/two.css", "text": b"p{}"}]},
        {"page": "c", "html": None, "url": None, "css": None, "dir": None},
        {"page": "d", "html": b"", "url": None, "css": None, "dir": None},
    ]  # fmt: skip
    path = tmp_path / "pages.parquet"
    pq.write_table(pa.Table.from_pylist(rows), path)
    return str(path)


def test_pages_keep_what_is_known_of_them(store, pages):
    done = import_html(store, [pages], crawl="news")
    a, b = store.read("pages").sort_by("name").to_pylist()
    assert (a["url"], a["final_url"], a["host"], a["name"]) == (
        "http://news.example/a", "HTTP://News.example/a#top", "news.example", "a"
    )  # fmt: skip
    assert (b["url"], b["final_url"], b["host"], b["name"]) == ("page:b", None, None, "b")
    assert a["page_id"] == page_id("http://news.example/a", "news", 0)
    assert (a["html"], a["byte_count"], a["visit"], a["source"]) == (b"<p>A", 4, 0, pages)
    assert a["fetched_at"] is None
    assert a["fetched_date"] == done.started_at.date()
    assert a["run_id"] == done.run_id


def test_style_sheets_go_with_their_page(store, pages):
    import_html(store, [pages], crawl="news")
    b = store.read("pages").sort_by("name").to_pylist()[1]
    sheets = store.read("resources").to_pylist()
    assert [sheet["path"] for sheet in b["sheets"]] == ["site/one.css", "site/two.css"]
    assert b["folder"] == "site/x"
    assert {sheet["content_hash"] for sheet in b["sheets"]} == {sheet["content_hash"] for sheet in sheets}
    assert sorted(sheet["url"] for sheet in sheets) == ["page:site/one.css", "page:site/two.css"]
    assert sheets[0]["body"] == b"p{}"


def test_what_is_no_page_is_rejected_with_a_reason(store, pages):
    done = import_html(store, [pages], crawl="news")
    rejects = {row["record"]: row["reason"] for row in store.read("rejects").to_pylist()}
    assert rejects == {f"{pages}#c": "empty", f"{pages}#d": "empty"}
    assert done.counts == {"records": 4, "pages": 2, "resources": 2, "rejected: empty": 2}


def test_importing_twice_adds_nothing_but_a_run(store, pages):
    import_html(store, [pages], crawl="news")
    before = {name: store.read(name).num_rows for name in ("pages", "resources", "rejects")}
    done = import_html(store, [pages], crawl="news")
    assert {name: store.read(name).num_rows for name in before} == before
    assert done.counts == {"records": 4, "skipped: already in the store": 2, "rejected: empty": 2}
    assert store.read("runs").num_rows == 2
    assert import_html(store, [pages], crawl="other").counts["pages"] == 2


def test_two_files_of_one_name_are_not_mixed_up(store, tmp_path):
    for folder, text in (("x", "one"), ("y", "two"), ("z", "one")):
        (tmp_path / "site" / folder).mkdir(parents=True)
        (tmp_path / "site" / folder / "index.html").write_text(f"<p>{text}")
    done = import_html(store, [str(tmp_path / "site")], crawl="news")
    assert done.counts["pages"] == 1
    assert done.counts["rejected: same-address"] == 1
    assert done.counts["skipped: already in the store"] == 1
    assert "with other content" in store.read("rejects")["detail"][0].as_py()


def test_files_folders_and_gzip_are_read(store, tmp_path):
    (tmp_path / "a.html").write_text("<p>A")
    (tmp_path / "b.html.gz").write_bytes(gzip.compress(b"<p>B"))
    (tmp_path / "c.html.gz").write_bytes(gzip.compress(b"<p>C" * 1000)[:-9])
    done = import_html(store, [str(tmp_path / name) for name in ("a.html", "b.html.gz", "c.html.gz")], crawl="news")
    assert sorted(store.read("pages")["name"].to_pylist()) == ["a", "b"]
    assert done.counts["rejected: bad-gzip"] == 1


def test_a_page_over_the_limit_is_rejected(store, tmp_path):
    pq.write_table(pa.table({"page": ["a", "b"], "html": [b"<p>" + b"x" * 1000, b"<p>"]}), tmp_path / "p.parquet")
    done = import_html(store, [str(tmp_path / "p.parquet")], crawl="news", max_bytes=100)
    assert done.counts["rejected: too-large"] == 1
    assert done.counts["pages"] == 1


def test_a_missing_source_is_an_error_before_anything_is_written(store, pages):
    with pytest.raises(InputMissing, match="no-such"):
        import_html(store, [pages, "no-such.html"], crawl="news")
    assert store.read("pages").num_rows == store.read("runs").num_rows == 0


def test_an_address_can_be_stated_for_one_file_only(store, pages, tmp_path):
    (tmp_path / "a.html").write_text("<p>A")
    import_html(store, [str(tmp_path / "a.html")], crawl="news", url="http://news.example/a")
    assert store.read("pages")["url"].to_pylist() == ["http://news.example/a"]
    with pytest.raises(ConfigError, match="--url"):
        import_html(store, [pages], crawl="news", url="http://news.example/a")


def test_a_run_says_what_was_done(store, pages):
    done = import_html(store, [pages], crawl="news")
    (row,) = store.read("runs").to_pylist()
    assert (row["run_id"], row["step"], row["outcome"], row["error"]) == (done.run_id, "import-html", "done", None)
    assert json.loads(row["settings"])["sources"] == [pages]
    assert {count["name"]: count["count"] for count in row["counts"]} == done.counts
    assert {"parcels", "python", "pyarrow"} <= {version["name"] for version in row["versions"]}
    assert dt.timedelta(0) <= row["ended_at"] - row["started_at"] < dt.timedelta(minutes=1)


def test_a_stopped_import_keeps_what_it_read_and_can_go_on(store, pages):
    calls = []

    def stop():
        calls.append(1)
        if len(calls) == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_html(store, [pages], crawl="news", each=stop)
    assert store.read("pages")["name"].to_pylist() == ["a"]
    assert store.read("runs")["outcome"].to_pylist() == ["stopped"]
    assert import_html(store, [pages], crawl="news").counts["pages"] == 1


def test_a_failed_import_leaves_only_its_run(store, pages, monkeypatch):
    monkeypatch.setattr(run_record, "BATCH_ROWS", 1)
    add = Writer.add

    def full(self, rows):
        if self.table.name == "pages":
            raise DiskFull("no room left")
        add(self, rows)

    monkeypatch.setattr(Writer, "add", full)
    with pytest.raises(DiskFull):
        import_html(store, [pages], crawl="news")
    assert store.read("pages").num_rows == store.read("resources").num_rows == 0
    (row,) = store.read("runs").to_pylist()
    assert (row["outcome"], row["error"]) == ("failed", "no room left")


def test_known_pages_are_found_however_many_there_are(store, monkeypatch):
    monkeypatch.setattr(known, "FRESH", 10)
    pages = known.KnownPages(store, "news")
    ids = [(page_id(f"http://a.example/{n}", "news", 0), f"{n:032x}") for n in range(45)]
    assert {pages.see(*pair) for pair in ids} == {known.PageStatus.NEW}
    assert {pages.see(*pair) for pair in ids} == {known.PageStatus.SAME}
    assert {pages.see(id_, "f" * 32) for id_, _ in ids} == {known.PageStatus.OTHER}
