import datetime as dt
import os

import duckdb
import pytest
from example_rows import TRICKY_CRAWLS, page, reject
from sql_store import MODEL, fill, rows_of

from parcels.errors import ConfigError
from parcels.query.sql import connect, explain
from parcels.query.views import VIEWS
from parcels.store import DamagedFile, open_store
from parcels.tables import TABLES


@pytest.fixture
def store(tmp_path):
    return open_store(tmp_path / "store", create=True)


def test_every_table_is_a_view_even_without_rows(store):
    connection = connect(store)
    for name, table in TABLES.items():
        assert rows_of(connection, f"SELECT * FROM {name}") == []
        described = [row[0] for row in rows_of(connection, f"DESCRIBE {name}")]
        assert described == [column.name for column in table.all_columns]
    for name, view in VIEWS.items():
        assert rows_of(connection, f"SELECT * FROM {name}") == []
        described = [row[0] for row in rows_of(connection, f"DESCRIBE {name}")]
        assert described == [column.name for column in view.columns]


def test_a_view_has_the_same_types_with_rows_and_without(store):
    before = {name: rows_of(connect(store), f"DESCRIBE {name}") for name in ("pages", "blocks", "labels")}
    fill(store)
    after = {name: rows_of(connect(store), f"DESCRIBE {name}") for name in before}
    assert before == after


def test_classified_blocks_join_labels_texts_and_addresses(store):
    for crawl in ("news", "é 漢"):
        fill(store, crawl)
    found = rows_of(
        connect(store),
        "SELECT label, text, area, host, url, model, fetched_at FROM classified_blocks WHERE crawl = 'é 漢' ORDER BY n",
    )
    same = ("centre", "news.example", "http://news.example/1", MODEL, dt.datetime(2024, 5, 1, 12))
    assert found == [("title", "Fire at the pier", *same), ("maincontent", "Nobody was hurt.", *same)]


def test_partition_columns_have_their_own_types(store):
    store.write("pages", [page(n, crawl=crawl) for n, crawl in enumerate(["2024", "007"])])
    found = rows_of(connect(store), "SELECT crawl, fetched_date FROM pages ORDER BY crawl")
    assert found == [("007", dt.date(2024, 5, 1)), ("2024", dt.date(2024, 5, 1))]


@pytest.mark.parametrize("folder", ["store", "s [1]{a,b}*'é", "crawl=zz/model=m/store"])
def test_names_of_crawls_survive_wherever_the_store_lies(tmp_path, folder):
    store = open_store(tmp_path / folder, create=True)
    store.write("rejects", [reject(crawl, crawl=crawl) for crawl in TRICKY_CRAWLS])
    found = rows_of(connect(store), "SELECT record, crawl FROM rejects")
    assert sorted(found) == sorted((crawl, crawl) for crawl in TRICKY_CRAWLS)


def test_only_the_files_of_a_partition_are_opened(store):
    store.write("rejects", [reject(crawl, crawl=crawl) for crawl in TRICKY_CRAWLS])
    plan = rows_of(connect(store), "EXPLAIN SELECT record FROM rejects WHERE crawl = 'é漢'")[0][1]
    assert f"1/{len(TRICKY_CRAWLS)}" in plan


def test_files_that_are_committed_later_are_seen(store):
    store.write("rejects", [reject("a")], crawl="news")
    connection = connect(store)
    store.write("rejects", [reject("b")], crawl="news")
    assert rows_of(connection, "SELECT count(*) FROM rejects") == [(2,)]


