"""The first hour of a new user, in order and without a network: each step gives a right answer or a clear error."""

import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from conftest import free_port

import parcels
from parcels import example_web
from parcels.errors import ConfigError, SkipRecord
from parcels.example_web import ExampleWeb

ROOT = Path(__file__).parents[2]
PAGES = Path(__file__).parents[1] / "pages" / "first-hour"
PATIENCE_SECONDS = 1800  # for a busy machine; it ends a command that hangs, no more
README_STEPS = re.compile(r"^```bash\n(.*?)^```", re.M | re.S)

pytestmark = pytest.mark.xdist_group("first-hour")


def run(*words: str, folder: Path, expect: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a command of parcels as a user does, and check its exit code."""
    done = subprocess.run(
        [sys.executable, "-m", "parcels.cli", *words], cwd=folder, env=environment(), capture_output=True, text=True,
        timeout=PATIENCE_SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == expect, f"{' '.join(words)}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    assert "Traceback" not in done.stderr
    return done


def environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PARCELS_")}
    return kept | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder in which README's commands were typed, and what they printed."""
    folder = tmp_path_factory.mktemp("first-hour")
    (steps,) = README_STEPS.findall((ROOT / "README.md").read_text())
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", steps], cwd=folder, env=environment(), capture_output=True, text=True,
        timeout=PATIENCE_SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return folder / "my-corpus", done.stdout


# -- README's commands as written


def test_the_commands_of_the_readme_work_as_written(project):
    folder, printed = project
    assert "Ready." in printed
    assert "crawled " in printed
    assert re.search(r"^\s*maincontent\s+\d+\s*$", printed, re.M)
    assert "<svg" in (folder / "report.html").read_text()
    assert "Spark" not in printed


def test_running_again_finds_nothing_to_do_and_needs_no_java(project):
    done = run("run", "--no-progress", folder=project[0])
    assert "nothing to do" in done.stdout + done.stderr


def test_the_example_web_gives_right_answers(project):
    """The third of the silently wrong cases, through crawl, run and SQL; each field is in test_example_web_articles."""
    store = parcels.open_store(project[0] / "store")
    rows = store.sql("SELECT url, title, published, authors, text, page_type FROM articles_with_pages").to_pylist()
    stories = {url for host in example_web.hosts() for url in example_web.article_urls(host)}
    assert len(rows) > 150
    wrong = [row["url"] for row in rows if bool(row["title"]) != (row["url"] in stories)]
    assert len(wrong) <= 0.02 * len(rows), wrong
    names = {name for row in rows for name in row["authors"] or ()}
    assert names
    assert not [name for name in names if not re.fullmatch(r"[^\W\d_][\w.'’-]*(?: [\w.'’-]+)+", name) or name.isupper()]


# -- a crawl that fails, then succeeds


def test_a_crawl_without_a_network_fails_clearly_and_goes_on_when_it_is_back(tmp_path):
    port = free_port()
    words = ["crawl", "http://lumen.example/", "--store", "store", "--proxy", f"http://127.0.0.1:{port}"]
    words += ["--delay", "0.01", "--limit", "5", "--no-progress"]
    done = run(*words, folder=tmp_path, expect=3)
    assert "lumen.example" in done.stderr
    with ExampleWeb.serve(port):
        run(*words, folder=tmp_path)
    assert parcels.open_store(tmp_path / "store").sql("SELECT count(*) AS n FROM pages").to_pylist()[0]["n"] >= 5


# -- what was silently wrong


def test_markdown_keeps_every_cell_number_listing_and_image(tmp_path):
    words = [str(PAGES / "table.html"), "--url", "http://post.example/ferries/may", "--format", "md"]
    assert run("extract", *words, folder=tmp_path).stdout == (PAGES / "table.md").read_text()


def test_a_second_model_doubles_no_answer(project, tmp_path):
    (tmp_path / "pages").mkdir()
    for at, url in enumerate(example_web.article_urls("lumen.example")[:2]):
        (tmp_path / "pages" / f"{at}.html").write_bytes(example_web.fetch(url).body)
    shutil.copytree(ROOT / "parcels" / "models" / "news", tmp_path / "other")
    run("import", "html", "pages", "--store", "store", "--no-progress", folder=tmp_path)
    run("run", "divide..classify", "--store", "store", "--no-progress", folder=tmp_path)
    count = "SELECT count(*) AS n FROM classified_blocks"
    store = parcels.open_store(tmp_path / "store")
    before = store.sql(count).to_pylist()
    run("run", "classify", "--model", "other", "--store", "store", "--no-progress", folder=tmp_path)
    assert store.sql(count).to_pylist() == before
    assert store.sql("SELECT count(*) AS n FROM all_classified_blocks").to_pylist() == [{"n": 2 * before[0]["n"]}]
    run("models", "use", "news", "--store", "store", folder=tmp_path)
    shown = store.sql("SELECT DISTINCT model FROM classified_blocks").to_pylist()
    assert [row["model"].partition("@")[0] for row in shown] == ["news"]


def test_the_address_does_not_change_the_text():
    for url in example_web.article_urls("www.harbourcourier.example")[:5]:
        html = example_web.fetch(url).body
        assert parcels.extract(html, url).text == parcels.extract(html).text


def test_the_format_of_a_query_follows_the_ending(project):
    folder, sql = project[0], "SELECT host, count(*) AS pages, avg(byte_count) AS size FROM pages GROUP BY host"
    for name in ("pages.parquet", "pages.arrow", "pages.csv", "pages.jsonl"):
        run("query", sql, "--out", name, folder=folder)
    table = pq.read_table(folder / "pages.parquet")
    assert table.column_names == ["host", "pages", "size"]
    assert table.num_rows == len((folder / "pages.jsonl").read_text().splitlines()) >= 3
    assert (folder / "pages.csv").read_text().startswith("host,pages,size\n")


def test_what_is_no_page_is_refused(tmp_path):
    with pytest.raises(SkipRecord, match="binary"):
        parcels.extract(random.Random(1).randbytes(5000))
    with pytest.raises(ConfigError, match="path"):
        parcels.extract("pages/x.html")
    (tmp_path / "x.html").write_text("<h1>Fire at the pier</h1><p>Nobody was hurt when the old pier burned last night.")
    assert parcels.extract(tmp_path / "x.html").title == "Fire at the pier"
    (tmp_path / "noise.html").write_bytes(random.Random(1).randbytes(5000))
    run("extract", "noise.html", folder=tmp_path, expect=3)


# -- what was unsafe


@pytest.mark.parametrize(
    "sql",
    [
        "COPY (SELECT 1) TO 'out.csv'",
        "ATTACH 'other.db' AS other",
        "EXPORT DATABASE 'dump'",
        "SELECT 1; SELECT 2",
        "SELECT * FROM read_text('/etc/passwd')",
        "INSTALL httpfs",
    ],
)
def test_an_unsafe_query_is_refused_and_writes_nothing(project, sql):
    before = sorted(path.name for path in project[0].iterdir())
    assert "--unsafe" in run("query", sql, folder=project[0], expect=2).stderr
    assert sorted(path.name for path in project[0].iterdir()) == before


def test_a_spark_master_that_does_not_answer_is_named(tmp_path):
    run("import", "html", str(PAGES / "table.html"), "--store", "store", folder=tmp_path)
    address = f"127.0.0.1:{free_port()}"
    done = run("run", "divide", "--store", "store", "--master", f"spark://{address}", folder=tmp_path, expect=3)
    assert address in done.stderr
