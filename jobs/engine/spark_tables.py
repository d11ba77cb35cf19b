"""The tables of a store in Spark: DataFrames, and views with the names that they have in DuckDB (parcels.query.sql)."""

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

_PATTERN = re.compile(r"[][{}*?\\]")  # characters of a folder's name that Spark would read as a pattern
_NAMES = {
    "string": "string", "binary": "binary", "bool": "boolean", "int32": "int", "int64": "bigint", "float": "float",
    "date32[day]": "date", "timestamp[us, tz=UTC]": "timestamp",
}  # fmt: skip


def register_views(spark: Any, store: Store) -> None:
    """Make a temporary view of every table and of parcels.query.views. A table without files is an empty view."""
    for table in TABLES.values():
        frame(spark, store, table.name).createOrReplaceTempView(table.name)
    for name, text in view_queries(partial(current_models, store), _literal):
        spark.sql(text).createOrReplaceTempView(name)


def _literal(text: str) -> str:
    """Return a text as a literal of Spark SQL.

    >>> print(_literal("C:\\\\o'x"))
    'C:\\\\o\\'x'
    """
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def frame(spark: Any, store: Store, name: str) -> Any:
    """Return a table as a DataFrame. Its schema is stated, so that a crawl named 2024 stays a string."""
    table = store.declaration(name)
    if not store.files(name):
        return spark.createDataFrame([], ddl(table))
    folder = spark_path(store, name)
    options = {"basePath": folder, "pathGlobFilter": f"{name}-v*.parquet"}
    rows = spark.read.schema(ddl(table)).options(**options).parquet(_PATTERN.sub(r"\\\g<0>", folder))
    for column in table.partitions:
        if column != FETCHED_DATE:  # undo the quoting of parcels.store.partitions
            rows = rows.withColumn(column, _url_decoded(column))
    return rows


def having(**values: str) -> Any:
    """Return the condition that columns have these values."""
    from pyspark.sql import functions

    conditions = [functions.col(name) == functions.lit(value) for name, value in values.items()]
    return reduce(operator.and_, conditions)


def _url_decoded(column: str) -> Any:
    from pyspark.sql import functions

    return functions.url_decode(functions.col(column))


def spark_path(store: Store, name: str) -> str:
    """Return the folder of a table as a URI for Spark: Hadoop calls Amazon's protocol s3a."""
    uri = store.location.uri
    if store.location.is_local:
        return f"file://{store.location.path(name)}"
    base = uri.partition("?")[0].rstrip("/")
    return f"{base.replace('s3://', 's3a://', 1)}/{name}"


def absolute_uri(store: Store) -> str:
    """Return an address by which a process in any folder can open the store."""
    return store.location.root if store.location.is_local else store.location.uri


def ddl(table: Table) -> str:
    """Return the columns of a table and its partitions as DDL of Spark SQL.

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
