"""The tables of a store as views of Spark SQL, by the same names as in DuckDB (parcels.query.sql)."""

import operator
import re
from functools import partial, reduce
from typing import Any

import pyarrow as pa

from parcels.query.schema import FETCHED_DATE, Table
from parcels.query.views import view_queries
from parcels.store import Store
from parcels.store.models import current_models
from parcels.tables import TABLES

_PATTERN = re.compile(r"[][{}*?\\]")  # what Spark would take for a pattern in the name of a folder
_NAMES = {
    "string": "string", "binary": "binary", "bool": "boolean", "int32": "int", "int64": "bigint", "float": "float",
    "date32[day]": "date", "timestamp[us, tz=UTC]": "timestamp",
}  # fmt: skip


def register_views(spark: Any, store: Store) -> None:
    """Make a temporary view of every table and of parcels.query.views; a table without files is an empty view."""
    for table in TABLES.values():
        frame(spark, store, table.name).createOrReplaceTempView(table.name)
    for name, text in view_queries(partial(current_models, store), _literal):
        spark.sql(text).createOrReplaceTempView(name)


def _literal(text: str) -> str:
    """A text in Spark's SQL.

    >>> print(_literal("C:\\\\o'x"))
    'C:\\\\o\\'x'
    """
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def frame(spark: Any, store: Store, name: str) -> Any:
    """One table as a DataFrame. The schema is given, so that a crawl named 2024 stays a string."""
    table = store.declaration(name)
    if not store.files(name):
        return spark.createDataFrame([], ddl(table))
    folder = spark_path(store, name)
    options = {"basePath": folder, "pathGlobFilter": f"{name}-v*.parquet"}
    rows = spark.read.schema(ddl(table)).options(**options).parquet(_PATTERN.sub(r"\\\g<0>", folder))
    for column in table.partitions:
        if column != FETCHED_DATE:  # undo what parcels.store.partitions does to a value before it stands in a path
            rows = rows.withColumn(column, _url_decoded(column))
    return rows


def having(**values: str) -> Any:
    """The condition that columns have these values."""
    from pyspark.sql import functions

    conditions = [functions.col(name) == functions.lit(value) for name, value in values.items()]
    return reduce(operator.and_, conditions)


def _url_decoded(column: str) -> Any:
    from pyspark.sql import functions

    return functions.url_decode(functions.col(column))


def spark_path(store: Store, name: str) -> str:
    """The folder of a table as Spark names it: Hadoop calls Amazon's protocol s3a."""
    given = store.location.uri
    if store.location.is_local:
        return f"file://{store.location.path(name)}"
    base = given.partition("?")[0].rstrip("/")
    return f"{base.replace('s3://', 's3a://', 1)}/{name}"


def address(store: Store) -> str:
    """The store as another process finds it, whatever folder that one is in."""
    return store.location.root if store.location.is_local else store.location.uri


def ddl(table: Table) -> str:
    """The columns that a reader sees, in the words of Spark SQL.

    >>> ddl(TABLES["document_frequencies"]).split(", ")[:2]
    ['`term` string', '`block_count` bigint']
    """
    return ", ".join(f"`{column.name}` {_type(column.type)}" for column in table.all_columns)


def _type(kind: pa.DataType) -> str:
    if pa.types.is_list(kind):
        return f"array<{_type(kind.value_type)}>"
    if pa.types.is_struct(kind):
        return f"struct<{', '.join(f'`{field.name}`: {_type(field.type)}' for field in kind)}>"
    return _NAMES[str(kind)]
