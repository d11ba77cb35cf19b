"""Files of `parcels query`: the format follows the ending, floats are short, nothing is half written."""

import csv
import datetime as dt
import fcntl
import io
import json
import os
import pty
import select
import subprocess
import sys
import termios
import time
from concurrent.futures import ThreadPoolExecutor

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from example_rows import page, reject
from sql_store import fill

from parcels.cli import main
from parcels.errors import ConfigError
from parcels.store import open_store

FLOATS = "SELECT CAST(0.1 AS FLOAT) AS f, [CAST(0.7 AS FLOAT)] AS list, {'x': CAST(1e-7 AS FLOAT)} AS part, 0.5 AS d"


@pytest.fixture
def store(tmp_path):
    found = open_store(tmp_path / "store", create=True)
    fill(found)
    return found


def query(store, sql, *words):
    return main(["query", sql, "--store", store.location.root, *words])


@pytest.mark.parametrize(
    "name", ["a.parquet", "a.PQ", "a.arrow", "a.feather", "a.csv", "a.json", "a.jsonl", "a.txt", "a"]
)
def test_the_format_follows_the_ending(store, tmp_path, name):
    out = tmp_path / name
    assert query(store, "SELECT n, label, n, confidence FROM labels ORDER BY n", "--out", str(out)) == 0
    ending = out.suffix.lower()
    if ending in (".parquet", ".pq"):
        rows = pq.read_table(out).to_pylist()
    elif ending in (".arrow", ".feather"):
        rows = pa.ipc.open_file(out).read_all().to_pylist()
    elif ending in (".json", ".jsonl"):
        rows = [json.loads(line) for line in out.read_text().splitlines()]
    elif ending == ".csv":
        lines = list(csv.reader(out.read_text().splitlines()))
        assert lines[:2] == [["n", "label", "n", "confidence"], ["0", "title", "0", "0.75"]]
        return
    else:
        assert out.read_text().splitlines()[1].startswith("-  -----")
        return
    assert rows == [
        {"n": 0, "label": "title", "n_2": 0, "confidence": 0.75},
        {"n": 1, "label": "maincontent", "n_2": 1, "confidence": 0.75},
    ]


def test_parquet_keeps_the_types(store, tmp_path):
    out = tmp_path / "a.parquet"
    assert query(store, "SELECT page_id, html, fetched_at, fetched_date, headers FROM pages", "--out", str(out)) == 0
    (row,) = pq.read_table(out).to_pylist()
    assert row["html"] == b"<p>page 1"
    assert (row["fetched_at"], row["fetched_date"]) == (dt.datetime(2024, 5, 1, 12), dt.date(2024, 5, 1))
    assert row["headers"] == [{"name": "Content-Type", "value": "text/html"}]
    empty = tmp_path / "empty.parquet"
    assert query(store, "SELECT page_id FROM pages WHERE false", "--out", str(empty)) == 0
    assert pq.read_table(empty).schema.names == ["page_id"]


def test_an_unknown_ending_or_a_contradiction_is_an_error(store, tmp_path, capsys):
    for words in (["--out", "a.xlsx"], ["--out", "a.parquet", "--format", "csv"], ["--format", "parquet"]):
        given = [str(tmp_path / word) if word.startswith("a.") else word for word in words]
        assert query(store, "SELECT 1", *given) == 2
    said = capsys.readouterr().err
    assert "Unknown ending '.xlsx'. Use one of .parquet" in said
    assert "--format csv does not match" in said
    assert "--format parquet needs a file" in said
    assert [path.name for path in tmp_path.iterdir()] == ["store"]


def test_a_query_that_fails_leaves_the_old_file_and_nothing_else(store, tmp_path):
    out = tmp_path / "a.csv"
    out.write_text("old")
    failing = "SELECT CASE WHEN range = 5000 THEN error('no') ELSE range END AS n FROM range(10000)"
    with pytest.raises(ConfigError, match="no"):
        store.sql(failing)
    for name in ("a.csv", "b.parquet"):
        assert query(store, failing, "--out", str(tmp_path / name)) == 2
    assert query(store, "SELECT INTERVAL 1 DAY AS i", "--out", str(tmp_path / "i.parquet")) == 2
    assert out.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "store"]


