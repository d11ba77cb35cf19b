"""A crawl's frontier and spool into one file, and back: nothing is lost, nothing overwritten, nothing believed."""

import io
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from frontier_back_ends import BACK_ENDS, offers

from crawler.frontier import open_frontier
from crawler.frontier.contract import FrontierPolicy
from parcels.cli.main import main
from parcels.errors import ConfigError, ParcelsError
from parcels.operations.backup import Crawl, restore, save
from parcels.store import open_store

CRAWL = "news"
QUICK = FrontierPolicy(delay=0.0, concurrency=8, robots=False)


@pytest.fixture(params=BACK_ENDS)
def crawl(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Crawl]:
    """A crawl with three queued addresses and a segment in its spool."""
    name = f"backup-{request.param}"
    url = request.getfixturevalue("redis_server").url if request.param == "redis" else None
    crawl = Crawl(name, url or f"sqlite:{tmp_path / 'frontier.sqlite'}", tmp_path / "state")
    segment = crawl.folder / "spool" / "worker" / "17a.spool"
    segment.parent.mkdir(parents=True)
    segment.write_bytes(b"rows of a page")
    opened = open_frontier(crawl.frontier, crawl=name, policy=QUICK)
    opened.admit(offers("1", "2", "3"))
    opened.close()
    yield crawl
    lose(crawl)


def lose(crawl: Crawl) -> None:
    if crawl.frontier.startswith("sqlite:"):
        for path in Path(crawl.frontier.removeprefix("sqlite:")).parent.glob("frontier.sqlite*"):
            path.unlink()
        return
    opened = open_frontier(crawl.frontier, crawl=crawl.name, policy=QUICK)
    opened._server.delete(*opened._server.scan_iter(match=opened._prefix + "*"))
    opened.close()


def test_a_lost_frontier_is_restored_with_its_queue_and_its_spool(crawl, tmp_path):
    saved = save(crawl, tmp_path / "copy.tar")
    assert saved.segments == 1
    assert saved.entries >= 3
    lose(crawl)
    segment = crawl.folder / "spool" / "worker" / "17a.spool"
    segment.unlink()
    assert restore(tmp_path / "copy.tar", crawl) == saved
    again = open_frontier(crawl.frontier, crawl=crawl.name, policy=QUICK)
    assert again.admit(offers("1", "2", "3", "4")) == "sssq"
    assert len(again.lease(10).leases) == 4
    again.close()
    assert segment.read_bytes() == b"rows of a page"
    with pytest.raises(ConfigError, match="not overwritten"):
        restore(tmp_path / "copy.tar", crawl)


def test_a_sqlite_frontier_is_copied_while_it_is_in_use(tmp_path):
    crawl = Crawl(CRAWL, f"sqlite:{tmp_path / 'frontier.sqlite'}", tmp_path / "state")
    opened = open_frontier(crawl.frontier, crawl=CRAWL, policy=QUICK)
    opened.admit(offers("1", "2"))
    opened.lease(1)
    assert save(crawl, tmp_path / "copy.tar").entries == 2
    assert opened.admit(offers("3")) == "q"
    opened.close()


@pytest.mark.redis
def test_a_redis_frontier_in_use_is_not_copied(tmp_path, redis_server):
    crawl = Crawl("in-use", redis_server.url, tmp_path)
    opened = open_frontier(crawl.frontier, crawl="in-use", policy=QUICK)
    opened.admit(offers("1"))
    opened.lease(1)
    with pytest.raises(ConfigError, match="open leases"):
        save(crawl, tmp_path / "copy.tar")
    opened.close()
    assert not list(tmp_path.glob("*copy.tar*"))


@pytest.mark.parametrize("harm", ["half", "empty", "not a tar", "a path that leads out", "another crawl"])
def test_a_copy_that_is_no_copy_is_refused_and_leaves_nothing(harm, tmp_path):
    crawl = Crawl(CRAWL, f"sqlite:{tmp_path / 'here' / 'frontier.sqlite'}", tmp_path / "here")
    opened = open_frontier(f"sqlite:{tmp_path / 'there' / 'frontier.sqlite'}", crawl=CRAWL, policy=QUICK)
    opened.close()
    copy = tmp_path / "copy.tar"
    save(Crawl(CRAWL, f"sqlite:{tmp_path / 'there' / 'frontier.sqlite'}", tmp_path / "there"), copy)
    if harm == "half":
        copy.write_bytes(copy.read_bytes()[:8000])
    elif harm == "empty":
        copy.write_bytes(b"")
    elif harm == "not a tar":
        copy.write_bytes(b"<html>" * 1000)
    elif harm == "a path that leads out":
        with tarfile.open(copy, "a") as archive:
            entry = tarfile.TarInfo("spool/../../escaped.spool")
            entry.size = 1
            archive.addfile(entry, io.BytesIO(b"x"))
        assert restore(copy, crawl).segments == 0
        assert not list(tmp_path.rglob("escaped.spool"))
        return
    else:
        crawl = crawl._replace(name="elsewhere")
    with pytest.raises(ParcelsError, match=str(copy)):
        restore(copy, crawl)
    assert not list((tmp_path / "here").rglob("*.sqlite*"))


def test_backup_and_restore_from_the_command_line(tmp_path, capsys):
    store = open_store(tmp_path / "store", create=True)
    file = Path(store.location.path("_crawl", CRAWL, "frontier.sqlite"))
    opened = open_frontier(f"sqlite:{file}", crawl=CRAWL, policy=QUICK)
    opened.admit(offers("1", "2"))
    opened.close()
    words = ["--store", store.location.root, "--crawl", CRAWL]
    assert main(["backup", str(tmp_path / "copy.tar"), *words]) == 0
    assert "2 addresses of crawl 'news'" in capsys.readouterr().out
    assert main(["restore", str(tmp_path / "copy.tar"), *words]) == 2
    file.unlink()
    assert main(["restore", str(tmp_path / "copy.tar"), *words]) == 0
    assert main(["backup", str(tmp_path / "c.tar"), "--store", str(tmp_path / "none")]) == 3
    assert not (tmp_path / "none").exists()
