import datetime as dt
import json
import os
import threading
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from example_rows import NOON, TRICKY_CRAWLS, page, reject
from pyarrow import fs

import parcels
from parcels.errors import ConfigError, InputMissing, ParcelsError
from parcels.store import DamagedFile, SchemaMismatch, Store, WriteFailed, open_store
from parcels.store import staging as staging_module
from parcels.store import writer as writer_module
from parcels.store.location import Location


@pytest.fixture
def store(tmp_path):
    return open_store(tmp_path / "store", create=True)


def parquet_files(store):
    return [file.path for name in ("pages", "rejects", "labels") for file in store.files(name)]


def test_rows_come_back_as_they_went_in(store):
    rows = [page(n, crawl="news", html=b"\x00\xff<p>" * n + b"<p>") for n in range(10)]
    store.write("pages", rows)
    found = store.read("pages").to_pylist()
    assert [{name: row[name] for name in rows[0]} for row in found] == rows
    assert all(row["final_url"] is None for row in found)


@pytest.mark.parametrize("crawl", TRICKY_CRAWLS)
def test_a_crawl_may_have_any_name(store, crawl):
    store.write("rejects", [reject(crawl)], crawl=crawl)
    store.write("rejects", [reject("other")], crawl="other")
    assert store.read("rejects", crawl=crawl, columns=["record", "crawl"]).to_pylist() == [
        {"record": crawl, "crawl": crawl}
    ]
    assert store.read("rejects", filter=ds.field("crawl") == crawl).num_rows == 1
    assert store.files("rejects", crawl=crawl)[0].path.isascii()


@pytest.mark.parametrize("crawl", ["", "x" * 300, "\ud800", "__HIVE_DEFAULT_PARTITION__"])
def test_a_name_that_no_folder_can_have_is_refused(store, crawl):
    with pytest.raises(ConfigError, match="crawl"):
        store.write("rejects", [reject("a")], crawl=crawl)


def test_rows_find_their_partitions(store):
    days = [dt.date(2024, 5, day) for day in (1, 2, 1)]
    committed = store.write("pages", [page(n, fetched_date=day) for n, day in enumerate(days)], crawl="news")
    assert sorted(path.split("/")[1] for path in committed) == ["fetched_date=2024-05-01", "fetched_date=2024-05-02"]
    assert sorted(store.read("pages")["fetched_date"].to_pylist()) == sorted(days)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"colour": "red"}, "column colour: the table has no such column"),
        ({"status": "ok"}, "column status: not int32"),
        ({"status": 2**40}, "column status: not int32"),
        ({"url": None}, "column url: row 1 is null"),
        ({"crawl": "x"}, "column crawl: it is fixed"),
        ({"fetched_date": "soon"}, "column fetched_date: not date"),
        ({"url": "\ud800"}, "column url: not string"),
        ({"headers": [{"name": 5}]}, "column headers: not list"),
        ({"headers": [{"nam": "x"}]}, "column headers: .*no field nam"),
        ({"headers": ["x"]}, "column headers: not list"),
    ],
)
def test_rows_that_do_not_fit_are_refused_by_the_name_of_the_column(store, change, message):
    with pytest.raises(SchemaMismatch, match=f"table pages, {message}"):
        store.write("pages", [page(1), page(2) | change], crawl="news")
    assert store.files("pages") == []
    assert list(Path(store.location.path("_staging")).iterdir()) == []


def test_a_missing_column_is_named(store):
    row = page(1)
    del row["url"]
    with pytest.raises(SchemaMismatch, match="column url: missing"):
        store.write("pages", [row], crawl="news")


def test_arrow_tables_are_cast_where_nothing_is_lost(store):
    table = pa.Table.from_pylist([page(1)]).cast(
        pa.schema([
            field.with_type(pa.large_string()) if pa.types.is_string(field.type) else field
            for field in pa.Table.from_pylist([page(1)]).schema
        ])
    )  # fmt: skip
    store.write("pages", table, crawl="news")
    store.write("pages", iter(table.to_batches()), crawl="news")
    assert store.read("pages", columns=["status"])["status"].to_pylist() == [200, 200]
    with pytest.raises(SchemaMismatch, match="column status"):
        store.write("pages", table.set_column(table.column_names.index("status"), "status", [[2**40]]), crawl="news")


def test_a_file_says_what_it_is(store):
    store.write("pages", [page(1)], crawl="news", run_id="a" * 32)
    metadata = pq.read_metadata(store.files("pages")[0].path)
    stated = {name.decode(): text.decode() for name, text in metadata.metadata.items() if name.startswith(b"parcels.")}
    assert stated == {
        "parcels.table": "pages",
        "parcels.schema_version": "2",
        "parcels.version": parcels.__version__,
        "parcels.run_id": "a" * 32,
    }
    columns = {metadata.row_group(0).column(i).path_in_schema: metadata.row_group(0).column(i) for i in range(20)}
    assert {column.compression for column in columns.values()} == {"ZSTD"}
    assert columns["url"].statistics is not None
    assert columns["html"].statistics is None