def test_floats_print_as_people_write_them(store, capsys):
    assert query(store, FLOATS, "--format", "csv") == 0
    assert capsys.readouterr().out.splitlines()[1] == '0.1,[0.7],"{""x"":1e-7}",0.5'
    assert query(store, FLOATS, "--format", "json") == 0
    assert json.loads(capsys.readouterr().out) == {"f": 0.1, "list": [0.7], "part": {"x": 1e-7}, "d": 0.5}
    assert query(store, "SELECT CAST(0.1 AS DOUBLE) + CAST(0.2 AS DOUBLE) AS d, CAST(0.9 AS FLOAT) AS f") == 0
    assert capsys.readouterr().out.splitlines()[2].split() == ["0.3", "0.9"]


def test_csv_for_spreadsheets_has_no_formulas(store, capsys):
    texts = ["=1+1", "+1", "-1", "@x", "\tx", "\rx", "a\x00\x1bb", "a-b", "two\nlines"]
    store.write("rejects", [reject(text) for text in texts], crawl="c")
    sql = "SELECT record, -1 AS number FROM rejects ORDER BY record"
    assert query(store, sql, "--format", "csv") == 0
    assert {row[0] for row in csv.reader(io.StringIO(capsys.readouterr().out, newline=""))} == {*texts, "record"}
    assert query(store, sql, "--format", "csv", "--spreadsheet-safe") == 0
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out, newline="")))[1:]
    assert {row[0] for row in rows} == {
        "'=1+1", "'+1", "'-1", "'@x", "'\tx", "'\rx", "a\\x00\\x1bb", "a-b", "two\nlines",
    }  # fmt: skip
    assert {row[1] for row in rows} == {"-1"}, "a number stays one"


def test_arrow_goes_through_a_pipe(store):
    words = [sys.executable, "-m", "parcels.cli", "query", "--store", store.location.root, "--format", "arrow"]
    done = subprocess.run(words, input=b"SELECT label FROM labels ORDER BY n", capture_output=True, check=True)
    assert pa.ipc.open_stream(done.stdout).read_all().to_pylist() == [{"label": "title"}, {"label": "maincontent"}]


# -- store.sql, store.table ---------------------------------------------------------------------------------------


def test_results_are_arrow_for_every_library(store):
    found = store.sql("SELECT label FROM labels WHERE n = $n", {"n": 0})
    assert (len(found), found.column_names, found.to_pylist()) == (1, ["label"], [{"label": "title"}])
    assert pa.table(found).to_pylist() == found.to_arrow().to_pylist()
    assert repr(found) == "Result(1 rows: label)"
    assert store.sql("SELECT ? + 1 AS n", [2]).to_pylist() == [{"n": 3}]
    pytest.importorskip("pandas")
    assert found.to_pandas()["label"].tolist() == ["title"]


def test_results_go_to_polars(store):
    polars = pytest.importorskip("polars")
    assert store.table("labels", columns=["label"]).to_polars()["label"].to_list() == ["title", "maincontent"]
    assert polars.DataFrame(store.table("labels", columns=["n"])).shape == (2, 1)


def test_a_library_that_is_missing_is_named(store, monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(ConfigError, match="pip install polars"):
        store.sql("SELECT 1").to_polars()


def test_a_table_or_view_is_read_by_name(store):
    assert store.table("pages", columns=["url", "crawl"]).to_pylist() == [
        {"url": "http://news.example/1", "crawl": "news"}
    ]
    assert len(store.table("pages", crawl="none")) == 0
    with pytest.raises(ConfigError, match="Did you mean 'pages'"):
        store.table("pagse")
    with pytest.raises(ConfigError, match=r"has no column 'hots'\. Its columns"):
        store.table("classified_blocks", columns=["hots"])


def test_several_threads_ask_at_once(store):
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda n: store.sql("SELECT $n + count(*) AS n FROM labels", {"n": n}), range(12)))
    assert [answer.to_pylist() for answer in answers] == [[{"n": n + 2}] for n in range(12)]


def test_new_rows_are_found_by_the_next_call(store):
    assert len(store.table("rejects")) == 0
    store.write("rejects", [reject("a")], crawl="c")
    assert len(store.table("rejects")) == 1
    store.write("pages", [page(7, crawl="c")])
    assert len(store.table("pages")) == 2


