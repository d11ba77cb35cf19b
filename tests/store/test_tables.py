import re
from pathlib import Path

import pyarrow as pa
import pytest

from parcels.cli.commands.schema import markdown
from parcels.query.schema import Column, Table
from parcels.query.views import VIEWS
from parcels.store import open_store
from parcels.tables import TABLES

DESIGNED = [
    "pages", "resources", "links", "blocks", "features", "document_frequencies", "site_blocks",
    "near_duplicates", "annotations", "rounds", "labels", "articles", "segments", "page_types", "topics", "rejects",
    "runs",
]  # fmt: skip
PREDICTIONS = ("labels", "articles", "segments", "page_types", "topics")
RULES = {
    r".*_at": lambda kind: kind == pa.timestamp("us", "UTC"),
    r".*_id": lambda kind: kind == pa.string(),
    r".*_px": pa.types.is_floating,
    r"(.*_)?count": pa.types.is_integer,
    r"is_.*": pa.types.is_boolean,
}


def fields(table: Table) -> list[tuple[str, pa.DataType]]:
    """Every column and every field inside a column."""
    found = []
    queue = [(column.name, column.type) for column in table.columns]
    while queue:
        name, kind = queue.pop()
        found.append((name, kind))
        if pa.types.is_list(kind):
            queue.append(("", kind.value_type))
        if pa.types.is_struct(kind):
            queue += [(field.name, field.type) for field in kind]
    return found


def test_every_table_of_the_design_is_declared():
    assert list(TABLES) == DESIGNED


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_names_say_what_types_are(table):
    for name, kind in fields(table):
        for pattern, is_right in RULES.items():
            if re.fullmatch(pattern, name):
                assert is_right(kind), f"{table.name}.{name} is {kind}"


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_types_are_those_that_spark_knows(table):
    for name, kind in fields(table):
        is_known = not pa.types.is_unsigned_integer(kind) and not pa.types.is_map(kind)
        assert is_known, f"{table.name}.{name} is {kind}"


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_partition_columns_live_only_in_the_path(table):
    assert not set(table.arrow_schema().names) & set(table.partitions)
    assert table.arrow_schema(with_partitions=True).names[-len(table.partitions) :] == list(table.partitions)


def test_pages_are_filed_by_date_and_predictions_by_model():
    for table in TABLES.values():
        expected = ("crawl",)
        if table.name in ("pages", "links", "resources"):
            expected = ("crawl", "fetched_date")
        elif table.name in PREDICTIONS:
            expected = ("crawl", "model")
        assert table.partitions == expected


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_every_column_says_what_it_means_and_keys_are_never_null(table):
    assert all(column.doc for column in table.all_columns)
    assert not any(column.nullable for column in table.all_columns if column.name in table.key)


def test_a_column_that_is_declared_twice_is_an_error():
    column = Column("url", pa.string(), "Address.")
    with pytest.raises(AssertionError, match="twice"):
        Table("pages", ("url",), ("crawl",), ("import",), "Pages.", (column, column))


def test_the_schema_document_is_current():
    text = (Path(__file__).parents[2] / "docs" / "schema.md").read_text()
    assert text == markdown(TABLES.values()), "run: parcels schema --format markdown > docs/schema.md"
    assert all(f"## {name}" in text for name in (*TABLES, *VIEWS))


def test_a_store_with_files_of_a_table_that_is_no_longer_declared_opens(tmp_path):
    store = open_store(tmp_path / "store", create=True)
    gone = tmp_path / "store" / "link_features" / "crawl=c"
    gone.mkdir(parents=True)
    (gone / "link_features-v1-0-0000.parquet").write_bytes(b"PAR1")
    assert len(open_store(tmp_path / "store").sql("SELECT url FROM pages")) == 0
    assert store.files("pages") == []
