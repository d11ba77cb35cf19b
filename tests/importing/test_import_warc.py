import datetime as dt
import gzip
import io
import random
import zlib

import pyarrow as pa
import pytest
from example_rows import gz, http, warc

from parcels.errors import InputMissing
from parcels.importing.warc import import_warc
from parcels.store import open_store

HTML = b"<html><title>News</title><p>Nobody was hurt."
DICE = random.Random(7)
NOISE = [bytes(DICE.randbytes(4000)) for _ in range(6)]  # does not compress: damage hits one record only


@pytest.fixture
def store(tmp_path):
    return open_store(tmp_path / "store", create=True)


@pytest.fixture
def take(store, tmp_path):
    """Import bytes as an archive; every record is a page, a style sheet, rejected or skipped."""

    def take(data, name="x.warc.gz", **settings):
        (tmp_path / name).write_bytes(data)
        done = import_warc(store, [str(tmp_path / name)], crawl="web", **settings)
        accounted = done.counts["pages"] + done.counts["resources"] + done.total("rejected") + done.total("skipped")
        assert accounted == done.counts["records"]
        return done

    return take


def bodies(store):
    return store.read("pages", columns=["url", "html"]).sort_by("url")["html"].to_pylist()


def reasons(store):
    return sorted(store.read("rejects")["reason"].to_pylist())


def record(n, body=HTML, end=b"\r\n", **headers):
    return warc(http(body, end=end, **headers), url=f"http://news.example/{n}")


@pytest.mark.parametrize("stated", ["\u00b2", "9" * 5000])
def test_an_unreadable_length_does_not_end_the_import(take, store, stated):
    broken = record(1).replace(b"WARC/1.0\r\n", b"WARC/1.0\r\nContent-Length: " + stated.encode() + b"\r\n", 1)
    take(record(0) + broken + record(2))
    assert HTML in bodies(store)


def zstd(*records):
    return b"".join(pa.compress(data, codec="zstd", asbytes=True) for data in records)


@pytest.mark.parametrize("pack", [gz, zstd, lambda *records: b"".join(records), lambda *r: gzip.compress(b"".join(r))])
def test_archives_are_read_however_they_are_packed(take, store, pack):
    done = take(pack(*(record(n, HTML + b"%d" % n) for n in range(4))))
    assert bodies(store) == [HTML + b"%d" % n for n in range(4)]
    assert done.counts["records"] == 4


def test_a_capture_keeps_its_time_status_and_headers(take, store):
    block = http(HTML, Content_Type='Text/HTML; charset="ISO-8859-1"', Set_Cookie="a=1", X_Note="n\r\n folded")
    take(gz(warc(block, url="http://News.example:80/a?utm_source=x#t", date="2024-05-01T23:59:59.25+02:00")))
    (row,) = store.read("pages").to_pylist()
    assert (row["url"], row["final_url"]) == ("http://news.example/a", "http://News.example:80/a?utm_source=x#t")
    assert row["fetched_at"] == dt.datetime(2024, 5, 1, 21, 59, 59, 250000, tzinfo=dt.UTC)
    assert row["fetched_date"] == dt.date(2024, 5, 1)
    assert row["visit"] == 1714600799250000
    assert (row["status"], row["content_type"], row["charset"]) == (200, "text/html", "iso-8859-1")
    assert [tuple(header.values()) for header in row["headers"]][1:] == [("Set-Cookie", "a=1"), ("X-Note", "n folded")]


def test_two_captures_of_an_address_are_two_pages_and_importing_twice_adds_none(take, store):
    data = gz(warc(http(HTML)), warc(http(HTML), date="2024-05-02T12:00:00Z"))
    assert take(data).counts["pages"] == 2
    assert len(set(store.read("pages")["page_id"].to_pylist())) == 2
    assert take(data).counts["skipped: already in the store"] == 2
    assert store.read("pages").num_rows == 2


def brotli(data):
    from fastwarc.stream_io import BrotliWriter

    out = io.BytesIO()
    writer = BrotliWriter(out)
    writer.write(data)
    writer.close()
    return out.getvalue()


def deflate(data):
    return zlib.compress(data, wbits=-15)


