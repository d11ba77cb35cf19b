"""One current model per crawl: chosen, or else the last that wrote; in every view, the report and the annotator."""

import json

import pytest
from sql_store import fill, rows_of

from parcels.annotate.predictions import StoredLabels
from parcels.cli import main
from parcels.errors import ConfigError
from parcels.query.sql import connect
from parcels.report.data import Data
from parcels.store import DamagedFile, open_store
from parcels.store.models import CHOICES, current_model, current_models, models_of, use_model

OLD, NEW = "news@1", "cotrained@2"
LATE = "f" * 32  # ids of runs sort by their start
SHOWN = "SELECT DISTINCT model FROM classified_blocks ORDER BY model"


def add_model(store, model=NEW, crawl="news", run_id=LATE):
    """Write the labels of the first model once more, as another one."""
    rows = store.read("labels", crawl=crawl, model=OLD).drop_columns(["crawl", "model"]).to_pylist()
    store.write("labels", [row | {"run_id": run_id} for row in rows], crawl=crawl, model=model)


def article(store, model, title):
    page = store.read("pages", columns=["page_id"])["page_id"][0].as_py()
    row = {"page_id": page, "title": title, "authors": [], "text": title, "images": [], "confidence": 0.5}
    store.write("articles", [row], crawl="news", model=model)


@pytest.fixture
def store(tmp_path):
    found = open_store(tmp_path / "store", create=True)
    fill(found)
    return found


def test_a_second_model_doubles_no_answer(store):
    before = store.sql("SELECT label, count(*) AS blocks FROM classified_blocks GROUP BY label ORDER BY label")
    add_model(store)
    after = store.sql("SELECT label, count(*) AS blocks FROM classified_blocks GROUP BY label ORDER BY label")
    assert before.to_pylist() == after.to_pylist()
    assert len(store.table("all_classified_blocks")) == len(store.table("labels")) == 4
    assert len(store.table("current_labels")) == 2


def test_the_model_that_wrote_last_is_shown_until_one_is_chosen(store):
    add_model(store)
    assert store.sql(SHOWN).to_pylist() == [{"model": NEW}]
    assert use_model(store, "news") == {"labels": OLD}
    assert open_store(store.location.root).sql(SHOWN).to_pylist() == [{"model": OLD}]
    assert use_model(store, NEW) == {"labels": NEW}
    assert store.sql(SHOWN).to_pylist() == [{"model": NEW}]


def test_a_model_that_is_trained_anew_stays_chosen(store):
    add_model(store)
    add_model(store, "other@1", run_id="f" * 31 + "e")
    use_model(store, "cotrained")
    assert store.sql(SHOWN).to_pylist() == [{"model": NEW}]
    add_model(store, "cotrained@3", run_id="f" * 31 + "0")
    assert store.sql(SHOWN).to_pylist() == [{"model": NEW}], "the last of its name"
    add_model(store, "cotrained@4")
    assert store.sql(SHOWN).to_pylist() == [{"model": "cotrained@4"}]
    use_model(store, NEW)
    assert store.sql(SHOWN).to_pylist() == [{"model": NEW}]


def test_merging_small_files_does_not_make_a_model_the_last_writer(tmp_path):
    from jobs.compact import compact

    store = open_store(tmp_path / "store", create=True)
    fill(store)
    for run_id in ("1" * 32, "2" * 32):
        add_model(store, "old@1", run_id=run_id)
    add_model(store, "young@1")
    before = models_of(store, "labels")
    assert before == [OLD, "old@1", "young@1"]
    assert compact(store, "labels") == (4, 3)
    assert models_of(store, "labels") == before


def test_a_crawl_without_rows_of_the_chosen_model_shows_its_own(store):
    fill(store, "é o'x\\y")
    add_model(store)
    use_model(store, NEW)
    assert current_models(store, "labels") == {"news": NEW, "é o'x\\y": OLD}
    assert len(store.table("classified_blocks")) == 4
    assert len(store.table("classified_blocks", crawl="é o'x\\y")) == 2


