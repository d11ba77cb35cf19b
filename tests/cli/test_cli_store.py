import json
import os
import subprocess
import sys

import pytest
from example_rows import gz, http, page, reject, warc

from parcels.cli import main
from parcels.cli.output.cells import draw
from parcels.store import open_store


@pytest.fixture
def folder(tmp_path):
    """A folder with a store in it."""
    store = open_store(tmp_path / "store", create=True)
    store.write("pages", [page(n, crawl="news", html=b"<p>\n" + b"long " * 100) for n in range(3)])
    store.write("rejects", [reject("a\x1b[31m\tb", "empty")], crawl="news")
    return tmp_path


def query(folder, sql, *words):
    return main(["query", sql, "--store", str(folder / "store"), *words])


def test_a_query_prints_a_table(folder, capsys):
    assert query(folder, "SELECT url, byte_count FROM pages ORDER BY url LIMIT 2") == 0
    assert capsys.readouterr().out.splitlines() == [
        "url                    byte_count",
        "---------------------  ----------",
        "http://news.example/0         504",
        "http://news.example/1         504",
    ]


def test_long_text_is_cut_and_control_characters_are_shown(folder, capsys):
    assert query(folder, "SELECT record, html FROM rejects, pages LIMIT 1") == 0
    line = capsys.readouterr().out.splitlines()[2]
    assert line.startswith(r"a\x1b[31m\tb  <p>\nlong ")
    assert line.endswith("…")
    assert len(line) < 100
    assert query(folder, "SELECT html FROM pages LIMIT 1", "--limit-width", "0") == 0
    assert len(capsys.readouterr().out.splitlines()[2]) > 500


def test_a_table_fits_into_its_room():
    lines = draw(["n", "text", "title"], [(1, "x" * 200, "y" * 90)], limit=None, room=60).splitlines()
    assert all(len(line) <= 60 for line in lines)
    assert lines[2].startswith("1  xxxx")


def test_a_long_table_says_that_there_is_more(folder, capsys):
    assert query(folder, "SELECT range FROM range(50)", "--rows", "10") == 0
    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) == 12
    assert "the first 10 rows" in printed.err


def test_csv_and_json_hold_everything(folder, capsys):
    sql = (
        "SELECT url, url, headers, html, fetched_at, NULL AS nothing, sum(1) OVER () AS s FROM pages ORDER BY 1 LIMIT 1"
    )
    assert query(folder, sql, "--format", "json") == 0
    row = json.loads(capsys.readouterr().out)
    assert row["url"] == row["url_2"] == "http://news.example/0"
    assert row["headers"] == [{"name": "Content-Type", "value": "text/html"}]
    assert row["html"] == "<p>\n" + "long " * 100
    assert (row["fetched_at"], row["nothing"], row["s"]) == ("2024-05-01T12:00:00", None, 3)
    assert query(folder, "SELECT 'a,b' AS x, headers FROM pages LIMIT 1", "--format", "csv") == 0
    assert capsys.readouterr().out == 'x,headers\n"a,b","[{""name"":""Content-Type"",""value"":""text/html""}]"\n'


def test_output_goes_to_a_file(folder, capsys):
    assert query(folder, "SELECT 1 AS n", "--format", "csv", "--out", str(folder / "n.csv")) == 0
    assert (folder / "n.csv").read_text() == "n\n1\n"
    assert capsys.readouterr().out == ""
    assert query(folder, "SELECT 1", "--out", str(folder / "none" / "n.csv")) == 3


def test_sql_comes_from_standard_input(folder):
    words = [sys.executable, "-m", "parcels.cli", "query", "-", "--store", str(folder / "store"), "--format", "json"]
    done = subprocess.run(words, input="SELECT count(*) AS n FROM pages", capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, '{"n":3}\n', "")


@pytest.mark.parametrize(
    "sql, code, message",
    [
        ("SELECT * FROM pagez", 2, "Tables: pages, resources"),
        ("SELEC 1", 2, "syntax error"),
        ("SELECT hots FROM pages", 2, "hots"),
        ("SELECT CAST('x' AS INTEGER)", 2, "Conversion Error"),
        ("", 2, "query is empty"),
    ],
)
def test_a_wrong_query_is_told_without_a_traceback(folder, capsys, sql, code, message):
    assert query(folder, sql) == code
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error