def test_a_column_that_older_files_lack_is_null(store, monkeypatch):
    from dataclasses import replace

    from parcels.query.schema import Column
    from parcels.tables import TEXT

    store.write("rejects", [reject("old")], crawl="news")
    table = TABLES["rejects"]
    newer = replace(table, version=2, columns=(*table.columns, Column("hint", TEXT, "What to do.", nullable=True)))
    monkeypatch.setitem(TABLES, "rejects", newer)
    assert rows_of(connect(store), "SELECT record, hint FROM rejects") == [("old", None)]
    expected = [("new", "mend it"), ("old", None)]
    store.write("rejects", [reject("new", hint="mend it")], crawl="news")
    assert rows_of(connect(store), "SELECT record, hint FROM rejects ORDER BY record") == expected
    found = store.read("rejects", columns=["record", "hint"]).sort_by("record").to_pylist()
    assert [(row["record"], row["hint"]) for row in found] == expected


def test_a_foreign_file_is_named_before_the_query_runs(store, tmp_path):
    store.write("rejects", [reject("a")], crawl="news")
    (tmp_path / "store" / "rejects" / "crawl=news" / "mine.parquet").touch()
    with pytest.raises(DamagedFile, match=r"mine\.parquet"):
        connect(store)


def test_a_damaged_file_is_named_by_the_query(store):
    store.write("rejects", [reject("a")], crawl="news")
    path = store.files("rejects")[0].path
    store.write("rejects", [reject("b")], crawl="news")
    connection = connect(store)
    os.truncate(path, 100)
    with pytest.raises(duckdb.Error) as caught:
        rows_of(connection, "SELECT * FROM rejects")
    error = explain(caught.value, store)
    assert isinstance(error, DamagedFile)
    assert path in str(error)


def test_a_wrong_query_is_told_with_the_tables(store):
    for sql in ("SELECT * FROM pagez", "SELEC 1", "SELECT hots FROM pages", "SELECT CAST('a' AS INT)"):
        with pytest.raises(duckdb.Error) as caught:
            rows_of(connect(store), sql)
        error = explain(caught.value, store)
        assert isinstance(error, ConfigError)
        assert "Tables: pages" in str(error)


@pytest.mark.spark
def test_spark_finds_the_same_rows_as_duckdb(store, spark):
    from jobs.engine.spark_tables import register_views

    for crawl in TRICKY_CRAWLS:
        fill(store, crawl)
    register_views(spark, store)
    queries = [
        "SELECT crawl, url, byte_count, CAST(fetched_at AS STRING) AS at, fetched_date FROM pages",
        "SELECT crawl, model, label, text, CAST(fetched_at AS STRING) AS at FROM classified_blocks",
        "SELECT crawl, leaves[{first}].text AS leaf, box.x_px AS x FROM blocks",
        "SELECT count(*) AS n FROM rejects",
        "SELECT url FROM pages WHERE crawl = 'é漢'",
    ]
    for sql in queries:
        by_spark = sorted(tuple(row) for row in spark.sql(sql.format(first=0)).collect())
        by_duckdb = sorted(rows_of(connect(store), sql.format(first=1)))
        assert by_spark == by_duckdb, sql
    assert spark.sql("SELECT * FROM classified_blocks").count() == 2 * len(TRICKY_CRAWLS)
    assert dict(spark.table("pages").dtypes)["crawl"] == "string"


@pytest.mark.spark
def test_spark_opens_only_the_files_of_a_partition(store, spark):
    from jobs.engine.spark_tables import frame

    store.write("rejects", [reject(crawl, crawl=crawl) for crawl in TRICKY_CRAWLS])
    rows = frame(spark, store, "rejects").where("crawl = 'é漢'")
    assert [row.record for row in rows.collect()] == ["é漢"]
    assert "PartitionFilters: []" not in rows._jdf.queryExecution().toString()


@pytest.mark.spark
@pytest.mark.parametrize("name", ["local[2]", "a{b,c}", "what?", "all*", "with space", "per%20cent"])
def test_a_folder_may_have_any_name(tmp_path, spark, name):
    from jobs.engine.spark_tables import frame

    store = open_store(tmp_path / name, create=True)
    fill(store)
    assert frame(spark, store, "pages").count() == 1
    assert len(rows_of(connect(store), "SELECT * FROM pages")) == 1
