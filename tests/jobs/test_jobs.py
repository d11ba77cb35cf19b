"""The jobs on a real Spark: the rows of the core, nothing done twice, co-training as in the core."""

from collections import Counter

import numpy as np
import pytest
from divided_store import divide
from jobs_world import CRAWL, annotate, make_store, rows_of
from labelled_pages import write_labelled_pages
from pyspark.sql import functions as f
from small_recipe import SMALL

import parcels
from jobs.cotrain import CoTrainSettings, SparkTraining
from jobs.engine import units
from jobs.engine.job_context import JobContext, JobOptions
from jobs.engine.rows import NEEDED, views_of
from jobs.engine.scratch import Scratch
from jobs.engine.spark_engine import SparkEngine
from jobs.engine.spark_query import run_query
from jobs.run import run_jobs
from parcels import example_web
from parcels.importing.run_record import RunRecord
from parcels.labels.examples import read_examples
from parcels.labels.train import train
from parcels.learn.boostexter import BoosTexter
from parcels.learn.cotrain import CoTraining
from parcels.learn.pool import ArrayPool
from parcels.query.sql import connect
from parcels.store import open_store

pytestmark = pytest.mark.spark
LEARNERS = {"stylistic": lambda: BoosTexter(rounds=5), "lexical": lambda: BoosTexter(rounds=5)}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    pages = write_labelled_pages(folder / "pages")
    train(list(read_examples(pages)), SMALL).save(folder / "small")
    return str(folder / "small")


@pytest.fixture(scope="module")
def lines():
    return []


@pytest.fixture(scope="module")
def options(model):
    return JobOptions(model=model, cotrain={"name": "mine", "rounds": 3, "k": 6, "u": 150, "held_out": 0.0})


@pytest.fixture(scope="module")
def store(spark, tmp_path_factory, options, lines):
    """After `parcels run divide..classify`; two pages of each site have gold labels."""
    found = make_store(tmp_path_factory.mktemp("jobs") / "store", each_site=4, labelled=2)
    jobs = ["divide", "featurize", "cotrain", "classify"]
    run_jobs(spark, found, jobs, options=options, show_progress=False, report=lines.append)
    return found


def test_blocks_and_rejects_are_those_of_the_core(store, tmp_path):
    other = make_store(tmp_path / "store", each_site=4)
    divide(other, crawl=CRAWL)
    assert rows_of(store, "blocks") == rows_of(other, "blocks")
    assert rows_of(store, "rejects") == rows_of(other, "rejects")


def test_labels_are_those_of_the_python_function(store, model):
    url = example_web.article_urls(example_web.hosts()[1])[2]
    page = next(row["page_id"] for row in rows_of(store, "pages") if row["url"] == url)
    rows = [row for row in rows_of(store, "labels") if row["page_id"] == page]
    expected = parcels.blocks(example_web.fetch(url).body, url, model=model).blocks
    assert [row["label"] for row in rows] == [block.label for block in expected]
    assert [row["confidence"] for row in rows] == pytest.approx([block.confidence for block in expected], abs=1e-6)
    assert rows[0]["model"].startswith("small@")


def test_every_job_is_a_row_of_runs_and_reports_its_counts(store, lines):
    steps = {row["step"]: row for row in rows_of(store, "runs")}
    assert {"divide", "site_blocks", "featurize", "document_frequencies", "cotrain", "classify"} <= steps.keys()
    counts = {row["name"]: row["count"] for row in steps["divide"]["counts"]}
    assert counts["pages"] == 12
    assert counts["rejected: too-deep"] == 1
    assert any("divide: 12 pages" in line and "too-deep 1" in line for line in lines)


def test_a_second_run_does_nothing_and_a_new_page_is_done_alone(spark, store, options):
    tables = ("blocks", "features", "labels", "rejects", "site_blocks", "document_frequencies", "rounds")
    counted = [row["step"] for row in rows_of(store, "runs")].count("near_duplicates")
    before = {table: [file.path for file in store.files(table)] for table in tables}
    lines = []
    jobs = ["divide", "featurize", "cotrain", "classify"]
    run_jobs(spark, store, jobs, options=options, show_progress=False, report=lines.append)
    assert {table: [file.path for file in store.files(table)] for table in tables} == before
    assert [row["step"] for row in rows_of(store, "runs")].count("near_duplicates") == counted
    assert sum("nothing to do" in line for line in lines) == len(jobs)
    url = example_web.article_urls(example_web.hosts()[0])[7]
    with RunRecord(store, step="test", crawl=CRAWL, settings={}) as run:
        run.page(example_web.fetch(url).body, record=url, address=url, name=url, source="test")
    lines.clear()
    run_jobs(spark, store, ["divide"], options=options, show_progress=False, report=lines.append)
    assert "divide: 1 pages" in lines[0]


