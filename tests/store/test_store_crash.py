"""Writers that die, disks that are full: a reader sees whole batches or nothing."""

import contextlib
import os
import random
import resource
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from example_rows import page, reject
from killed_writer import BATCH_ROWS

from parcels.query.sql import connect
from parcels.store import DiskFull, open_store

SCRIPT = Path(__file__).parents[1] / "killed_writer.py"
ROUNDS, WRITERS = 3, 4  # twelve kills


def batches_in(records):
    """How many rows of each batch there are: all or it is an error."""
    found = Counter(record.rpartition(" ")[0] for record in records)
    assert set(found.values()) <= {BATCH_ROWS}, f"a partial batch: {found}"
    return set(found)


class Reader(threading.Thread):
    """Reads all the time, by pyarrow and by DuckDB; what it saw once it must see again."""

    def __init__(self, store):
        super().__init__()
        self.store, self.done, self.reads, self.error = store, threading.Event(), 0, None

    def run(self):
        seen = set()
        try:
            while not self.done.is_set():
                found = batches_in(self.store.read("rejects", columns=["record"])["record"].to_pylist())
                assert seen <= found
                connection = connect(self.store)
                later = batches_in(row for (row,) in connection.execute("SELECT record FROM rejects").fetchall())
                connection.close()
                assert found <= later
                seen, self.reads = later, self.reads + 1
        except BaseException as error:  # noqa: BLE001 - told to the test
            self.error = error


def test_a_killed_writer_leaves_whole_batches_and_nothing_else(tmp_path):
    store = open_store(tmp_path / "store", create=True)
    staging = tmp_path / "store" / "_staging"
    dice = random.Random(2004)
    reader = Reader(store)
    reader.start()
    acknowledged, kills, leftovers = set(), 0, 0
    for round_ in range(ROUNDS):
        names = [f"writer-{round_}-{n}" for n in range(WRITERS)]
        writers = [
            subprocess.Popen([sys.executable, str(SCRIPT), str(tmp_path / "store"), name], stdout=subprocess.PIPE)
            for name in names
        ]
        first = [writer.stdout.readline() for writer in writers]
        for name, writer, line in zip(names, writers, first, strict=True):
            time.sleep(dice.uniform(0, 0.15))
            writer.kill()
            said = line + writer.communicate()[0]
            assert said.endswith(b"\n")
            acknowledged |= {f"{name} {number.decode()}" for number in said.split()}
            kills += 1
        leftovers += len(list(staging.iterdir()))
    reader.done.set()
    reader.join()
    assert reader.error is None, reader.error
    assert reader.reads > 3
    found = batches_in(store.read("rejects", columns=["record"])["record"].to_pylist())
    assert acknowledged <= found
    assert len(found - acknowledged) <= kills, "at most one batch a kill was committed and not yet told"
    assert kills == ROUNDS * WRITERS
    assert leftovers, "no writer was killed while it wrote: the test shows nothing"
    store.write("rejects", [reject("after the storm")], crawl="other")
    assert list(staging.iterdir()) == []


@contextlib.contextmanager
def little_room(folder):
    """A real filesystem of 2 MB."""
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder], capture_output=True)
    if mounted.returncode:
        pytest.skip("mounting a small filesystem needs root")
    try:
        yield
    finally:
        subprocess.run(["umount", folder], check=True)


def noisy_pages():
    return [page(n, html=os.urandom(300_000)) for n in range(10)]


def test_a_full_disk_is_told_and_leaves_nothing_half_written(tmp_path):
    with little_room(tmp_path):
        store = open_store(tmp_path / "store", create=True)
        store.write("pages", [page(99)], crawl="news")
        with pytest.raises(
            DiskFull, match=r"Cannot write table pages in .*no space left.*Free some space and run again"
        ):
            store.write("pages", noisy_pages(), crawl="news")
        assert list((tmp_path / "store" / "_staging").iterdir()) == []
        assert store.read("pages", columns=["url"])["url"].to_pylist() == [page(99)["url"]]
        store.write("pages", [page(100)], crawl="news")  # there is room for a small one
        assert store.read("pages").num_rows == 2


@contextlib.contextmanager
def small_files(limit):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_quota_is_told_like_a_full_disk(tmp_path):
    store = open_store(tmp_path / "store", create=True)
    with small_files(1_000_000), pytest.raises(DiskFull):
        store.write("pages", noisy_pages(), crawl="news")
    assert list((tmp_path / "store" / "_staging").iterdir()) == []
    assert store.files("pages") == []