def test_a_query_of_no_store_says_what_to_do(tmp_path, capsys):
    assert main(["query", "SELECT 1", "--store", str(tmp_path / "none")]) == 3
    assert "No store at" in capsys.readouterr().err


def test_a_statement_without_rows_prints_no_rows(folder, capsys):
    assert query(folder, "CREATE TABLE t (n INT)", "--unsafe") == 0
    capsys.readouterr()
    assert query(folder, "SELECT 1 AS n WHERE false", "--format", "json") == 0
    assert capsys.readouterr().out == ""
    assert query(folder, "-- nothing") == 2


def test_a_damaged_file_is_named(folder, capsys):
    store = open_store(folder / "store")
    path = store.files("rejects")[0].path
    os.truncate(path, 50)
    assert query(folder, "SELECT * FROM rejects") == 3
    assert path in capsys.readouterr().err


def test_schema_prints_tables_and_columns(capsys):
    assert main(["schema"]) == 0
    assert "classified_blocks" in capsys.readouterr().out
    assert main(["schema", "pages"]) == 0
    assert "html " in capsys.readouterr().out
    assert main(["schema", "pages", "--format", "json"]) == 0
    (table,) = json.loads(capsys.readouterr().out)
    assert table["columns"][0]["name"] == "page_id"
    assert main(["schema", "pagez"]) == 2
    assert "Known: pages" in capsys.readouterr().err


def test_import_says_what_was_taken_and_what_was_not(tmp_path, capsys):
    image = warc(http(b"PNG", Content_Type="image/png"), url="http://news.example/i")
    (tmp_path / "x.warc.gz").write_bytes(gz(warc(http(b"<p>A")), warc(http(b""), url="http://news.example/e"), image))
    words = ["import", "warc", str(tmp_path / "x.warc.gz"), "--store", str(tmp_path / "store"), "--crawl", "web"]
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("imported 1 pages of 3 records into crawl 'web' (run ")
    assert lines[1:] == ["rejected 1: empty 1", "skipped 1: not HTML (image) 1"]
    assert main(words) == 0
    assert capsys.readouterr().out.startswith("imported nothing of 3 records")


def test_pages_then_labels_then_a_query(tmp_path, capsys):
    (tmp_path / "fire.html").write_text("<h1>Fire at the pier</h1>")
    leaf = {"i": 0, "kind": "text", "text": "Fire at the pier", "label": "title"}
    (tmp_path / "fire.json").write_text(json.dumps({"leaves": [leaf]}))
    where = ["--store", str(tmp_path / "store"), "--crawl", "news", "--no-progress"]
    assert main(["import", "html", str(tmp_path / "fire.html"), "--url", "http://a.example/f", *where]) == 0
    assert main(["import", "annotations", str(tmp_path / "fire.json"), "--annotator", "ann", *where]) == 0
    capsys.readouterr()
    assert (
        query(tmp_path, "SELECT url, label, annotator FROM annotations JOIN pages USING (page_id)", "--format", "csv")
        == 0
    )
    assert capsys.readouterr().out == "url,label,annotator\nhttp://a.example/f,title,ann\n"


def test_an_import_of_nothing_exits_with_3(tmp_path, capsys):
    store = ["--store", str(tmp_path / "store")]
    assert main(["import", "html", str(tmp_path / "none.html"), *store]) == 3
    assert not (tmp_path / "store").exists()
    (tmp_path / "e.html").touch()
    assert main(["import", "html", str(tmp_path / "e.html"), *store]) == 3
    assert main(["import", "annotations", str(tmp_path / "e.html"), "--store", str(tmp_path / "other")]) == 3
    assert main(["import", "html", str(tmp_path / "e.html"), "--crawl", "", *store]) == 2
    assert main(["import", "css", "x", *store]) == 2


def test_commands_of_the_store_import_nothing_heavy(folder):
    script = (
        "import sys; from parcels.cli import main; "
        f"main(['query', 'SELECT 1', '--store', {str(folder / 'store')!r}]); "
        f"main(['import', 'html', {__file__!r}, '--store', {str(folder / 'store')!r}]); main(['schema']); "
        "print(sorted({'pyspark', 'scrapy', 'nltk', 'sklearn'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