def test_tasks_are_even_runs_of_neighbours(spark, tmp_path):
    found = open_store(tmp_path / "many", create=True)
    page = {"record": "", "address": "", "name": None, "source": "tests"}
    for files in (150, 700):
        with RunRecord(found, step="import", crawl=CRAWL, settings={}) as run:
            for number in range(files):
                url = f"http://{files}.example/{number}"
                run.page(b"<p>A page among many.</p>", **(page | {"record": url, "address": url}))
    nothing = spark.createDataFrame([], "page_id string")
    plan_of = units.plan(spark, found, CRAWL, [nothing], cores=2)
    try:
        assigned = units.assigned(plan_of).withColumn("part", f.spark_partition_id())
        rows = assigned.select("part", "task", "file", "chunk", f.size("rows").alias("pages")).collect()
    finally:
        plan_of.units.unpersist()
    assert all(row["part"] == row["task"] for row in rows)
    pages = Counter()
    for row in rows:
        pages[row["part"]] += row["pages"]
    assert len(pages) == plan_of.tasks == 5
    assert sum(pages.values()) == plan_of.pages == 850
    assert max(pages.values()) - min(pages.values()) <= 2 * units.UNIT_ROWS
    for path in {row["file"] for row in rows}:
        parts = [row["part"] for row in sorted(rows, key=lambda row: row["chunk"]) if row["file"] == path]
        assert parts == sorted(parts)


def test_what_repeats_on_a_site_and_how_often_terms_occur_is_counted(store):
    query = connect(store).execute
    count, pages = query("SELECT max(page_count), max(host_page_count) FROM site_blocks").fetchone()
    assert (count, pages) == (4, 4)
    term, blocks, pages = query(
        "SELECT term, block_count, page_count FROM document_frequencies ORDER BY page_count DESC, term LIMIT 1"
    ).fetchone()
    found = query(
        "SELECT count(*), count(DISTINCT page_id) FROM (SELECT page_id, unnest(terms).term AS term FROM features) "
        "WHERE term = ?",
        [term],
    ).fetchone()
    assert found == (blocks, pages)


def training(spark, store, tmp, **settings):
    context = JobContext(SparkEngine(spark), store, CRAWL, JobOptions(), show_progress=False, report=lambda line: None)
    usual = {"name": "t", "rounds": 4, "k": 8, "u": 120, "held_out": 0.4, "learners": LEARNERS}
    made = SparkTraining(context, CoTrainSettings.of(**usual | settings), Scratch(store, f"_cotrain/{tmp}"), "0" * 32)
    made.start()
    made.run_rounds()
    return made, made.store_model()


LATER = {name: lambda: BoosTexter(rounds=9) for name in LEARNERS}
CAREFUL = {"self_weight": 0.5, "is_agreed": True, "later_learners": LATER}


@pytest.mark.parametrize("more", [{}, CAREFUL], ids=["as the paper", "careful"])
def test_co_training_gives_the_rounds_of_the_core_and_goes_on_after_a_stop(spark, store, more):
    whole, its_hash = training(spark, store, f"whole-{len(more)}", **more)
    rows = store.read("features", columns=[*NEEDED, "page_id"])
    labelled_pages = set(store.read("annotations", columns=["page_id"])["page_id"].to_pylist())
    copies = set(store.read("near_duplicates", columns=["page_id"])["page_id"].to_pylist())
    taken = [page not in labelled_pages | copies for page in rows["page_id"].to_pylist()]
    rows = rows.filter(np.array(taken)).drop_columns(["page_id"])
    pool = ArrayPool.of(rows["block_id"].to_pylist(), views_of(rows, whole.data.vocabulary))
    core = CoTraining(LEARNERS, k=8, u=120, rounds=4, **more)
    core.fit(whole.data.rows(), pool, held_out=whole.held_out)
    assert whole.algorithm.rounds_ == core.rounds_
    assert [one.to_bytes() for one in whole.algorithm.learners_] == [one.to_bytes() for one in core.learners_]
    training(spark, store, f"parts-{len(more)}", rounds=2, **more)
    again, hash_of_parts = training(spark, store, f"parts-{len(more)}", rounds=4, **more)
    assert hash_of_parts == its_hash
    assert again.algorithm.rounds_ == whole.algorithm.rounds_


def test_the_recipes_say_the_same_in_both_engines(spark, store):
    from test_jobs_recipes import both_engines, recipes

    for title, sql in recipes():
        if both_engines(title):
            by_spark = run_query(spark, store, sql)
            by_duckdb = store.sql(sql)
            assert by_spark.schema.names == by_duckdb.column_names, title
            assert by_spark.read_all().num_rows == len(by_duckdb), title


def test_a_page_labelled_twice_counts_as_it_was_said_last(spark, store):
    from jobs.cotraining.training_set import block_labels

    before = block_labels(spark, store, CRAWL)
    url = example_web.article_urls(example_web.hosts()[0])[0]
    page = next(row["page_id"] for row in rows_of(store, "pages") if row["url"] == url)
    with RunRecord(store, step="test", crawl=CRAWL, settings={}) as run:
        annotate(run, page, url)
    assert block_labels(spark, store, CRAWL) == before