def test_files_rotate_by_size_and_hold_every_row_once(store, monkeypatch):
    monkeypatch.setattr(writer_module, "ROW_GROUP_BYTES", 1 << 16)
    with store.writer("pages", crawl="news", file_bytes=4 << 16) as writer:
        for n in range(8):
            writer.add([page(n, html=b"x" * (1 << 16))])
        assert len(store.files("pages")) == 2
    assert len(store.files("pages")) == 2
    assert sorted(store.read("pages", columns=["url"])["url"].to_pylist()) == sorted(page(n)["url"] for n in range(8))


def test_many_partitions_at_once_stay_within_bounds(store):
    days = [dt.date(2024, 1, 1) + dt.timedelta(n) for n in range(80)]
    with store.writer("pages", crawl="news") as writer:
        for _ in range(2):
            writer.add([page(n, fetched_date=day) for n, day in enumerate(days)])
    assert store.read("pages", columns=["url"]).num_rows == 160
    assert len(store.files("pages")) == 80


def test_nothing_is_read_before_the_commit_and_an_error_discards_it(store):
    writer = store.writer("rejects", crawl="news")
    writer.add([reject("a")])
    assert store.read("rejects").num_rows == 0
    writer.commit()
    assert store.read("rejects").num_rows == 1
    with pytest.raises(SchemaMismatch), writer:
        add_badly(writer, reject("b"))
    assert store.read("rejects")["record"].to_pylist() == ["a"]
    with pytest.raises(ParcelsError, match="closed"):
        writer.add([reject("c")])


def add_badly(writer, good):
    writer.add([good])
    writer.add([{"nonsense": 1}])


def test_the_same_commit_twice_is_one_commit(store):
    for _ in range(2):
        store.write("rejects", [reject("a")], crawl="news", commit_id="spool-17")
    assert store.read("rejects").num_rows == 1
    with pytest.raises(ConfigError, match="commit id"):
        store.writer("rejects", crawl="news", commit_id="../x")


def test_threads_may_write_one_table_at_once(store):
    def write(number):
        for n in range(10):
            store.write("rejects", [reject(f"{number}-{n}")], crawl="news")

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(store.read("rejects")["record"].to_pylist())) == 40