# -- schema of views ----------------------------------------------------------------------------------------------


def test_schema_documents_views(capsys):
    assert main(["schema", "articles_with_pages"]) == 0
    said = capsys.readouterr().out
    assert "url " in said
    assert "JOIN pages" in said
    assert main(["schema", "classified_blocks", "--format", "json"]) == 0
    (view,) = json.loads(capsys.readouterr().out)
    assert [column["name"] for column in view["columns"]][:2] == ["block_id", "page_id"]
    assert main(["schema", "current_labels", "--format", "markdown"]) == 0
    assert capsys.readouterr().out.startswith("## current_labels (view)")
    assert main(["schema", "classified_block"]) == 2
    assert "Did you mean 'classified_blocks'" in capsys.readouterr().err


# -- the shell ----------------------------------------------------------------------------------------------------


class Terminal:
    """A command that believes a person types."""

    def __init__(self, words, home):
        self.fd, end = pty.openpty()
        own = {"HOME": str(home), "XDG_STATE_HOME": str(home / "state"), "TERM": "dumb", "COLUMNS": "120"}
        command = [sys.executable, "-m", "parcels.cli", *words]
        self.process = subprocess.Popen(
            command, stdin=end, stdout=end, stderr=end, env=os.environ | own, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # so that Ctrl-C is a signal
        )  # fmt: skip
        os.close(end)
        self.said = ""

    def read_until(self, text, seconds=60):
        assert self.waits_for(text, seconds), self.said
        before, _, self.said = self.said.partition(text)
        return before

    def waits_for(self, text, seconds):
        """Read until the text is there or the time is over; return which."""
        ends = time.monotonic() + seconds
        while text not in self.said and time.monotonic() < ends:
            if select.select([self.fd], [], [], 0.2)[0]:
                self.said += os.read(self.fd, 4096).decode()
        return text in self.said

    def interrupt(self, text):
        """Press Ctrl-C, again where nothing happens: Python misses one that comes just before it waits for a key."""
        for _ in range(10):
            self.type("\x03")
            if self.waits_for(text, 6):
                break
        return self.read_until(text)

    def type(self, text):
        os.write(self.fd, text.encode())


@pytest.fixture
def terminal(store, tmp_path):
    found = Terminal(["query", "--store", store.location.root], tmp_path)
    found.read_until("parcels> ")
    yield found
    if found.process.poll() is None:
        found.process.kill()
    found.process.wait(30)
    os.close(found.fd)


def test_the_shell_answers_and_goes_on_after_errors(terminal, tmp_path):
    terminal.type("SELECT label\nFROM classified_blocks ORDER BY n;\n")
    assert "maincontent" in terminal.read_until("parcels> ")
    terminal.type("SELECT * FROM nowhere;\n")
    assert "Catalog Error" in terminal.read_until("parcels> ")
    terminal.type("COPY (SELECT 1) TO 'x';\n")
    assert "--unsafe" in terminal.read_until("parcels> ")
    terminal.type(".tables\n")
    assert "articles_with_pages" in terminal.read_until("parcels> ")
    terminal.type(".schema rejects\n")
    assert "rejected_at" in terminal.read_until("parcels> ")
    terminal.type(".models\n")
    assert "current, wrote last" in terminal.read_until("parcels> ")
    terminal.type(".quit\n")
    assert terminal.process.wait(30) == 0
    kept = (tmp_path / "state" / "parcels" / "query-history").read_text()
    assert "FROM classified_blocks ORDER BY n;" in kept


def test_ctrl_c_stops_a_query_and_not_the_shell(terminal):
    terminal.type("SELECT count(*) FROM range(100000000000) a, range(1000) b WHERE hash(a.range + b.range) = 1;\n")
    terminal.read_until("query: ")
    assert "stopped" in terminal.interrupt("parcels> ")
    terminal.type("SELECT 6 * 7 AS n;\n")
    assert "42" in terminal.read_until("parcels> ")
    terminal.type("SELECT")
    terminal.read_until("SELECT")
    terminal.interrupt("parcels> ")
    terminal.type("\x04")
    assert terminal.process.wait(30) == 0
