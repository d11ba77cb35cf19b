"""SQL over a store with Spark: read-only by default, with rows as Arrow batches."""

import datetime as dt
import logging
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pyarrow as pa

from jobs.engine.spark_tables import register_views
from parcels.errors import ConfigError
from parcels.query.guard import REFUSED
from parcels.query.views import VIEWS
from parcels.store import Store
from parcels.tables import TABLES

BATCH_ROWS = 1024
READ_ONLY_COMMANDS = {
    "ExplainCommand", "DescribeRelation", "DescribeQueryCommand", "ShowTables", "ShowColumns", "ShowFunctions",
}  # fmt: skip
CALLS_JAVA = ("reflect", "java_method", "try_reflect")  # functions that run any method of the JVM
_LOGICAL = "org.apache.spark.sql.catalyst.plans.logical"


def run_query(spark: Any, store: Store, text: str, *, unsafe: bool = False) -> pa.RecordBatchReader:
    """Run a query and return its rows, which come to this machine one partition at a time.

    Unless it is `unsafe`, the query runs in its own session, which does not read files by path, call Java or start
    programs, and refuses statements that change anything.
    """
    from pyspark.errors import PySparkException

    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL)  # it also logs errors that are raised
    try:
        session = spark if unsafe else _read_only(spark)
        register_views(session, store)
        if not unsafe:
            _check_statement(session, text)
        result = session.sql(text)
        if (
            not unsafe
            and f'"class":"{_LOGICAL}.ScriptTransformation"' in result._jdf.queryExecution().analyzed().toJSON()
        ):
            raise ConfigError(REFUSED.format(got="TRANSFORM … USING"))
    except PySparkException as error:
        message = str(error).partition("\n\nJVM stacktrace")[0].partition("; line")[0]
        raise ConfigError(
            f"{message}\nTables: {', '.join([*TABLES, *VIEWS])}; see `parcels schema TABLE` for columns."
        ) from error
    schema = _schema(result)
    return pa.RecordBatchReader.from_batches(schema, _batches(schema, result.toLocalIterator()))


def _read_only(spark: Any) -> Any:
    session = spark.newSession()
    session.conf.set("spark.sql.runSQLOnFiles", "false")
    registry = session._jsparkSession.sessionState().functionRegistry()
    named, some = spark._jvm.org.apache.spark.sql.catalyst.FunctionIdentifier, spark._jvm.scala.Option.apply
    for name in CALLS_JAVA:
        if not (
            registry.dropFunction(named(name, some("builtin"), some("system"))) or registry.dropFunction(named(name))
        ):
            raise ConfigError(f"this version of Spark cannot disable {name}(): use parcels query --unsafe")
    return session


def _check_statement(session: Any, text: str) -> None:
    """Raise ConfigError for a statement that changes something, before any of it has run."""
    is_kind = [
        session._jvm.java.lang.Class.forName(f"{_LOGICAL}.{name}")
        for name in ("Command", "ParsedStatement", "InsertIntoDir")
    ]
    waiting = [session._jsparkSession.sessionState().sqlParser().parsePlan(text)]
    while waiting:
        node = waiting.pop()
        name = str(node.getClass().getSimpleName()).rstrip("$")
        changes = any(kind.isInstance(node) for kind in is_kind) or "ExecuteImmediate" in name
        if changes and name not in READ_ONLY_COMMANDS:
            raise ConfigError(REFUSED.format(got=name))
        children = node.children().iterator()
        while children.hasNext():
            waiting.append(children.next())


def _schema(result: Any) -> pa.Schema:
    """Return the columns in Arrow's types. Times are UTC without a time zone, as in the results of DuckDB."""
    from pyspark.sql.pandas.types import to_arrow_schema

    return pa.schema(
        [pa.field(field.name, _zoneless(field.type)) for field in to_arrow_schema(result.schema, timezone="UTC")]
    )


def _zoneless(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_timestamp(kind):
        return pa.timestamp("us")
    if pa.types.is_list(kind):
        return pa.list_(_zoneless(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([pa.field(field.name, _zoneless(field.type)) for field in kind])
    return kind


def _batches(schema: pa.Schema, rows: Iterator[Any]) -> Iterator[pa.RecordBatch]:
    while chunk := list(islice(rows, BATCH_ROWS)):
        arrays = [
            pa.array([_plain(row[number]) for row in chunk], field.type) for number, field in enumerate(schema)
        ]  # fmt: skip
        yield pa.RecordBatch.from_arrays(arrays, schema=schema)


def _plain(value: Any) -> Any:
    """Return nested rows as dictionaries, bytes as bytes and times in UTC: Spark returns local times."""
    if hasattr(value, "asDict"):
        return {name: _plain(part) for name, part in value.asDict().items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).replace(tzinfo=None)
    return bytes(value) if isinstance(value, bytearray) else value
