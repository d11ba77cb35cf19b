"""`python -m benchmarks scale_same`: the tables of local[2] and of a standalone cluster on loopback, row for row.

Pages are those of news-unlabelled with the labelled ones of news17. The chain is divide..classify with co-training of
12 rounds; locally it is run twice, once to its end and once with a kill -9 in round 7 and the same command again. All
three must give the same rows and the same model. Settings: PARCELS_SAME_EVERY (1: a page out of so many).
"""

import hashlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks import corpora
from jobs.engine.submit import command, pack
from parcels.common import machine
from parcels.store import Store, open_store

JOBS, ROUNDS, KEPT, NAME = "divide..classify", 12, 6, "same"
SETTINGS = ["--name", NAME, "--model", NAME, "--rounds", str(ROUNDS), "--no-progress"]
TABLES = ("blocks", "features", "site_blocks", "document_frequencies", "near_duplicates", "labels", "rejects")
OF_THE_RUN = ("run_id", "rejected_at")  # columns that say when and by which run
CLUSTER = Path(__file__).parents[2] / "deploy" / "local-cluster"
INTO_THE_ROUND = 0.3
SECONDS = 3600.0


def make_store(where: Path, every: int) -> Store:
    """A store with the pages and the annotations."""
    parcels = [sys.executable, "-m", "parcels.cli", "import"]
    for corpus in ("news17", "news-unlabelled"):
        table = pq.read_table(corpora.folder() / corpus / "pages.parquet")
        some = where.parent / f"{corpus}.parquet"
        pq.write_table(table.take(pa.array(range(0, table.num_rows, every))), some)
        run([*parcels, "html", str(some), "--store", str(where), "--crawl", "news", "--no-progress"])
    gold = corpora.folder() / "news17" / "gold"
    run([*parcels, "annotations", str(gold), "--store", str(where), "--crawl", "news", "--no-progress"])
    return open_store(where)


def run(words: list[str], **environment: str) -> None:
    done = subprocess.run(
        words, env=os.environ | environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        timeout=SECONDS,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{words} ended with {done.returncode}: {done.stdout[-3000:]}")


def locally(store: Store) -> list[str]:
    words = ["run", JOBS, "--store", store.location.uri, "--master", "local[2]", *SETTINGS]
    return [sys.executable, "-m", "parcels.cli", *words]


def killed_and_continued(store: Store) -> None:
    """kill -9 of the driver and all that it started, in round 7; then the same command."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(locally(store), start_new_session=True, **quiet) as process:
        while process.poll() is None and rounds(store) < KEPT:
            time.sleep(0.05)
        time.sleep(INTO_THE_ROUND)
        at = rounds(store)
        os.killpg(process.pid, signal.SIGKILL)
    print(f"killed with {at} of {ROUNDS} rounds kept")
    if not KEPT <= at < ROUNDS:
        raise RuntimeError("the kill came too late")
    run(locally(store))


def rounds(store: Store) -> int:
    return sum(pq.read_metadata(file.path).num_rows for file in store.files("rounds"))


def on_a_cluster(store: Store, folder: Path) -> None:
    environment = {"PYTHON": sys.executable, "START_SECONDS": "600"}
    run([str(CLUSTER), "up", str(folder)], **environment)
    try:
        words = command(
            JOBS, store=store.location.uri, master=(folder / "master.url").read_text().strip(), arguments=SETTINGS,
            archive=pack(folder / "environment.tar.gz"), python=sys.executable, conf=["spark.ui.enabled=false"],
        )  # fmt: skip
        run(words, JAVA_HOME=str(machine.java_home()), SPARK_LOCAL_IP="127.0.0.1")
    finally:
        run([str(CLUSTER), "down", str(folder)], **environment)


def digest(store: Store, table: str) -> tuple[int, str]:
    """Number and hash of a table's rows, in an order of their own, without what says which run made them."""
    rows = store.read(table)
    kept = rows.drop_columns([name for name in rows.column_names if name in OF_THE_RUN])
    texts = sorted(repr(row) for row in kept.to_pylist())
    return len(texts), hashlib.sha256("\n".join(texts).encode()).hexdigest()[:12]


def model_hash(store: Store) -> str:
    folder = Path(store.location.path("_models", NAME))
    found = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            found.update(file.relative_to(folder).as_posix().encode() + file.read_bytes())
    return found.hexdigest()[:12]


def main() -> bool:
    every = int(os.environ.get("PARCELS_SAME_EVERY", "1"))
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        # One import, three copies: names of pages do not depend on when they were imported.
        made = make_store(base / "made", every)
        stores = {}
        for name in ("local[2]", "killed", "cluster"):
            run(["cp", "-r", str(made.location.root), str(base / name)])
            stores[name] = open_store(base / name)
        run(locally(stores["local[2]"]))
        killed_and_continued(stores["killed"])
        on_a_cluster(stores["cluster"], base / "on-cluster")
        is_same = True
        pages = stores["local[2]"].read("pages", columns=["page_id"]).num_rows
        print(f"{pages:,} pages")
        print(f"| table | rows | bytes a page | {' | '.join(stores)} |\n|---|---|---|{'---|' * len(stores)}")
        for table in TABLES:
            found = [digest(store, table) for store in stores.values()]
            is_same &= len(set(found)) == 1
            size = sum(Path(file.path).stat().st_size for file in stores["local[2]"].files(table))
            print(f"| {table} | {found[0][0]:,} | {size / pages:,.0f} | {' | '.join(text for _, text in found)} |")
        models = [model_hash(store) for store in stores.values()]
        print(f"| model | | | {' | '.join(models)} |")
        return is_same and len(set(models)) == 1