def chunked(data):
    parts = [data[at : at + 10] for at in range(0, len(data), 10)]
    return b"".join(b"%x;note=1\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


ENCODED = [
    ("chunked", chunked(HTML), {"Transfer_Encoding": "chunked"}),
    ("gzip", gzip.compress(HTML), {"Content_Encoding": "gzip"}),
    ("gzip twice", gzip.compress(HTML[:9]) + gzip.compress(HTML[9:]), {"Content_Encoding": "x-gzip"}),
    ("zlib", zlib.compress(HTML), {"Content_Encoding": "deflate"}),
    ("raw deflate", deflate(HTML), {"Content_Encoding": "deflate"}),
    ("brotli", brotli(HTML), {"Content_Encoding": "br"}),
    ("zstd", zstd(HTML), {"Content_Encoding": "zstd"}),
    ("chunked gzip", chunked(gzip.compress(HTML)), {"Transfer_Encoding": "chunked", "Content_Encoding": "gzip"}),
    ("two encodings", gzip.compress(zlib.compress(HTML)), {"Content_Encoding": "deflate, gzip"}),
    ("chunked, undone before", HTML, {"Transfer_Encoding": "chunked"}),
    ("gzip, undone before", HTML, {"Content_Encoding": "gzip"}),
    ("brotli, undone before", HTML, {"Content_Encoding": "br"}),
    ("unknown encoding of plain text", HTML, {"Content_Encoding": "sdch"}),
]


@pytest.mark.parametrize("name, body, headers", ENCODED, ids=[case[0] for case in ENCODED])
def test_encodings_are_undone(take, store, name, body, headers):
    take(gz(record(1, body, **headers)))
    (row,) = store.read("pages").to_pylist()
    assert (row["html"], row["is_truncated"]) == (HTML, False)


@pytest.mark.parametrize(
    "headers, body, reason",
    [
        ({"Content_Encoding": "gzip"}, NOISE[0], "undecodable"),
        ({"Content_Encoding": "br"}, NOISE[0], "undecodable"),
        ({"Content_Encoding": "sdch"}, NOISE[0], "undecodable"),
        ({"Content_Encoding": "gzip"}, gzip.compress(b"<p>" + b"x" * 5_000_000), "too-large"),
        ({"Content_Encoding": "br"}, brotli(b"<p>" + b"x" * 5_000_000), "too-large"),
        ({"Content_Encoding": "deflate, gzip"}, gzip.compress(zlib.compress(b"x" * 5_000_000)), "too-large"),
        ({}, b"<p>" + b"x" * 1_100_000, "too-large"),
        ({}, b"<p>" + b"x" * 5_000_000, "too-large"),
        ({}, b"", "empty"),
        ({"status": "404 Not Found"}, HTML, "http-status"),
        ({"status": "302 Found"}, b"", "http-status"),
    ],
)
def test_what_cannot_be_a_page_is_rejected_with_a_reason(take, store, headers, body, reason):
    done = take(gz(record(1, body, **headers), record(2)), max_bytes=1_000_000)
    assert done.counts[f"rejected: {reason}"] == 1
    assert done.counts["pages"] == 1
    assert reasons(store) == [reason]
    assert take(gz(record(1, body, **headers), record(2)), max_bytes=1_000_000).total("rejected") == 1
    assert reasons(store) == [reason], "a second import writes no second row"


def test_other_records_are_counted_by_kind(take, store):
    done = take(gz(
        warc(b"software: x", kind="warcinfo", url=None, content_type="application/warc-fields"),
        warc(b"GET / HTTP/1.1\r\n\r\n", kind="request"),
        warc(http(NOISE[0], Content_Type="image/png")),
        warc(http(NOISE[0], Content_Type="application/pdf")),
        warc(http(NOISE[0], Content_Type="rubbish")),
        warc(http(b"just text", Content_Type="")),
        warc(b"12.0.0.1", url="dns:news.example", content_type="text/dns"),
        warc(http(b""), kind="revisit", WARC_Refers_To_Target_URI="http://a.example/", WARC_Refers_To_Date="2024"),
        warc(http(b"", Content_Type="text/css"), kind="revisit"),
        warc(b"Nobody was hurt.", kind="conversion", content_type="text/plain"),
        warc(b"no HTTP at all", url="http://news.example/odd"),
    ))  # fmt: skip
    assert done.counts == {
        "records": 11,
        "skipped: warcinfo record": 1,
        "skipped: request record": 1,
        "skipped: not HTML (image)": 1,
        "skipped: not HTML (application)": 1,
        "skipped: not HTML (other)": 1,
        "skipped: no media type, not HTML by its looks": 1,
        "skipped: not HTTP": 1,
        "skipped: revisit of a style sheet": 1,
        "rejected: revisit": 1,
        "rejected: conversion": 1,
        "rejected: no-http-status": 1,
    }
    assert "http://a.example/ at 2024" in str(store.read("rejects")["detail"].to_pylist())


def test_resources_style_sheets_and_unnamed_types_are_taken(take, store):
    css = warc(http(b"p{}", Content_Type="text/css"), url="http://news.example/a.css")
    done = take(gz(
        css, css,
        warc(HTML, kind="resource", content_type="text/html", url="http://news.example/r"),
        warc(HTML, kind="resource", content_type="text/html", url="file:///home/x.html"),
        warc(http(HTML, Content_Type=""), url="http://news.example/s"),
        warc(http(HTML, Content_Type="", end=b"\n"), url="http://news.example/t"),
        warc(http(HTML, Content_Type="application/xhtml+xml"), url="http://news.example/u"),
    ))  # fmt: skip
    assert (done.counts["pages"], done.counts["resources"]) == (5, 1)
    assert done.counts["skipped: style sheet already in the store"] == 1
    (sheet,) = store.read("resources").to_pylist()
    assert (sheet["url"], sheet["body"], sheet["status"]) == ("http://news.example/a.css", b"p{}", 200)
    assert sorted(store.read("pages")["url"].to_pylist())[-1] == "page:file:///home/x.html"


def test_a_page_that_the_archive_cut_off_is_marked(take, store):
    half = gzip.compress(HTML * 100)[:60]
    take(gz(
        warc(http(HTML), url="http://news.example/1", WARC_Truncated="length"),
        record(2, half, Content_Encoding="gzip"),
        record(3, chunked(HTML)[:-20], Transfer_Encoding="chunked"),
    ))  # fmt: skip
    assert store.read("pages")["is_truncated"].to_pylist() == [True] * 3


def test_a_record_that_the_file_does_not_hold_to_its_end_is_rejected(take, store):
    whole = b"".join(record(n) for n in range(2))
    for name, data in (("a.warc", whole[:-30]), ("b.warc.gz", gz(record(0), record(2, NOISE[0]))[:-500])):
        done = take(data, name)
        assert done.counts["rejected: truncated"] == 1, name
    assert len(bodies(store)) == 1


def with_damage(data, at, length=40):
    return data[:at] + b"\x5a" * length + data[at + length :]


@pytest.mark.parametrize("place", ["magic", "header", "body", "checksum"])
def test_records_behind_a_damaged_gzip_member_are_still_read(take, store, place):
    members = [gz(record(n, HTML + noise)) for n, noise in enumerate(NOISE)]
    at, length = {"magic": (0, 3), "header": (12, 20), "body": (2000, 40), "checksum": (len(members[2]) - 8, 4)}[place]
    members[2] = with_damage(members[2], at, length)
    done = take(b"".join(members))
    assert done.counts["pages"] == 5, done.counts
    assert reasons(store) == ["corrupt"]
    assert b"Nobody" in bodies(store)[-1]


def test_records_behind_damage_in_a_plain_file_are_still_read(take, store):
    records = [record(n, HTML + b"%d" % n) for n in range(5)]
    records[1] = b"rubbish\r\n" * 40
    records[3] = records[3].replace(b"WARC/1.0", b"WRAC/9.9", 1)
    done = take(b"".join(records), "x.warc")
    assert bodies(store) == [HTML + b"0", HTML + b"2", HTML + b"4"]
    assert done.counts["rejected: corrupt"] == 2


def test_lines_may_end_in_lf_alone(take, store):
    take(gz(*(record(n, HTML + b"%d" % n, end=b"\n").replace(b"\r\n", b"\n") for n in range(3))))
    assert bodies(store) == [HTML + b"%d" % n for n in range(3)]


def test_damage_at_the_end_and_in_several_places_is_told_each_time(take, store):
    members = [gz(record(n, HTML + noise)) for n, noise in enumerate(NOISE)]
    for n in (1, 3, 5):
        members[n] = with_damage(members[n], 100)
    done = take(b"".join(members))
    assert (done.counts["pages"], done.counts["rejected: corrupt"]) == (3, 3)


@pytest.mark.parametrize(
    "data, reason", [(b"", "empty-file"), (HTML, "not-an-archive"), (gzip.compress(HTML), "not-an-archive")]
)
def test_what_is_no_archive_is_rejected(take, store, data, reason):
    assert take(data).counts == {"records": 1, f"rejected: {reason}": 1}


def arc(*blocks):
    head = b"filedesc://x.arc 0.0.0.0 20080430204825 text/plain %d\n%s\n"
    about = b"1 1 Test\nURL IP-address Archive-date Content-type Archive-length\n"
    lines = [b"%s 1.2.3.4 20080430204826 text/html %d\n%s\n" % (url, len(block), block) for url, block in blocks]
    return [head % (len(about), about), *lines]


@pytest.mark.parametrize("pack", [gz, lambda *records: b"".join(records), lambda *r: gzip.compress(b"".join(r))])
def test_arc_files_are_read(take, store, pack):
    records = arc(
        (b"http://news.example/a b", http(HTML)), (b"dns:news.example", b"x"), (b"http://news.example/c", http(HTML))
    )
    done = take(pack(*records), "x.arc.gz")
    rows = store.read("pages").sort_by("url").to_pylist()
    assert [row["url"] for row in rows] == ["http://news.example/a%20b", "http://news.example/c"]
    assert rows[0]["fetched_at"] == dt.datetime(2008, 4, 30, 20, 48, 26, tzinfo=dt.UTC)
    assert done.counts == {"records": 4, "pages": 2, "skipped: filedesc record": 1, "skipped: dns record": 1}


@pytest.mark.parametrize("pack", [gz, lambda *records: b"".join(records)])
def test_records_behind_damage_in_an_arc_file_are_still_read(take, store, pack):
    blocks = [(b"http://news.example/%d" % n, http(HTML + noise)) for n, noise in enumerate(NOISE)]
    packed = [pack(part) for part in arc(*blocks)]
    packed[3] = with_damage(packed[3], 0, 60) if pack is gz else b"rubbish" * 20 + b"\n"
    done = take(b"".join(packed), "x.arc")
    assert done.counts["pages"] == 5
    assert done.counts["rejected: corrupt"] == 1


def test_an_arc_file_that_ends_too_early_is_told(take, store):
    done = take(b"".join(arc((b"http://news.example/1", http(HTML))))[:-20], "x.arc")
    assert done.counts["rejected: truncated"] == 1


def test_a_folder_of_archives_is_read_and_a_missing_file_is_an_error(store, tmp_path):
    (tmp_path / "in").mkdir()
    with pytest.raises(InputMissing, match="has no files"):
        import_warc(store, [str(tmp_path / "in")], crawl="web")
    for n in range(2):
        (tmp_path / "in" / f"{n}.warc.gz").write_bytes(gz(record(n)))
    assert import_warc(store, [str(tmp_path / "in")], crawl="web").counts["pages"] == 2
    with pytest.raises(InputMissing, match="File or folder not found"):
        import_warc(store, [str(tmp_path / "none.warc")], crawl="web")


@pytest.mark.corpus
def test_every_record_of_real_archives_is_accounted_for(corpora, store, capsys):
    for path in sorted((corpora / "warc").iterdir()):
        done = import_warc(store, [str(path)], crawl="web")
        accounted = done.counts["pages"] + done.counts["resources"] + done.total("rejected") + done.total("skipped")
        print(path.name, dict(done.counts))
        assert accounted == done.counts["records"] > 0
    pages = store.read("pages", columns=["url", "html"]).to_pylist()
    assert len(pages) == 173
    assert all(b"<" in page["html"] for page in pages)
