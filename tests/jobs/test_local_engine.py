"""Jobs by processes of this machine: Spark's tables, one bad page costs a reject, a killed run goes on."""

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from jobs_world import BAD, CRAWL, make_store, rows_of

from jobs.divide import Divide
from jobs.engine.engine_choice import LOCAL_PAGES, EngineOptions, choose_engine
from jobs.engine.job_context import JobContext, JobOptions, pass_over_pages
from jobs.engine.local_engine import LocalEngine
from jobs.engine.local_units import local_plan
from jobs.engine.spark_engine import SparkEngine
from jobs.run import run_jobs
from parcels.cli.main import main
from parcels.errors import ConfigError, ParcelsError
from parcels.importing.run_record import RunRecord
from parcels.store import open_store
from parcels.tables import TABLES

ROOT = Path(__file__).parents[2]
JOBS = ["divide", "featurize", "duplicates", "cotrain", "classify", "articles", "segment", "pagetypes"]
STORY = [
    f"Sentence {n} of a long story tells what happened at the harbour on day {n} of the strike." for n in range(30)
]
STYLE = b"p { float: left; width: 50% } .side { display: none }"
MOST_SECONDS = 300.0


@dataclass(frozen=True)
class Deadly(Divide):
    """Divides pages, but a page that names a file ends its process; where the file is there, it was done once."""

    once: str = ""

    def rows(self, page):
        """Die, or divide."""
        if "deadly" in page.url and not (self.once and Path(self.once).exists()):
            if self.once:
                Path(self.once).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().rows(page)


def add_odd_pages(store):
    """Copies, a page with a style sheet, one without a host, one that is empty to the eye, and one stored twice."""
    with RunRecord(store, step="test", crawl=CRAWL, settings={}) as run:
        sheet, _ = run.sheet(STYLE, address="http://copy.example/style.css", source="test")
        for number in range(4):
            text = "".join(f"<p>{line}" for line in STORY[: 30 - number % 2])
            html = f"<title>Copy</title><link rel=stylesheet href=style.css><h1>Strike</h1>{text}".encode()
            url = f"http://copy{number}.example/story.html"
            run.page(
                html, record=url, address=url, name=url, source="test",
                sheets=[{"path": "style.css", "content_hash": sheet}],
            )  # fmt: skip
        run.page(f"<p>{STORY[0]}".encode(), record="x", address=None, name="no-host.html", source="test")
        run.page(b"<script>1</script>", record="y", address="http://blank.example/", name="y", source="test")
    twice = store.read("pages", crawl=CRAWL).slice(0, 1)
    store.write("pages", twice, run_id="f" * 32)


def without_run(rows):
    """The rows of `runs` without what says which engine it was."""
    return sorted((row["step"], row["outcome"], str(row["counts"])) for row in rows)


