import gzip
import io
import random
import zipfile

import pytest
from archive_web import FileWeb
from example_rows import gz, http, warc

from parcels.errors import ConfigError, InputMissing
from parcels.importing.filters import RecordFilter
from parcels.importing.http_file import HttpFile, HttpFileError
from parcels.importing.opening import ArchiveFile, archive_sources, members
from parcels.importing.warc import import_warc
from parcels.store import open_store

HTML = b"<html><title>News</title><p>Nobody was hurt."
NOISE = random.Random(3).randbytes(300_000)


def record(n, body=HTML, **headers):
    return warc(http(body + b" %d" % n), url=f"http://news.example/{n}", **headers)


@pytest.fixture
def store(tmp_path):
    return open_store(tmp_path / "store", create=True)


def urls(store):
    return sorted(store.read("pages", columns=["url"])["url"].to_pylist())


def test_an_archive_on_a_web_server_is_read_although_connections_break(store):
    data = gz(*(record(n, HTML + NOISE) for n in range(8)))
    with FileWeb({"/a.warc.gz": data}).serve() as web:
        web.cut_at = len(data) // 3
        done = import_warc(store, [f"{web.base}/a.warc.gz"], crawl="web")
        assert done.counts["pages"] == 8
        assert web.ranges[0] is None
        assert web.ranges[1] == f"bytes={len(data) // 3}-"


def test_a_busy_server_is_asked_again_and_a_missing_file_is_a_reject_that_ends_nothing(store):
    with FileWeb({"/a.warc.gz": gz(record(1)), "/b.warc.gz": gz(record(2))}).serve() as web:
        web.refusals = [503]
        sources = [f"{web.base}/{name}.warc.gz" for name in ("a", "none", "b")]
        assert import_warc(store, sources, crawl="web").counts["pages"] == 2
    (row,) = store.read("rejects").to_pylist()
    assert (row["reason"], row["source"]) == ("unreadable", sources[1])
    assert "404" in row["detail"]


def test_a_file_that_changes_while_it_is_read_is_an_error():
    with FileWeb({"/a": NOISE}).serve() as web:
        file = HttpFile(f"{web.base}/a", tries=2, wait_seconds=0.01)
        assert file.read(10) == NOISE[:10]
        web.files["/a"] = NOISE + b"more"
        file.seek(0)
        with pytest.raises(HttpFileError, match="changed on the server"):
            file.read(20)


def test_a_range_of_a_file_reads_seeks_and_is_searched_like_a_file():
    file = ArchiveFile(io.BytesIO(b"__" + NOISE + b"needle" + NOISE + b"__"), 2, 2 * len(NOISE) + 6)
    assert (len(file), file.find(b"needle", 0), file.find(b"needle", len(NOISE) + 1)) == (600_006, 300_000, None)
    file.seek(-3, io.SEEK_END)
    assert file.read() == NOISE[-3:]
    assert file[0:4] == NOISE[:4]
    assert file.read(9) == b""


@pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_the_archives_of_a_wacz_file_are_read_where_they_lie(store, tmp_path, packing):
    with zipfile.ZipFile(tmp_path / "crawl.wacz", "w", packing) as container:
        container.writestr("pages/pages.jsonl", "{}")
        container.writestr("archive/b.warc.gz", gz(record(2), record(3)))
        container.writestr("archive/a.warc.gz", gz(record(1)))
    (source,) = archive_sources([str(tmp_path / "crawl.wacz")])
    assert [one.name.partition("!")[2] for one in members(source)] == ["archive/a.warc.gz", "archive/b.warc.gz"]
    done = import_warc(store, [str(tmp_path)], crawl="web")
    assert (done.counts["pages"], done.total("rejected")) == (3, 0)
    assert store.read("pages")["source"][0].as_py() == f"{tmp_path}/crawl.wacz!archive/a.warc.gz"


