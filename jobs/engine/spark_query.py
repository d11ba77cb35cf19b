"""SQL over a store with Spark: read-only unless asked otherwise, rows as Arrow batches."""

import datetime as dt
import logging
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pyarrow as pa

from jobs.engine.views import register_views
from parcels.errors import ConfigError
from parcels.query.guard import REFUSED
from parcels.query.views import VIEWS
from parcels.store import Store
from parcels.tables import TABLES

BATCH_ROWS = 1024
LOOKING = {"ExplainCommand", "DescribeRelation", "DescribeQueryCommand", "ShowTables", "ShowColumns", "ShowFunctions"}
CALLS_JAVA = ("reflect", "java_method", "try_reflect")  # functions that run any method of the JVM
_LOGICAL = "org.apache.spark.sql.catalyst.plans.logical"


def ask(spark: Any, store: Store, text: str, *, unsafe: bool = False) -> pa.RecordBatchReader:
    """Return what a query finds; rows come to this machine one partition at a time.

    Without `unsafe` it runs in a session of its own that reads no files by their paths, calls no Java, starts no
    programs and takes no statement that changes anything.
    """
    from pyspark.errors import PySparkException

    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL)  # it logs what is raised as well
    try:
        session = spark if unsafe else _read_only(spark)
        register_views(session, store)
        if not unsafe:
            _check_statement(session, text)
        found = session.sql(text)
        if (
            not unsafe
            and f'"class":"{_LOGICAL}.ScriptTransformation"' in found._jdf.queryExecution().analyzed().toJSON()
        ):
            raise ConfigError(REFUSED.format(got="TRANSFORM … USING"))
    except PySparkException as error:
        message = str(error).partition("\n\nJVM stacktrace")[0].partition("; line")[0]
        raise ConfigError(
            f"{message}\nTables: {', '.join([*TABLES, *VIEWS])}; see `parcels schema TABLE` for columns."
        ) from error
    schema = _schema(found)
    return pa.RecordBatchReader.from_batches(schema, _batches(schema, found.toLocalIterator()))


def _read_only(spark: Any) -> Any:
    session = spark.newSession()
    session.conf.set("spark.sql.runSQLOnFiles", "false")
    registry = session._jsparkSession.sessionState().functionRegistry()
    named, some = spark._jvm.org.apache.spark.sql.catalyst.FunctionIdentifier, spark._jvm.scala.Option.apply
    for name in CALLS_JAVA:
        if not (
            registry.dropFunction(named(name, some("builtin"), some("system"))) or registry.dropFunction(named(name))
        ):
            raise ConfigError(f"this version of Spark cannot be kept from {name}(): parcels query --unsafe")
    return session


def _check_statement(session: Any, text: str) -> None:
    """Raise ConfigError for a statement that does something; nothing of it has run yet."""
    is_kind = [
        session._jvm.java.lang.Class.forName(f"{_LOGICAL}.{name}")
        for name in ("Command", "ParsedStatement", "InsertIntoDir")
    ]
    waiting = [session._jsparkSession.sessionState().sqlParser().parsePlan(text)]
    while waiting:
        node = waiting.pop()
        name = str(node.getClass().getSimpleName()).rstrip("$")
        does = any(kind.isInstance(node) for kind in is_kind) or "ExecuteImmediate" in name
        if does and name not in LOOKING:
            raise ConfigError(REFUSED.format(got=name))
        children = node.children().iterator()
        while children.hasNext():
            waiting.append(children.next())


def _schema(found: Any) -> pa.Schema:
    """The columns in Arrow's types; times are UTC without saying so, as in DuckDB's answers."""
    from pyspark.sql.pandas.types import to_arrow_schema

    return pa.schema(
        [pa.field(field.name, _zoneless(field.type)) for field in to_arrow_schema(found.schema, timezone="UTC")]
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
    """Rows inside rows as dictionaries, bytes as bytes, times in UTC: Spark gives them in this machine's zone."""
    if hasattr(value, "asDict"):
        return {name: _plain(part) for name, part in value.asDict().items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).replace(tzinfo=None)
    return bytes(value) if isinstance(value, bytearray) else value