def test_other_tables_have_a_current_model_of_their_own(store):
    article(store, "content@1", "Old")
    article(store, "content@2", "New")
    use_model(store, "content@1")
    add_model(store)
    (row,) = store.table("articles_with_pages").to_pylist()
    assert (row["title"], row["url"], row["host"], row["model"]) == (
        "Old", "http://news.example/1", "news.example", "content@1",
    )  # fmt: skip
    assert store.sql(SHOWN).to_pylist() == [{"model": NEW}]
    assert len(store.table("articles")) == 2


def test_the_report_and_the_annotator_show_the_chosen_model(store):
    add_model(store)
    assert (StoredLabels(store).model, Data(store).model) == (NEW, NEW)
    use_model(store, "news")
    assert (StoredLabels(store).model, Data(store).model) == (OLD, OLD)
    assert StoredLabels(store, model="cotrained").model == NEW
    assert StoredLabels(store, model="none").model is None


def test_an_unknown_model_is_refused_and_nothing_changes(store):
    use_model(store, "news")
    with pytest.raises(ConfigError, match="Did you mean 'news'"):
        use_model(store, "nwes")
    assert current_model(store, "labels") == OLD
    assert current_model(store, "topics") is None


def test_a_damaged_choice_is_named(store):
    store.location.put(CHOICES, b"[")
    with pytest.raises(DamagedFile, match=CHOICES):
        connect(store)


def test_the_command_lists_and_chooses(store, capsys):
    add_model(store)
    where = ["--store", store.location.root]
    assert main(["models"]) == 0
    assert "Block labels of news pages" in capsys.readouterr().out
    assert main(["models", "use", "news", *where]) == 0
    assert capsys.readouterr().out == f"labels: views show {OLD}\n"
    assert main(["models", *where]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("labels")]
    assert [("current, chosen" in line, OLD in line) for line in lines] == [(True, True), (False, False)]
    assert main(["models", "--format", "json", *where]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {row["model"]: (row["rows"], row["is_current"]) for row in rows if "model" in row} == {
        OLD: (2, True), NEW: (2, False),
    }  # fmt: skip
    assert main(["models", "use", "none", *where]) == 2
    assert main(["models", "use", *where]) == 2


def test_a_query_says_which_of_several_models_it_shows(store, capsys):
    words = ["query", "SELECT count(*) AS n FROM classified_blocks", "--format", "csv", "--store", store.location.root]
    assert main(words) == 0
    assert capsys.readouterr().err == ""
    add_model(store)
    assert main([*words[:1], "SELECT count(*) FROM all_classified_blocks", *words[2:]]) == 0
    assert capsys.readouterr().err == ""
    assert main(words) == 0
    said = capsys.readouterr()
    assert said.out == "n\n2\n"
    assert f"The view shows {NEW}, the last one written" in said.err
    assert main(["models", "use", "news", "--store", store.location.root]) == 0
    capsys.readouterr()
    assert main(words) == 0
    assert capsys.readouterr().err == ""


def test_only_files_of_the_current_model_are_opened(store):
    add_model(store)
    plan = rows_of(connect(store), "EXPLAIN SELECT label FROM current_labels")[0][1]
    assert "1/2" in plan


@pytest.mark.spark
def test_spark_shows_the_same_model(store, spark):
    from jobs.engine.spark_query import run_query

    fill(store, "é o'x\\y")
    add_model(store)
    use_model(store, "news")
    article(store, "content@1", "Old")
    for name in ("classified_blocks", "all_classified_blocks", "current_labels", "articles_with_pages"):
        sql = f"SELECT * FROM {name} ORDER BY page_id, model, crawl" + ("" if "articles" in name else ", n")
        by_spark, by_duckdb = run_query(spark, store, sql).read_all(), store.sql(sql)
        assert by_spark.column_names == by_duckdb.column_names
        assert by_spark.to_pylist() == by_duckdb.to_pylist(), name
