"""A query reads its store and nothing else, whatever it is."""

import pytest
from sql_store import fill

from parcels.cli import main
from parcels.errors import ConfigError
from parcels.store import open_store

UNSAFE = [
    "COPY (SELECT 1) TO '{out}'",
    "COPY (SELECT 1) TO '{store}/x.csv'",
    "WITH a AS (COPY (SELECT 1) TO '{store}/x.csv') SELECT 1",
    "COPY (PIVOT (SELECT 1 AS a) ON a USING count(*)) TO '{store}/x.csv'",
    "EXPLAIN ANALYZE COPY (SELECT 1) TO '{store}/x.csv'",
    "EXPORT DATABASE '{out}'",
    "ATTACH '{out}' AS other",
    "ATTACH '{store}/x.db' AS other",
    "SELECT 1; COPY (SELECT 1) TO '{out}'",
    "SELECT 1; SELECT 2",
    "SELECT * FROM read_text('{secret}')",
    "SELECT * FROM read_csv('{secret}')",
    "SELECT * FROM '{secret}'",
    "SELECT * FROM glob('{folder}/*')",
    "SELECT * FROM read_text('{store}/../secret.txt')",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET enable_external_access = true",
    "PRAGMA enable_profiling",
    "CREATE TABLE t AS SELECT 1",
    "CALL pragma_version()",
    "SELECT * FROM secret_of_python",
    "PREPARE x AS SELECT 1",
    "VACUUM",
]
SAFE = [
    "SELECT 1", "FROM range(2)", "VALUES (1)", "WITH a AS (SELECT 1) SELECT * FROM a", "DESCRIBE pages", "SHOW TABLES",
    "SUMMARIZE SELECT 1", "EXPLAIN SELECT 1", "EXPLAIN ANALYZE SELECT 1", "(SELECT 1) UNION ALL (SELECT 2);",
    "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT * FROM r",
    "PIVOT labels ON label IN ('title') USING count(*) GROUP BY model", "SELECT 'COPY x TO y; \"type\":\"COPY_NODE\"'",
    "SELECT * FROM classified_blocks ORDER BY n /* ; */ -- ; COPY",
]  # fmt: skip


@pytest.fixture
def store(tmp_path):
    found = open_store(tmp_path / "store", create=True)
    fill(found)
    (tmp_path / "secret.txt").write_text("a,b\n1,2\n")
    return found


def files_of(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def filled_in(sql, store, folder):
    return sql.format(store=store.location.root, folder=folder, out=folder / "out", secret=folder / "secret.txt")


@pytest.mark.parametrize("sql", UNSAFE)
def test_what_is_unsafe_is_refused_and_does_nothing(store, tmp_path, capsys, sql):
    secret_of_python = store.read("pages")  # DuckDB finds variables of its caller, unless that is off
    assert secret_of_python.num_rows
    text, before = filled_in(sql, store, tmp_path), files_of(tmp_path)
    with pytest.raises(ConfigError):
        store.sql(text)
    assert main(["query", text, "--store", store.location.root]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "Traceback" not in printed.err
    assert files_of(tmp_path) == before


@pytest.mark.parametrize("sql", SAFE)
def test_what_only_reads_is_allowed(store, sql):
    assert len(store.sql(sql))


def test_a_store_that_a_glob_would_misread_is_as_safe(tmp_path):
    store = open_store(tmp_path / "s [1]{a,b}*", create=True)
    fill(store)
    assert len(store.table("classified_blocks")) == 2
    for sql in ("COPY (SELECT 1) TO '{store}/x.csv'", "SELECT * FROM read_text('/etc/hostname')"):
        with pytest.raises(ConfigError):
            store.sql(sql.format(store=store.location.root))


def test_unsafe_allows_it(store, tmp_path, capsys):
    words = ["--store", store.location.root, "--unsafe"]
    out = tmp_path / "out.csv"
    assert main(["query", f"COPY (SELECT label FROM labels ORDER BY n) TO '{out}'", *words]) == 0
    assert out.read_text().split() == ["label", "title", "maincontent"]
    capsys.readouterr()
    text = f"SELECT 1; SELECT a FROM read_csv('{tmp_path / 'secret.txt'}')"
    assert main(["query", text, "--format", "csv", *words]) == 0
    assert capsys.readouterr().out == "a\n1\n"


def test_the_message_says_how_to_allow_it(store, capsys):
    assert main(["query", "SELECT 1; SELECT 2", "--store", store.location.root]) == 2
    assert "got 2 statements" in (said := capsys.readouterr().err)
    assert "--unsafe" in said
    assert main(["query", "SELECT * FROM read_text('/etc/hostname')", "--store", store.location.root]) == 2
    assert "--unsafe" in capsys.readouterr().err


def test_an_error_passes_no_control_characters_of_pages_on(store, capsys):
    assert main(["query", "SELECT CAST(chr(27) || '[31m' AS INTEGER)", "--store", store.location.root]) == 2
    assert "\x1b" not in (said := capsys.readouterr().err)
    assert r"\x1b[31m" in said


@pytest.mark.spark
@pytest.mark.parametrize(
    "sql",
    [
        "INSERT OVERWRITE LOCAL DIRECTORY '{out}' USING csv SELECT 1",
        "WITH a AS (SELECT 1 AS n) INSERT INTO pages SELECT * FROM a",
        "CREATE TABLE t USING parquet LOCATION '{out}' AS SELECT 1",
        "SELECT * FROM text.`{secret}`",
        "SELECT reflect('java.lang.System', 'getProperty', 'user.home')",
        "SELECT IDENTIFIER('refl' || 'ect')('java.lang.System', 'getProperty', 'user.home')",
        "SELECT TRANSFORM (url) USING 'touch {out}' AS x FROM pages",
        "WITH a AS (SELECT TRANSFORM (url) USING 'touch {out}' AS x FROM pages) SELECT * FROM a",
        "EXECUTE IMMEDIATE 'SELECT 1'",
        "BEGIN SELECT 1; END",
        "SELECT 1; SELECT 2",
        "ADD JAR '{secret}'",
        "SET spark.sql.runSQLOnFiles = true",
        "CACHE TABLE pages",
    ],
)
def test_spark_refuses_it_as_well(store, spark, tmp_path, sql):
    from jobs.engine.spark_query import run_query

    before = files_of(tmp_path)
    with pytest.raises(ConfigError):
        run_query(spark, store, filled_in(sql, store, tmp_path)).read_all()
    assert files_of(tmp_path) == before


@pytest.mark.spark
def test_spark_reads_and_is_unsafe_when_asked(store, spark):
    from jobs.engine.spark_query import run_query

    for sql in ("SELECT 1", "SHOW TABLES", "DESCRIBE TABLE pages", "EXPLAIN SELECT 1", "FROM range(2)", "VALUES (1)"):
        assert run_query(spark, store, sql).read_all().num_rows
    call = "SELECT reflect('java.lang.Math', 'abs', -1) AS n"
    assert run_query(spark, store, call, unsafe=True).read_all().to_pylist() == [{"n": "1"}]
