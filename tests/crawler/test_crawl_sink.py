"""The spool and the sink: what a crash at any point leaves is mended, and nothing is there twice."""

import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pyarrow
import pytest
from crawl_loop import fetch_all, links, options, site, step

from crawler.frontier.contract import CompletedLease
from crawler.run import CrawlRun
from crawler.sinks.entry import Entry, decode, encode
from crawler.sinks.sink import Sink
from crawler.sinks.spool import Spool, SpoolSegment, frames
from parcels.store import open_store

HOME = "http://a.example/"
PAGES = {HOME: links(*(f"/{n}" for n in range(12)))} | {
    f"http://a.example/{n}": links("/", "/3") + " ".join(chr(97 + n) * k for k in range(1, 9)) for n in range(12)
}
WEB = site(PAGES)


class Killed(BaseException):
    """Raised to end a step like kill -9: no handler of the program runs."""


def kill_at(monkeypatch, where, name, *, before):
    """The call dies, before or after it has done its work."""
    real = getattr(where, name)

    def dies(*words, **named):
        if not before:
            real(*words, **named)
        raise Killed

    monkeypatch.setattr(where, name, dies)


def bury(run):
    """Undo a dead process's transaction and free its locks, as the system does."""
    run.frontier._db.execute("ROLLBACK")
    run.frontier._db.close()
    os.close(run.frontier._lock)
    os.close(run.sink._spool._lock)


POINTS = {
    "before a record is written": (SpoolSegment, "append", True),
    "after a record is written": (SpoolSegment, "append", False),
    "before the sync": (SpoolSegment, "sync", True),
    "after the sync": (SpoolSegment, "sync", False),
    "before the frontier knows": ("frontier", "done", True),
    "after the frontier knows": ("frontier", "done", False),
    "before sealing begins": (Spool, "begin_sealing", True),
    "after sealing has begun": (Spool, "begin_sealing", False),
    "before the segment is removed": (Spool, "remove", True),
    "after the segment is removed": (Spool, "remove", False),
    "before the receipts are forgotten": ("frontier", "delete_receipts", True),
    "after the receipts are forgotten": ("frontier", "delete_receipts", False),
}


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("pages", [1, 7])
def test_a_crash_at_any_point_loses_nothing_and_doubles_nothing(tmp_path, monkeypatch, point, pages):
    asked = Counter()

    def web(lease):
        asked[lease.url] += 1
        return WEB(lease)

    run = CrawlRun(options(tmp_path, seeds=(HOME,), robots=False))
    where, name, before = POINTS[point]
    monkeypatch.setattr(Sink, "_join", lambda sink: _join_here(sink))
    with monkeypatch.context() as patch:
        try:
            for _ in range(pages):
                step(run, web)
            kill_at(patch, run.frontier if where == "frontier" else where, name, before=before)
            step(run, web)
            run.sink.settle()
            run.sink.seal(wait=True)
            pytest.fail("it was not killed")
        except Killed:
            bury(run)
    run = CrawlRun(options(tmp_path, seeds=(HOME,), robots=False))
    fetch_all(run, web)
    store = open_store(tmp_path / "store")
    pages = store.read("pages", columns=["page_id", "url"]).to_pylist()
    assert {row["url"] for row in pages} == set(PAGES)
    assert len(pages) == len(PAGES)
    found = store.read("links", columns=["page_id", "n"]).to_pylist()
    assert len(found) == len({(row["page_id"], row["n"]) for row in found}) == 12 + 12 * 2
    assert sum(asked.values()) - len(asked) <= 8  # what was on its way
    assert not list((tmp_path / "store" / "_crawl").rglob("*.spool"))


def _join_here(sink):
    """Sealing fails in its thread; the test wants the failure here."""
    if sink._sealer is not None:
        sink._sealer.join()
        sink._sealer = None
    sink._forget_sealed()


def test_an_entry_survives_the_spool(tmp_path):
    run = CrawlRun(options(tmp_path, seeds=(HOME,), robots=False))
    lease = run.session.next(1)
    entry = Entry(lease, 1.5, {"status": 200}, None, None, [(0, "a", None), ("http://b/", "b", "c")], body=b"\0\xff")
    assert decode(b"".join(encode(entry))) == entry
    assert entry.finished() == CompletedLease(lease, [])
    run.close()


def test_half_a_record_is_cut_off(tmp_path):
    segment = SpoolSegment(tmp_path / "x.spool")
    for n in range(3):
        segment.append([b"record", str(n).encode()])
    whole = segment.size
    segment.append([b"half of this is lost"])
    segment.close()
    with (tmp_path / "x.spool").open("r+b") as file:
        file.truncate(whole + 11)
    assert [data for data, _ in frames(tmp_path / "x.spool")] == [b"record0", b"record1", b"record2"]
    segment = SpoolSegment(tmp_path / "x.spool")
    segment.mend()
    segment.append([b"next"])
    segment.close()
    assert [data for data, _ in frames(tmp_path / "x.spool")] == [b"record0", b"record1", b"record2", b"next"]