def test_processes_may_make_the_same_store_at_once(tmp_path):
    def make(folder, barrier, failures):
        barrier.wait()
        try:
            open_store(folder, create=True).write("rejects", [reject("a")], crawl="news")
        except ParcelsError as error:
            failures.append(error)

    failures = []
    for number in range(20):
        barrier = threading.Barrier(4)
        threads = [threading.Thread(target=make, args=(tmp_path / str(number), barrier, failures)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert open_store(tmp_path / str(number)).read("rejects").num_rows == 4
    assert not failures


def test_a_folder_with_nothing_but_an_unfinished_marker_becomes_a_store(tmp_path):
    (tmp_path / ".parcels-store.json.17.0a1b2c3d.part").touch()
    assert open_store(tmp_path, create=True).read("rejects").num_rows == 0


def test_keys_are_told_for_incremental_work(store):
    store.write("labels", [label(n) for n in (1, 1, 2)], crawl="news", model="m@1")
    assert sorted(store.keys("labels")["block_id"].to_pylist()) == ["1", "2"]
    assert store.keys("labels", crawl="other").num_rows == 0
    assert store.read("labels", model="m@2").num_rows == 0
    assert store.read("labels", model="m@1", columns=["model"])["model"].to_pylist() == ["m@1"] * 3


def label(n):
    return {"block_id": str(n), "page_id": "p", "n": n, "label": "title", "views": [], "leaves": [], "spans": []}


def test_an_empty_table_has_its_columns(store):
    assert store.read("blocks").num_rows == 0
    assert "leaves" in store.read("blocks").column_names
    assert store.read("blocks", columns=["n", "crawl"]).column_names == ["n", "crawl"]


def test_a_store_that_is_not_there_says_what_to_do(tmp_path):
    with pytest.raises(InputMissing, match=r"No store at .*parcels import"):
        open_store(tmp_path / "none")
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "a.jpg").touch()
    for create in (True, False):
        with pytest.raises(ConfigError, match="is not a store"):
            open_store(tmp_path / "photos", create=create)
    with pytest.raises(ConfigError, match="not a valid location"):
        open_store("gopher://a/b")


def test_a_store_of_another_format_is_refused(store, tmp_path):
    marker = tmp_path / "store" / "parcels-store.json"
    marker.write_text(json.dumps({"format": 99}))
    with pytest.raises(ConfigError, match="store format 99"):
        open_store(tmp_path / "store")
    marker.write_text("{")
    with pytest.raises(DamagedFile, match="is damaged"):
        open_store(tmp_path / "store")


def test_a_file_of_a_newer_parcels_is_refused(store):
    store.write("rejects", [reject("a")], crawl="news")
    path = parquet_files(store)[0]
    fs.LocalFileSystem().move(path, path.replace("-v1-", "-v2-"))
    with pytest.raises(ConfigError, match="newer parcels"):
        store.read("rejects")


def test_an_unknown_table_or_column_is_named(store):
    with pytest.raises(ConfigError, match=r"Unknown table 'pagez'\. Known: pages"):
        store.read("pagez")
    with pytest.raises(ConfigError, match=r"no column 'hots'\. Its columns: page_id"):
        store.read("pages", columns=["hots"])
    with pytest.raises(ConfigError, match="not partitioned by model"):
        store.writer("pages", model="m")


@pytest.mark.parametrize("damage", ["half", "empty", "page", "foreign", "other table", "misplaced"])
def test_a_damaged_or_foreign_file_is_named(store, tmp_path, damage):
    store.write("rejects", [reject(f"{n}" * 50) for n in range(1000)], crawl="news")
    store.write("labels", [label(1)], crawl="news", model="m")
    folder = tmp_path / "store" / "rejects" / "crawl=news"
    good = next(folder.glob("*.parquet"))
    data = good.read_bytes()
    bad = good.with_name(good.name.replace("-0000", "-0001"))
    if damage == "half":
        bad.write_bytes(data[: len(data) // 2])
    elif damage == "empty":
        bad.touch()
    elif damage == "page":
        bad.write_bytes(data[:200] + b"\x55" * 300 + data[500:])
    elif damage == "foreign":
        bad = folder / "export.parquet"
        pq.write_table(pa.table({"x": [1]}), bad)
    elif damage == "other table":
        bad = folder / store.files("labels")[0].path.rpartition("/")[2]
        bad.write_bytes(b"")
    else:
        bad = tmp_path / "store" / "rejects" / good.name
        bad.write_bytes(data)
    with pytest.raises(DamagedFile) as caught:
        store.read("rejects")
    assert str(bad) in str(caught.value)


def test_other_files_in_a_table_folder_do_no_harm(store, tmp_path):
    store.write("rejects", [reject("a")], crawl="news")
    for name in ("_SUCCESS", ".x.parquet.crc", "_tmp.parquet", "notes.txt"):
        (tmp_path / "store" / "rejects" / "crawl=news" / name).write_text("x")
    assert store.read("rejects").num_rows == 1


def test_any_filesystem_with_an_atomic_rename_will_do(tmp_path):
    """HDFS goes this way: nothing but pyarrow's filesystem is used."""
    location = Location(fs.SubTreeFileSystem(str(tmp_path), fs.LocalFileSystem()), "store", "hdfs://example/store")
    location.filesystem.create_dir("store")
    store = Store(location)
    for _ in range(2):
        store.write("rejects", [reject(crawl, crawl=crawl) for crawl in TRICKY_CRAWLS], commit_id="once")
    assert store.read("rejects")["crawl"].to_pylist() == store.read("rejects")["record"].to_pylist()
    assert sorted(store.read("rejects")["crawl"].to_pylist()) == sorted(TRICKY_CRAWLS)
    assert list((tmp_path / "store" / "_staging").iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_read_is_not_an_empty_one(store, tmp_path):
    store.write("rejects", [reject("a")], crawl="news")
    (tmp_path / "store" / "rejects").chmod(0)
    with pytest.raises(InputMissing, match="Cannot list"):
        store.read("rejects")


def test_a_place_that_cannot_be_written_is_told(store, tmp_path):
    (tmp_path / "store" / "_staging").write_text("in the way")
    with pytest.raises(WriteFailed, match="Cannot write table rejects"):
        store.write("rejects", [reject("a")], crawl="news")
    (tmp_path / "file").touch()
    with pytest.raises(ParcelsError, match=r"is not a store|cannot"):
        open_store(tmp_path / "file" / "store", create=True)


def test_what_another_host_left_is_swept_after_a_week(store, tmp_path):
    base = tmp_path / "store" / "_staging"
    old, fresh, foreign = (base / name for name in ("far~1~boot~aa", "near~1~boot~bb", "notes"))
    for folder in (old, fresh, foreign):
        folder.mkdir(parents=True)
    week = NOON.timestamp()
    os.utime(old, (week, week))
    store.write("rejects", [reject("a")], crawl="news")
    assert sorted(path.name for path in base.iterdir()) == [fresh.name, foreign.name]


def test_a_living_writer_is_not_swept(store, tmp_path, monkeypatch):
    writer = store.writer("rejects", crawl="news")
    writer.add([reject("a")])
    # A container that shares the folder may not see the process: then its lock speaks for it.
    monkeypatch.setattr(staging_module, "_started", lambda pid: None)
    assert staging_module.sweep(store.location) == []
    monkeypatch.undo()
    writer.close()
    assert store.read("rejects").num_rows == 1
