"""Table declarations: columns with types and meanings, a key, partitions."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import pyarrow as pa

# Partition columns live only in the path of a file (hive style), never in the file.
CRAWL, FETCHED_DATE, MODEL = "crawl", "fetched_date", "model"
PARTITION_TYPES: dict[str, pa.DataType] = {CRAWL: pa.string(), FETCHED_DATE: pa.date32(), MODEL: pa.string()}
PARTITION_DOCS = {
    CRAWL: "Name of the crawl or import.",
    FETCHED_DATE: "UTC date of fetched_at; of the import where the fetch time is unknown.",
    MODEL: "Name and version of the model.",
}


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    `is_heavy` marks long values (pages, texts), which get neither a dictionary nor statistics.
    """

    name: str
    type: pa.DataType
    doc: str
    nullable: bool = False
    is_heavy: bool = False

    @property
    def type_name(self) -> str:
        """Return the type as the documentation writes it.

        >>> Column("box", pa.struct({"x_px": pa.float32()}), "").type_name
        'struct<x_px: float>'
        """
        name = str(self.type).replace("list<item: ", "list<").replace("date32[day]", "date")
        return name.replace("timestamp[us, tz=UTC]", "timestamp (UTC)")


@dataclass(frozen=True)
class Table:
    """One table: a folder of Parquet files with the same columns.

    `version` counts changes of the columns and is part of every file's name and metadata. Adding a nullable column is a
    new version, which still reads the old files; any other change needs a new table.
    """

    name: str
    key: tuple[str, ...]
    partitions: tuple[str, ...]
    written_by: tuple[str, ...]
    doc: str
    columns: tuple[Column, ...]
    version: int = 1

    def __post_init__(self) -> None:
        names = [column.name for column in self.columns]
        assert len(set(names)) == len(names), f"{self.name}: a column is declared twice"
        assert set(self.key) <= {*names, *self.partitions}, f"{self.name}: the key names an unknown column"
        assert not set(names) & set(self.partitions), f"{self.name}: a partition column is declared as a column"

    @cached_property
    def by_name(self) -> dict[str, Column]:
        """Return the columns of a file by name."""
        return {column.name: column for column in self.columns}

    @property
    def partition_columns(self) -> tuple[Column, ...]:
        """Return the columns in the path."""
        return tuple(Column(name, PARTITION_TYPES[name], PARTITION_DOCS[name]) for name in self.partitions)

    @property
    def all_columns(self) -> tuple[Column, ...]:
        """Return all columns that a reader sees: those of the file, then those of the path."""
        return (*self.columns, *self.partition_columns)

    def arrow_schema(self, *, with_partitions: bool = False) -> pa.Schema:
        """Return the schema of a file, or with partitions the schema that a reader sees."""
        columns = self.all_columns if with_partitions else self.columns
        return pa.schema([pa.field(column.name, column.type, column.nullable) for column in columns])

    def plain_columns(self) -> Iterator[Column]:
        """Return the columns that get a dictionary and statistics."""
        return (column for column in self.columns if not column.is_heavy and not pa.types.is_nested(column.type))
