"""A store on an object store: a real S3 client against a server on loopback."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from conftest import free_port
from example_rows import TRICKY_CRAWLS, page, reject
from sql_store import fill

from parcels.errors import ConfigError, InputMissing
from parcels.query.sql import connect
from parcels.store import DamagedFile, SchemaMismatch, open_store
from parcels.store.models import use_model

pytest.importorskip("moto.server", reason="no moto: pip install 'moto[server]'")
from pyarrow import fs

KEYS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_EC2_METADATA_DISABLED": "true"}


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    """The URI of an empty bucket, without the path."""
    port = free_port()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in KEYS.items():
            patch.setenv(name, value)
        server = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | KEYS,
        )  # fmt: skip
        try:
            options = f"endpoint_override=127.0.0.1:{port}&scheme=http&region=us-east-1&allow_bucket_creation=true"
            filesystem, _ = fs.FileSystem.from_uri(f"s3://bucket?{options}")
            ends = time.monotonic() + 20
            while True:
                try:
                    filesystem.create_dir("bucket")
                    break
                except OSError:
                    if time.monotonic() > ends or server.poll() is not None:
                        raise
                    time.sleep(0.1)
            yield f"s3://bucket/PATH?{options}"
        finally:
            server.terminate()
            server.wait(10)


def test_an_object_store_holds_a_store(bucket):
    where = bucket.replace("PATH", "one/store")
    with pytest.raises(InputMissing, match="No store at s3://"):
        open_store(where)
    store = open_store(where, create=True)
    store.write("rejects", [reject(crawl, crawl=crawl) for crawl in TRICKY_CRAWLS])
    store.write("pages", [page(n) for n in range(5)], crawl="news")
    again = open_store(where)
    assert again.read("rejects")["crawl"].to_pylist() == again.read("rejects")["record"].to_pylist()
    assert again.read("pages", columns=["url"], crawl="news").num_rows == 5
    names = [
        info.path for info in store.location.filesystem.get_file_info(fs.FileSelector("bucket/one", recursive=True))
    ]
    assert not any("_staging" in name for name in names), "objects are written under their final names"


def test_sql_reaches_an_object_store(bucket):
    store = open_store(bucket.replace("PATH", "two"), create=True)
    store.write("rejects", [reject(crawl, crawl=crawl) for crawl in TRICKY_CRAWLS])
    connection = connect(store)
    assert connection.execute("SELECT count(*) FROM rejects WHERE crawl = record").fetchall() == [(len(TRICKY_CRAWLS),)]
    assert connection.execute("SELECT record FROM rejects WHERE crawl = 'é漢'").fetchall() == [("é漢",)]
    assert connection.execute("SELECT count(*) FROM pages").fetchall() == [(0,)]


def test_views_and_the_chosen_model_work_on_an_object_store(bucket, tmp_path):
    store = open_store(bucket.replace("PATH", "models"), create=True)
    fill(store)
    rows = store.read("labels").drop_columns(["crawl", "model"])
    store.write("labels", rows, crawl="news", model="other@1")
    assert len(store.table("classified_blocks")) == 2
    for name in ("news", "other"):
        use_model(store, name)
        assert {row["model"] for row in open_store(store.location.uri).table("current_labels").to_pylist()} == {
            f"{name}@1"
        }
    with pytest.raises(ConfigError):
        store.sql(f"COPY (SELECT 1) TO '{tmp_path / 'x'}'")
    with pytest.raises(ConfigError):
        store.sql("SELECT * FROM read_text('/etc/hostname')")


def test_a_writer_that_fails_leaves_no_object(bucket):
    store = open_store(bucket.replace("PATH", "three"), create=True)
    writer = store.writer("pages", crawl="news")
    writer.add([page(1, html=b"x" * (40 << 20))])  # more than a row group: the file is begun
    with pytest.raises(SchemaMismatch), writer:
        writer.add([{"nonsense": 1}])
    del writer
    assert store.files("pages") == []


def test_a_damaged_object_is_named(bucket):
    store = open_store(bucket.replace("PATH", "four"), create=True)
    store.write("rejects", [reject("a")], crawl="news")
    path = store.files("rejects")[0].path.replace("-0000", "-0001")
    with store.location.filesystem.open_output_stream(path) as stream:
        stream.write(b"PAR1 and no more")
    with pytest.raises(DamagedFile, match=r"-0001\.parquet"):
        store.read("rejects")
