"""`python -m benchmarks scale`: what a page costs on Spark at 1, 4 and 16 times the pages, against the bare core.

Pages are those of the example web, again and again under other hosts. CPU seconds are those of all processes of a run
(the driver, its JVM, Python workers), as the operating system tells them. What Spark and both Python workers need to
start is told apart: it is a run over so few pages that each worker has one task, and a page's cost is that of the pages
beyond those. Its noise is that of 1x, so both are run nearly twice as often as asked. Settings: PARCELS_SCALE_PAGES
(pages at 1x, 600), PARCELS_SCALE_TIMES (1,4,16), PARCELS_SCALE_REPEATS (5).
"""

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from jobs.classify import classify
from jobs.divide import Divide
from jobs.engine.model_step import ModelArchive, pack_model
from jobs.engine.page_pass import PagePass
from jobs.engine.units import UNIT_ROWS
from jobs.featurize import Featurize
from parcels import example_web
from parcels.importing.run_record import RunRecord
from parcels.store import Store, open_store

CRAWL = "scale"
JOBS = "divide..classify"
LOOK_SECONDS = 0.2
START_PAGES = UNIT_ROWS + 1  # two tasks, so that two workers start
WORKERS = 2
MOST_CHANGE, MOST_OVERHEAD, MOST_MEMORY = 0.10, 0.25, 0.10


def make_store(where: Path, pages: int, times: int) -> Store:
    """Make a store with the same pages under `times` sets of hosts."""
    store = open_store(where, create=True)
    urls = [url for host in example_web.hosts()[:3] for url in example_web.article_urls(host)]
    chosen = [urls[n % len(urls)] for n in range(pages)]
    with RunRecord(store, step="scale", crawl=CRAWL, settings={}) as run:
        for copy in range(times):
            for n, url in enumerate(chosen):
                other = url.replace("://", f"://copy{copy}-{n // len(urls)}.", 1)
                run.page(example_web.fetch(url).body, record=other, address=other, name=None, source="scale")
    return store


class Watched(NamedTuple):
    """Resources used by a run and all processes that it started."""

    cpu: float
    seconds: float
    worker_mb: int  # the largest Python worker


def on_spark(store: Store, master: str) -> Watched:
    """The jobs on a fresh store. Processes are looked at while they live: Spark does not wait for all of them."""
    words = [sys.executable, "-m", "parcels.cli", "run", JOBS, "--store", store.location.uri, "--master", master]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    used: dict[str, float] = {}
    largest, started = 0, time.monotonic()
    with subprocess.Popen([*words, "--no-progress"], start_new_session=True, **quiet) as process:
        while process.poll() is None:
            for pid, cpu, memory, is_worker in _session(process.pid):
                used[pid] = cpu
                largest = max(largest, memory if is_worker else 0)
            time.sleep(LOOK_SECONDS)
    if process.returncode:
        raise RuntimeError(f"the jobs ended with {process.returncode}")
    return Watched(sum(used.values()), time.monotonic() - started, largest >> 20)


def _session(leader: int) -> Iterator[tuple[str, float, int, bool]]:
    """Process number, CPU seconds, resident bytes of each process of a session, and whether Spark forked it."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == leader:
                command = (folder / "cmdline").read_bytes()
                cpu = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
                yield folder.name, cpu, int(fields[21]) * resource.getpagesize(), b"pyspark.daemon" in command
        except (FileNotFoundError, ProcessLookupError):
            continue


class Sent(NamedTuple):
    """A broadcast value without Spark."""

    value: bytes


def bare(store: Store) -> float:
    """CPU seconds of the same work without Spark, by two processes at once: a core that works alone is faster."""
    with ProcessPoolExecutor(WORKERS, get_context("spawn")) as pool:
        return sum(pool.map(_bare_part, [store.location.uri] * WORKERS, range(WORKERS)))


def _bare_part(place: str, part: int) -> float:
    """Every second unit."""
    import pyarrow.parquet as pq

    store, units = open_store(place), []
    for file in store.files("pages"):
        count = pq.ParquetFile(file.path).metadata.num_rows
        for first in range(0, count, UNIT_ROWS):
            rows = [{"row": row} for row in range(first, min(first + UNIT_ROWS, count))]
            units.append({"file": file.path, "chunk": first // UNIT_ROWS, "rows": rows, "sheets": None})
    units = units[part::WORKERS]
    name, data = pack_model("news", store)
    labels = classify(ModelArchive(name, Sent(data)))
    started = time.process_time()
    for number, steps in enumerate(((Divide(),), (labels, Featurize()))):
        todo = [unit | {"rows": [row | {"todo": (1 << len(steps)) - 1} for row in unit["rows"]]} for unit in units]
        PagePass(store.location.uri, CRAWL, ("0" * 32,) * len(steps), steps).process(
            todo, commit_id=f"bare-{number}-{part}"
        )
    return time.process_time() - started


def main() -> bool:
    pages = int(os.environ.get("PARCELS_SCALE_PAGES", "600"))
    sizes = [int(one) for one in os.environ.get("PARCELS_SCALE_TIMES", "1,4,16").split(",")]
    repeats = int(os.environ.get("PARCELS_SCALE_REPEATS", "5"))
    print(f"| times {pages} pages | CPU s | ms a page | bare core, ms | worker, MB | local[1], s | local[2], s |")
    print("|---|---|---|---|---|---|---|")
    costs: dict[int, tuple[float, float]] = {}
    memory: dict[int, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        one = make_store(base / "one", START_PAGES, 1)
        start = statistics.median(
            on_spark(_copy(one, base / f"one-{n}"), "local[2]").cpu for n in range(2 * repeats - 1)
        )
        for times in sizes:
            first = make_store(base / f"store-{times}", pages, times)
            count = 2 * repeats - 1 if times == sizes[0] else repeats
            seen = [on_spark(_copy(first, base / f"s{times}-{n}"), "local[2]") for n in range(count)]
            is_last = times == sizes[-1] and len(sizes) > 1  # and long: local[1] is timed on the sizes before it
            alone = None if is_last else on_spark(_copy(first, base / f"alone-{times}"), "local[1]").seconds
            cpu = statistics.median(run.cpu for run in seen)
            core = bare(first) / (pages * times) * 1000
            page = (cpu - start) / (pages * times - START_PAGES) * 1000
            costs[times] = page, core
            clock, largest = statistics.median(run.seconds for run in seen), max(run.worker_mb for run in seen)
            memory[times] = largest
            by_one = "-" if alone is None else f"{alone:.1f}"
            cells = [times, f"{cpu:.1f}", f"{page:.1f}", f"{core:.1f}", largest, by_one, f"{clock:.1f}"]
            print("|", " | ".join(map(str, cells)), "|", flush=True)
    growth = costs[sizes[-1]][0] / costs[sizes[0]][0] - 1
    overhead = costs[sizes[-1]][0] / costs[sizes[-1]][1] - 1
    more = memory[sizes[-1]] / memory[sizes[0]] - 1
    print(f"\nSpark's start and {START_PAGES} pages, not counted above: {start:.1f} s of CPU")
    print(f"a page costs {growth:+.1%} from {sizes[0]}x to {sizes[-1]}x; Spark over the bare core: {overhead:+.1%}")
    print(f"the largest worker holds {more:+.1%} from {sizes[0]}x to {sizes[-1]}x")
    return abs(growth) <= MOST_CHANGE and overhead <= MOST_OVERHEAD and more <= MOST_MEMORY


def _copy(store: Store, where: Path) -> Store:
    """A fresh store with the same pages."""
    shutil.copytree(store.location.root, where)
    return open_store(where)