def test_a_damaged_record_ends_the_segment(tmp_path):
    segment = SpoolSegment(tmp_path / "x.spool")
    segment.append([b"one"])
    segment.append([b"two"])
    segment.close()
    data = bytearray((tmp_path / "x.spool").read_bytes())
    data[-1] ^= 1
    (tmp_path / "x.spool").write_bytes(data)
    assert [data for data, _ in frames(tmp_path / "x.spool")] == [b"one"]


def test_segments_are_sealed_by_size(tmp_path):
    run = CrawlRun(options(tmp_path, seeds=(HOME,), robots=False, segment_bytes=3000))
    fetch_all(run, WEB)
    store = open_store(tmp_path / "store")
    assert len(store.files("pages")) > 1
    assert store.read("pages").num_rows == 13


def test_a_spool_that_somebody_holds_is_not_adopted(tmp_path):
    mine = Spool.new(tmp_path)
    assert Spool.adopt(tmp_path) is None
    (mine.folder / "x.spool").touch()
    mine.close()
    adopted = Spool.adopt(tmp_path)
    assert adopted.worker == mine.worker
    adopted.close()


def test_a_lost_frontier_is_fed_from_the_spool_and_rebuilt_from_the_tables(tmp_path):
    from crawler.frontier.queries import rebuild, stats

    run = CrawlRun(options(tmp_path, seeds=(HOME,), robots=False, limit=4))
    fetch_all(run, WEB)
    (tmp_path / "store" / "_crawl" / "crawl" / "frontier.sqlite").unlink()
    given = options(tmp_path, robots=False)
    assert rebuild(given) == {"known": 4, "queued": 9}
    assert stats(given)["queued"] == 9
    run = CrawlRun(options(tmp_path, seeds=(HOME,), robots=False))
    assert len(fetch_all(run, WEB)) == 9
    rows = open_store(tmp_path / "store").read("pages", columns=["url"]).to_pylist()
    assert len(rows) == len({row["url"] for row in rows}) == 13


def test_warc_files_hold_the_same_pages(tmp_path):
    from parcels.importing.warc import import_warc

    run = CrawlRun(options(tmp_path, seeds=(HOME,), robots=False, warc=True))
    fetch_all(run, WEB)
    files = [str(path) for path in (tmp_path / "store" / "_warc").rglob("*.warc.gz")]
    assert files
    other = open_store(tmp_path / "other", create=True)
    import_warc(other, files, crawl="again")
    stored = {row["url"]: row["html"] for row in open_store(tmp_path / "store").read("pages").to_pylist()}
    assert {row["url"]: row["html"] for row in other.read("pages").to_pylist()} == stored


def test_two_crawls_do_not_share_a_sqlite_frontier(tmp_path):
    from parcels.errors import ConfigError

    run = CrawlRun(options(tmp_path, seeds=(HOME,), robots=False))
    with pytest.raises(ConfigError, match="Another crawl uses"):
        CrawlRun(options(tmp_path, seeds=(HOME,), robots=False))
    fetch_all(run, WEB)


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="reads the memory of a process from /proc")
def test_sealing_gives_its_memory_back(tmp_path):
    """Arrow keeps what a sealing thread has freed unless it is asked to release it, so that a crawl would grow."""
    tests = Path(__file__).parents[1]
    environ = {**os.environ, "PYTHONPATH": f"{tests}{os.pathsep}{tests.parent}"}
    words = [sys.executable, __file__, str(tmp_path)]
    held = subprocess.run(words, env=environ, capture_output=True, text=True, check=True)
    assert float(held.stdout) < 10


def megabytes_arrow_holds(folder: Path) -> float:
    """Seal some large segments and return by how much memory shrinks when Arrow is asked for what it does not use."""
    letters = random.Random(0)
    pages = {f"http://a.example/{n}": f"<p>{letters.randbytes(800_000).hex()}</p>" for n in range(48)}
    home = {HOME: links(*(f"/{n}" for n in range(len(pages))))}
    run = CrawlRun(options(folder, seeds=(HOME,), robots=False, segment_bytes=16 << 20))
    fetch_all(run, site(home | pages))
    before = resident_megabytes()
    pyarrow.default_memory_pool().release_unused()
    return before - resident_megabytes()


def resident_megabytes() -> float:
    fields = Path("/proc/self/smaps_rollup").read_text().split()
    return int(fields[fields.index("Rss:") + 1]) / 1024


if __name__ == "__main__":
    print(megabytes_arrow_holds(Path(sys.argv[1])))