def test_what_is_no_wacz_file_is_a_reject(store, tmp_path):
    (tmp_path / "crawl.wacz").write_bytes(NOISE)
    assert import_warc(store, [str(tmp_path / "crawl.wacz")], crawl="web").counts["rejected: unreadable"] == 1


def test_a_list_names_archives_beside_it_absolute_ones_and_those_of_common_crawl(store, tmp_path):
    (tmp_path / "a.warc.gz").write_bytes(gz(record(1)))
    listed = tmp_path / "warc.paths.gz"
    listed.write_bytes(gzip.compress(f"# two\na.warc.gz\n\n{tmp_path}/a.warc.gz\n".encode()))
    assert [source.uri for source in archive_sources([str(listed)])] == [f"{tmp_path}/a.warc.gz"]
    assert import_warc(store, [str(listed)], crawl="web").counts["pages"] == 1
    listed.write_bytes(gzip.compress(b"crawl-data/CC-NEWS/x.warc.gz\n"))
    (source,) = archive_sources([str(listed)])
    assert source.uri == "https://data.commoncrawl.org/crawl-data/CC-NEWS/x.warc.gz"
    listed.write_bytes(NOISE)
    with pytest.raises(InputMissing, match="Cannot read the list"):
        archive_sources([str(listed)])


def test_a_list_on_a_web_server_names_archives_beside_it(store):
    with FileWeb({"/x/all.paths": b"a.warc.gz\n", "/x/a.warc.gz": gz(record(1))}).serve() as web:
        assert import_warc(store, [f"{web.base}/x/all.paths"], crawl="web").counts["pages"] == 1


def test_a_revisit_becomes_a_page_with_the_bytes_of_the_original(store, tmp_path):
    same = {"WARC_Payload_Digest": "sha1:ABC"}
    first = warc(http(HTML, X_From="first"), url="http://news.example/a", **same)
    later = {"url": "http://news.example/a", "date": "2024-06-01T00:00:00Z", "kind": "revisit"}
    (tmp_path / "a.warc.gz").write_bytes(gz(
        first,
        warc(http(b"", X_From="second"), **later, **same),
        warc(http(b"", status="304 Not Modified"), **{**later, "date": "2024-06-02T00:00:00Z"}, **same),
        warc(http(b""), **{**later, "date": "2024-06-03T00:00:00Z"}, WARC_Payload_Digest="sha1:OTHER"),
    ))  # fmt: skip
    done = import_warc(store, [str(tmp_path / "a.warc.gz")], crawl="web")
    assert (done.counts["pages"], done.counts["rejected: revisit"]) == (3, 1)
    rows = store.read("pages").sort_by("visit").to_pylist()
    assert [row["html"] for row in rows] == [HTML] * 3
    assert [row["status"] for row in rows] == [200] * 3
    assert [dict(one.values() for one in row["headers"])["X-From"] for row in rows] == ["first", "second", "first"]
    assert [row["fetched_at"].day for row in rows] == [1, 1, 2]


def test_conditions_on_the_page():
    english = b"<p>The fire at the pier was not seen by the people who have been there, and it is out, as they say.</p>"
    headers = [("Content-Type", "text/html")]
    RecordFilter(languages=("en",), robots=("noindex",), min_bytes=20).check_page(english, headers, None)
    for conditions, html, more, reason in [
        (RecordFilter(languages=("de",)), english, [], "language"),
        (RecordFilter(languages=("en",)), b"<p>Menu Home", [], "language"),
        (RecordFilter(robots=("noindex",)), b'<META NAME="robots" CONTENT="none">' + english, [], "robots"),
        (RecordFilter(robots=("noarchive",)), english, [("X-Robots-Tag", "googlebot: noarchive")], "robots"),
        (RecordFilter(min_bytes=1000), english, [], "too-short"),
    ]:
        with pytest.raises(Exception, match=reason):
            conditions.check_page(html, headers + more, "text/html")
    with pytest.raises(ConfigError, match="--url '\\[' is not a regular expression"):
        RecordFilter(url="[")