@pytest.mark.spark
def test_every_table_is_that_of_spark_row_for_row(spark, tmp_path):
    stores = [make_store(tmp_path / name, each_site=3, labelled=1) for name in ("spark", "local")]
    options = JobOptions(cotrain={"name": "mine", "rounds": 1, "k": 4, "u": 60, "held_out": 0.0})
    for store in stores:
        add_odd_pages(store)
    run_jobs(spark, stores[0], JOBS, options=options, show_progress=False, report=lambda line: None)
    engine = LocalEngine(2, open_session=lambda: spark)  # co-training alone needs it
    try:
        run_jobs(engine, stores[1], JOBS, options=options, show_progress=False, report=lambda line: None)
    finally:
        engine._pool.close()  # and not the session, which is all tests'
    for table in TABLES:
        theirs, ours = (rows_of(store, table) for store in stores)
        if table == "runs":
            theirs, ours = without_run(theirs), without_run(ours)
        assert ours == theirs, table
    filled = ("blocks", "features", "site_blocks", "document_frequencies", "near_duplicates", "labels", "articles",
              "segments", "page_types", "rounds", "rejects")  # fmt: skip
    assert all(rows_of(stores[1], table) for table in filled)
    assert len(rows_of(stores[1], "near_duplicates")) == 3


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A store that was divided and labelled at one go."""
    store = make_store(tmp_path_factory.mktemp("whole") / "store", each_site=6)
    assert main(words(store)) == 0
    return store


def words(store, *more):
    return ["run", "divide..classify", "--store", store.location.uri, "--engine", "local", "--no-progress", *more]


def started(store, *more):
    command = [sys.executable, "-m", "parcels.cli", *words(store, *more)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_until(found, process):
    ends = time.monotonic() + MOST_SECONDS
    while not found():
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < ends
        time.sleep(0.02)


@pytest.mark.parametrize(
    "sign, code", [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)], ids=["kill", "Ctrl-C"]
)
@pytest.mark.parametrize("table", ["_staging", "blocks"])
def test_a_run_that_is_stopped_goes_on_and_ends_with_the_same_rows(whole, tmp_path, sign, code, table):
    store = make_store(tmp_path / "store", each_site=6)
    process = started(store)
    there = Path(store.location.path(table))
    before = {path.name for path in there.glob("*")} if table == "_staging" else set()
    wait_until(lambda: there.exists() and {path.name for path in there.glob("*")} - before, process)
    process.send_signal(sign)
    _, lines = process.communicate(timeout=MOST_SECONDS)
    assert process.returncode == code, lines
    assert "Traceback" not in lines
    assert main(words(store)) == 0
    for name in ("blocks", "features", "site_blocks", "document_frequencies", "labels", "rejects", "near_duplicates"):
        assert rows_of(store, name) == rows_of(whole, name), name


def test_a_second_run_says_that_nothing_is_to_do_without_java_in_two_seconds(whole):
    environment = {**os.environ, "JAVA_HOME": "", "PATH": "", "PARCELS_CONFIG": "none"}
    command = [sys.executable, "-m", "parcels.cli", "run", "divide..classify", "--store", whole.location.uri]
    for engine in ([], ["--engine", "spark"]):
        done = subprocess.run(
            [*command, *engine], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        )
        assert done.stdout.count("nothing to do") == 4
        assert done.stderr == ""


def divided(store, step, workers=2):
    with closing(LocalEngine(workers)) as engine:
        context = JobContext(engine, store, CRAWL, JobOptions(), show_progress=False, report=lambda line: None)
        return pass_over_pages(context, (step,), divider="fine")


def add_deadly(store):
    with RunRecord(store, step="test", crawl=CRAWL, settings={}) as run:
        for number in range(2):
            url = f"http://a.example/deadly-{number}"
            run.page(b"<p>A page.", record=url, address=url, name=url, source="test")


def test_a_page_that_ends_its_process_is_a_reject_and_costs_the_others_nothing(tmp_path):
    store = make_store(tmp_path / "store", each_site=3)
    add_deadly(store)
    assert divided(store, Deadly()) == 12
    reasons = {row["record"]: row["reason"] for row in rows_of(store, "rejects")}
    assert reasons.pop("http://bad.example/") == "too-deep"
    assert reasons == {f"http://a.example/deadly-{number}": "crashed" for number in range(2)}
    assert len({row["page_id"] for row in rows_of(store, "blocks")}) == 9
    assert divided(store, Deadly()) == 0


def test_a_process_that_is_killed_once_costs_no_page(tmp_path):
    store = make_store(tmp_path / "store", each_site=3)
    add_deadly(store)
    divided(store, Deadly(once=str(tmp_path / "killed")))
    assert [row["reason"] for row in rows_of(store, "rejects")] == ["too-deep"]
    keys = [row["block_id"] for row in rows_of(store, "blocks")]
    assert len(keys) == len(set(keys))
    assert len({row["page_id"] for row in rows_of(store, "blocks")}) == 11


@dataclass(frozen=True)
class Dying(Divide):
    """Ends every process before its first page."""

    def opened(self, store, crawl):
        """Die."""
        os.kill(os.getpid(), signal.SIGKILL)


@dataclass(frozen=True)
class Failing(Divide):
    """Cannot be opened."""

    def opened(self, store, crawl):
        """Fail as a model does that does not fit."""
        raise ConfigError("this model is none")


@dataclass(frozen=True)
class Endless(Divide):
    """Never ends with one page."""

    def rows(self, page):
        """Work for ever on one page, deaf to the timer as a loop in C is."""
        if "bad.example" in page.url:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPROF})
            while True:
                pass
        return super().rows(page)


def test_processes_that_cannot_begin_end_the_run_with_what_to_do(tmp_path):
    store = make_store(tmp_path / "store", each_site=1)
    with pytest.raises(ParcelsError, match="--workers"):
        divided(store, Dying())
    with pytest.raises(ConfigError, match="this model is none"):
        divided(store, Failing())
    assert [row["outcome"] for row in rows_of(store, "runs") if row["step"] == "divide"] == ["failed"] * 2


def test_a_page_that_no_handler_can_end_is_ended_by_the_system(tmp_path):
    store = make_store(tmp_path / "store", each_site=1)
    with closing(LocalEngine(1)) as engine:
        context = JobContext(
            engine, store, CRAWL, JobOptions(seconds=0.5), show_progress=False, report=lambda line: None
        )
        pass_over_pages(context, (Endless(),), divider="fine")
    assert [row["reason"] for row in rows_of(store, "rejects")] == ["crashed"]


def test_pages_are_dealt_to_all_workers_and_each_is_in_one_task(tmp_path):
    store = make_store(tmp_path / "store", each_site=10)
    add_odd_pages(store)
    plan = local_plan(store, CRAWL, (Divide(),), workers=3)
    assert plan.tasks == 3
    assert plan.pages == 37
    places = [(unit["file"], row["row"]) for task in plan.units for unit in task for row in unit["rows"]]
    assert len(places) == len(set(places)) == 37
    assert max(sum(len(unit["rows"]) for unit in task) for task in plan.units) <= 20


def test_auto_takes_processes_for_a_small_store_and_spark_where_it_is_named(tmp_path, capsys, monkeypatch):
    store = make_store(tmp_path / "store", each_site=1)

    def chosen(**wanted):
        return choose_engine(EngineOptions(**wanted), store, None, open_spark=lambda master: master)

    assert isinstance(chosen(), LocalEngine)
    assert chosen(workers=3).workers == 3
    assert chosen(master="spark://a:7077").spark == "spark://a:7077"
    assert chosen(engine="spark").spark == "local[*]"
    assert isinstance(chosen(spark_flags=("--conf",)), SparkEngine)
    monkeypatch.setattr("jobs.engine.engine_choice.page_count", lambda store, crawl: LOCAL_PAGES + 1)
    monkeypatch.setattr("jobs.engine.engine_choice.has_spark", lambda: True)
    assert isinstance(chosen(), SparkEngine)
    monkeypatch.setattr("jobs.engine.engine_choice.has_spark", lambda: False)
    assert isinstance(chosen(), LocalEngine)
    assert "10,001 pages run in processes on this machine" in capsys.readouterr().err
    for wrong in ({"engine": "local", "master": "local[2]"}, {"engine": "spark", "workers": 2}, {"workers": 0}):
        with pytest.raises(ConfigError):
            chosen(**wrong)


def test_a_job_that_needs_spark_says_so(tmp_path, capsys):
    store = make_store(tmp_path / "store", each_site=1, labelled=1)
    assert main(["run", "cotrain", "--store", store.location.uri, "--engine", "local"]) == 2
    assert "cotrain needs Spark" in capsys.readouterr().err
    assert main(words(store)) == 0
    assert "cotrain: left out" in capsys.readouterr().out


def test_near_duplicates_are_found_by_a_normal_run_and_counted_again_for_new_pages_only(tmp_path):
    store = open_store(tmp_path / "store", create=True)
    add_odd_pages(store)
    with RunRecord(store, step="test", crawl=CRAWL, settings={}) as run:
        run.page(BAD, record="bad", address="http://bad.example/", name="bad", source="test")
    lines = []
    with closing(LocalEngine(1)) as engine:
        for _ in range(2):
            run_jobs(engine, store, ["divide", "duplicates"], show_progress=False, report=lines.append)
        found = rows_of(store, "near_duplicates")
        assert len(found) == 3
        assert {row["duplicate_of"] for row in found} == {min({row["duplicate_of"] for row in found})}
        assert ["near duplicates" in line or "nothing to do" in line for line in lines if "duplicates" in line] == [
            True
        ] * 2
        assert "duplicates: nothing to do" in lines
        url = "http://copy9.example/story.html"
        with RunRecord(store, step="test", crawl=CRAWL, settings={}) as run:
            html = "".join(f"<p>{line}" for line in STORY).encode()
            run.page(html, record=url, address=url, name=url, source="test")
        run_jobs(engine, store, ["divide", "duplicates"], show_progress=False, report=lines.append)
    assert len(rows_of(store, "near_duplicates")) == 4


def test_without_a_job_everything_is_run(tmp_path):
    store = make_store(tmp_path / "store", each_site=1)
    assert main(["run", "--store", store.location.uri, "--no-progress"]) == 0
    for name in ("blocks", "features", "labels", "articles", "segments", "page_types"):
        assert store.files(name), name
