"""`parcels demo`: crawl, jobs, queries and report on the example web, as a new user runs it."""

import subprocess
import sys
from pathlib import Path

import pytest

from parcels import example_web
from parcels.cli.main import main
from parcels.query.sql import connect
from parcels.store import open_store

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def demo(tmp_path_factory) -> tuple[Path, str]:
    """The store and what was said."""
    where = tmp_path_factory.mktemp("demo") / "store"
    words = [sys.executable, "-m", "parcels.cli", "demo", "--store", str(where), "--no-progress"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return where, done.stdout


def test_every_step_is_told_with_its_command(demo):
    said = demo[1]
    for command in ("parcels crawl", "parcels run divide..pagetypes", "parcels query", "parcels report"):
        assert f"$ {command}" in said
    assert "lumen.example" in said.split("pages, blocks and labels per site")[1]


def test_every_article_is_crawled_labelled_and_extracted(demo):
    connection = connect(open_store(demo[0]))
    articles = [url for host in example_web.hosts() for url in example_web.article_urls(host)]
    stored = {url for (url,) in connection.execute("SELECT url FROM pages WHERE status = 200").fetchall()}
    assert len(stored.intersection(articles)) >= 0.95 * len(articles)
    labels = dict(connection.execute("SELECT label, count(*) FROM classified_blocks GROUP BY label").fetchall())
    assert {"title", "maincontent", "sitenav", "timestamp", "reporter"} <= set(labels)
    titles = dict(connection.execute("SELECT p.url, a.title FROM articles a JOIN pages p USING (page_id)").fetchall())
    known = [url for url in articles if url in titles]
    right = sum(titles[url] == example_web.truth(url).title for url in known)
    assert right >= 0.9 * len(known)


def test_the_report_is_one_file(demo):
    report = (demo[0] / "report.html").read_text("utf-8")
    assert "<svg" in report
    assert "lumen.example" in report


def test_a_store_elsewhere_is_refused(capsys):
    assert main(["demo", "--store", "s3://bucket/store"]) == 2
    assert "local folder" in capsys.readouterr().err
