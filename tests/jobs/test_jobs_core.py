"""The jobs without Spark: what a task does with its units, what a round chooses, what compaction leaves."""

import resource
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from jobs_world import CRAWL, make_store, rows_of, units
from pyarrow.fs import LocalFileSystem

from jobs.compact import compact
from jobs.cotraining.pool import PoolManifest, RowGroup
from jobs.cotraining.spark_pool import merged, select_rows
from jobs.divide import Divide
from jobs.duplicates import bands, signature
from jobs.engine.local_engine import LocalEngine
from jobs.engine.page_pass import PagePass
from jobs.engine.rows import NEEDED, views_of
from jobs.engine.session import QUICK_JAVA, _local
from jobs.engine.submit import command, packed_files
from jobs.engine.units import UNIT_ROWS, RowReader
from jobs.featurize import Featurize, add_site_features, feature_list
from jobs.run import crawls_of, jobs_of
from parcels.cli.main import main
from parcels.errors import ConfigError, InputMissing, SkipRecord
from parcels.labels.cotrained import model_hash
from parcels.learn.boostexter import BoosTexter
from parcels.learn.cotrain import CoTraining
from parcels.learn.learner import Labelled
from parcels.learn.pool import ArrayPool, pool_hash
from parcels.learn.select import Selector, settle
from parcels.learn.stored import packed as packed_arrays
from parcels.limits import cpu_limit
from parcels.store import open_store
from parcels.store.errors import DiskFull


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Divided and measured by a task, as an executor would."""
    found = make_store(tmp_path_factory.mktemp("jobs") / "store", each_site=2)
    for number, step in enumerate((Divide(), Featurize())):
        PagePass(found.location.uri, CRAWL, ("0" * 32,), (step,)).process(list(units(found)), commit_id=f"run-{number}")
    with closing(LocalEngine(1)) as engine:
        add_site_features(engine, found, CRAWL)
    return found


def test_a_page_that_cannot_be_divided_is_a_reject(store):
    reasons = [row["reason"] for row in rows_of(store, "rejects") if row["step"] == "divide"]
    assert reasons == ["too-deep"]


def test_a_task_that_is_tried_again_writes_the_same_files(store):
    files = [file.path for file in store.files("blocks")]
    before = rows_of(store, "blocks")
    PagePass(store.location.uri, CRAWL, ("0" * 32,), (Divide(),)).process(list(units(store)), commit_id="run-0")
    assert [file.path for file in store.files("blocks")] == files
    assert rows_of(store, "blocks") == before


def test_a_disk_that_is_full_ends_a_task_with_nothing_half_written_and_the_next_try_goes_through(tmp_path, store):
    other = make_store(tmp_path / "store", each_site=2)
    task = PagePass(other.location.uri, CRAWL, ("0" * 32,), (Divide(),))
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_000, usual[1]))  # no file may grow past it, as on a full disk
    try:
        with pytest.raises(DiskFull, match="Free some space and run again"):
            task.process(list(units(other)), commit_id="run-0")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert other.files("blocks") == []
    assert [path for path in Path(other.location.path("_staging")).rglob("*") if path.is_file()] == []
    task.process(list(units(other)), commit_id="run-0")
    assert rows_of(other, "blocks") == rows_of(store, "blocks")


def test_rows_are_read_forward_a_few_at_a_time_whatever_the_row_groups(tmp_path):
    values = [f"row {number}" for number in range(250)]
    where = tmp_path / "rows.parquet"
    pq.write_table(pa.table({"name": values, "unread": values}), where, row_group_size=100)
    reader = RowReader(LocalFileSystem(), ["name"])
    with closing(reader):
        for wanted in ([0, 31, 32, 99], [100, 140, 141], [5], [7, 99, 100, 249], [249], list(range(250))):
            found = list(reader.read(str(where), reversed(wanted)))
            assert [number for numbers, _ in found for number in numbers] == wanted
            assert [name for _, table in found for name in table["name"].to_pylist()] == [values[n] for n in wanted]
            assert {tuple(table.column_names) for _, table in found} == {("name",)}
            assert max(table.num_rows for _, table in found) <= UNIT_ROWS
        other = tmp_path / "other.parquet"
        pq.write_table(pa.table({"name": ["another file"]}), other)
        assert next(reader.read(str(other), [0]))[1]["name"].to_pylist() == ["another file"]


def test_every_block_has_features_of_every_view(store):
    features = rows_of(store, "features")
    assert [row["block_id"] for row in features] == [row["block_id"] for row in rows_of(store, "blocks")]
    for row in features:
        assert row["feature_list"] == feature_list()
        assert row["pool_hash"] == pool_hash(row["block_id"])
        assert len(row["site"]) == 4
    assert len({len(row["stylistic"]) for row in features}) == 1


def test_a_page_that_takes_too_long_is_skipped_with_the_reason():
    def work_for_ever():
        with cpu_limit(0.05, "page"):
            while True:
                time.process_time()

    with pytest.raises(SkipRecord, match="too-slow"):
        work_for_ever()


def test_a_slow_page_is_a_reject_and_costs_the_others_nothing(tmp_path, monkeypatch):
    store = make_store(tmp_path / "store", each_site=1)
    rows = Divide.rows

    def slow(self, page):
        while "lumen" in page.url:
            time.process_time()
        yield from rows(self, page)

    monkeypatch.setattr(Divide, "rows", slow)
    counts = PagePass(store.location.uri, CRAWL, ("0" * 32,), (Divide(),), seconds=1.0).process(
        list(units(store)), commit_id="a"
    )
    assert counts["divide: rejected: too-slow"] == 1
    assert counts["divide: pages"] == 2


def test_a_bug_that_one_page_shows_is_a_reject_with_its_place(tmp_path, monkeypatch):
    store = make_store(tmp_path / "store", each_site=1)
    monkeypatch.setattr(Divide, "rows", lambda self, work: [][1])
    PagePass(store.location.uri, CRAWL, ("0" * 32,), (Divide(),)).process(list(units(store)), commit_id="a")
    reasons = {(row["reason"], "IndexError" in row["detail"]) for row in rows_of(store, "rejects")}
    assert reasons == {("error", True)}


@pytest.mark.parametrize("is_agreed", [False, True])
def test_the_parts_of_a_share_choose_what_the_core_chooses(store, is_agreed):
    rows = store.read("features", columns=[*NEEDED, "pool_hash"]).sort_by("block_id")
    random = np.random.default_rng(0)
    labels = np.array(["a", "b", "c"])[random.integers(0, 3, 60)]
    vocabulary = {term: n for n, term in enumerate(sorted({t["term"] for r in rows["terms"].to_pylist() for t in r}))}
    known, unknown = rows.slice(0, 60), rows.slice(60)
    ids = [np.array(part["block_id"].to_pylist(), str) for part in (known, unknown)]
    labelled = Labelled(ids[0], labels, views_of(known, vocabulary))
    learners = {"stylistic": lambda: BoosTexter(rounds=3), "lexical": lambda: BoosTexter(rounds=3)}
    training = CoTraining(learners, k=6, u=len(unknown), rounds=1, is_agreed=is_agreed)
    training.fit(labelled, ArrayPool.of(ids[1], views_of(unknown, vocabulary)))
    fitted = [make().fit(v.numbers, v.words, labels) for make, v in zip(learners.values(), labelled.views, strict=True)]
    selector = Selector(fitted, training.quotas_, is_agreed)
    parts = [unknown.slice(0, 50), unknown.slice(50, 30), unknown.slice(80)]
    selected = merged([select_rows(part, selector, vocabulary) for part in parts], selector.quota)
    selection = selected.selection
    (done,) = training.rounds_
    assert (selection.row_count, selection.agreement) == (done.pool_count, done.agreement)
    assert [example.block_id for example in done.examples] == settle(selection.choices)[0].ids.tolist()
    assert sorted(selected.features["block_id"].to_pylist()) == [example.block_id for example in done.examples]
    for view, choice in zip(learners, selection.choices, strict=True):
        chosen = {example.block_id for example in done.examples if example.view == view}
        assert chosen <= set(choice.ids.tolist())


def test_a_round_reads_the_parts_of_its_range_only():
    pool = PoolManifest(tuple(RowGroup("f", n, n * 100, n * 100 + 99, 10, 1000) for n in range(10)))
    assert [part.row_group for part in pool.within([(150, 250)])] == [1, 2]
    assert [part.row_group for part in pool.within([(950, 999), (0, 5)])] == [0, 9]
    assert (pool.rows, pool.bytes) == (100, 10_000)


def test_a_copy_with_a_few_changed_words_has_a_band_in_common():
    text = " ".join(f"word{n} of the story" for n in range(60))
    one, other = signature([text]), signature([text.replace("word7 ", "change ")])
    assert (one == other).mean() > 0.8
    assert set(bands(one)) & set(bands(other))
    assert not set(bands(one)) & set(bands(signature(["quite another text about something else entirely today"])))


def test_compaction_merges_small_files_and_loses_no_row(store, tmp_path):
    other = make_store(tmp_path / "store", each_site=1)
    for n in range(3):
        other.write("rejects", [{"record": f"r{n}", "step": "s", "reason": "x", "rejected_at": 0}], crawl=CRAWL)
    before = rows_of(other, "rejects")
    assert main(["compact", "rejects", "--store", other.location.uri]) == 0
    assert len(other.files("rejects")) == 1
    assert rows_of(other, "rejects") == before
    assert compact(other, "rejects") == (1, 1)


@pytest.mark.parametrize("is_written", [True, False])
def test_a_killed_compaction_is_ended_by_the_next(tmp_path, is_written):
    from jobs.engine.scratch import Scratch

    store = open_store(tmp_path / "store", create=True)
    row = {"record": "r", "step": "s", "reason": "x", "rejected_at": 0}
    store.write("rejects", [row], crawl=CRAWL)
    old = [file.path for file in store.files("rejects")]
    store.write("rejects", [row], crawl=CRAWL, commit_id="merged")
    Scratch(store, "_compactions").put_json("rejects.json", {"commit": "merged", "old": old, "is_written": is_written})
    compact(store, "rejects")
    assert len(rows_of(store, "rejects")) == 1
    assert ("merged" in store.files("rejects")[0].path) == is_written


def test_an_unknown_job_and_a_bad_range_are_refused():
    assert jobs_of("featurize..classify") == ["featurize", "duplicates", "cotrain", "classify"]
    with pytest.raises(ConfigError, match="no job 'artcles'"):
        jobs_of("artcles")
    with pytest.raises(ConfigError, match="backwards"):
        jobs_of("classify..divide")


def test_a_store_without_pages_is_refused_before_spark_starts(tmp_path):
    store = open_store(tmp_path / "store", create=True)
    with pytest.raises(InputMissing, match="has no pages"):
        crawls_of(store, None)
    assert main(["run", "divide", "--store", str(tmp_path / "store")]) == 3


def test_submit_prints_the_command_that_it_would_run(tmp_path, capsys):
    words = ["submit", "divide..classify", "--store", "s3://b/s", "--master", "yarn", "--rounds", "7", "--dry-run"]
    assert main(words) == 0
    lines = capsys.readouterr().out
    assert "--archives" in lines
    assert "#environment" in lines
    assert "--rounds 7" in lines.replace("\\\n  ", "")
    with pytest.raises(ConfigError, match="standalone"):
        command("divide", store="s", master="spark://a:1", arguments=[], archive=tmp_path, deploy_mode="cluster")
    assert main(["submit", "divide", "--store", "s", "--master", "local[2]"]) == 2


def test_the_packed_environment_holds_our_packages_their_models_and_compiled_ones():
    names = {name for name, _ in packed_files()}
    assert {"jobs/run.py", "parcels/tables.py", "parcels/models/tagger/model.json"} <= names
    assert any(name.startswith("lxml/") and name.endswith(".so") for name in names)
    assert not any("pyspark" in name for name in names)


def test_terms_of_rows_without_any_are_empty():
    rows = pa.chunked_array([[[], []]], pa.list_(pa.struct({"term": pa.string(), "count": pa.int32()})))
    from jobs.engine.rows import words_of

    assert words_of(rows, {"a": 0}).to_dense().tolist() == [[0.0], [0.0]]


def test_the_hash_of_a_model_is_of_what_it_holds_not_of_how_it_is_packed():
    def learner(first: float, *, is_small: bool) -> Any:
        data = packed_arrays({"a": np.array([first, 2.0]), "b": np.arange(3)}, is_small=is_small)
        return SimpleNamespace(to_bytes=lambda: data)

    small, large = learner(1.0, is_small=True), learner(1.0, is_small=False)
    assert small.to_bytes() != large.to_bytes()
    assert model_hash([small], {"x": 0}) == model_hash([large], {"x": 0})
    assert model_hash([small], {"x": 0}) != model_hash([learner(1.5, is_small=True)], {"x": 0})
    assert model_hash([small], {"x": 0}) != model_hash([small], {"y": 0})


def test_java_compiles_once_on_this_machine_only():
    assert _local("local[2]")["spark.driver.extraJavaOptions"] == QUICK_JAVA
    assert _local("spark://127.0.0.1:7077")["spark.executor.extraJavaOptions"] == QUICK_JAVA
    assert _local("spark://cluster.example:7077") == {}
