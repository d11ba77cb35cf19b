"""Read-only SQL: restrictions on what a query may read and do."""

import re
from typing import Any

from parcels.errors import ConfigError
from parcels.store import Store

READING = {"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"}  # of DuckDB's syntax trees
_EXPLAIN = re.compile(r"\s*EXPLAIN(\s+ANALYZE\b|\s*\([^()]*\))?", re.I)
_NODE = re.compile(r'"type":"(\w+_NODE)"')  # inside a text of the query the quotation marks are escaped
REFUSED = (
    "Only one SELECT (or WITH, FROM, VALUES, DESCRIBE, SHOW, SUMMARIZE, EXPLAIN) statement is allowed, got {got}. "
    "`parcels query --unsafe` allows other statements and other files."
)


def lock(connection: Any, store: Store) -> None:
    """Restrict a DuckDB connection to the files of the store, without extensions or changes of settings."""
    roots = [store.location.root] if store.location.is_local else []
    connection.execute("SET allowed_directories = ?", [roots])
    connection.execute(
        "SET python_enable_replacements = false; SET enable_external_access = false; SET lock_configuration = true"
    )


def check_read_only(connection: Any, text: str) -> None:
    """Raise ConfigError unless a text is one statement that only reads.

    The type of the statement is not enough: DuckDB allows `WITH a AS (COPY … TO 'file') SELECT 1`. So the whole syntax
    tree is searched for nodes that are not queries.
    """
    statements = connection.extract_statements(text)
    kinds = [statement.type.name for statement in statements]
    if not kinds:
        raise ConfigError("The query is empty.")
    if len(kinds) > 1:
        raise ConfigError(REFUSED.format(got=f"{len(kinds)} statements"))
    query = statements[0].query
    if kinds == ["EXPLAIN"] and (explain := _EXPLAIN.match(query)):
        query = query[explain.end() :]
    ((tree,),) = connection.execute("SELECT json_serialize_sql(CAST(? AS VARCHAR))", [query]).fetchall()
    if not tree.startswith('{"error":false'):
        raise ConfigError(REFUSED.format(got=_in_words(kinds[0])))
    for kind in _NODE.findall(tree):
        if kind not in READING:
            raise ConfigError(REFUSED.format(got=f"{kind.partition('_')[0]} inside it"))


def _in_words(kind: str) -> str:
    """Return the kind of a statement for a message.

    >>> _in_words("MERGE_INTO"), _in_words("MULTI")
    ('MERGE INTO', 'PIVOT without a list of values (write ON column IN (…))')
    """
    return "PIVOT without a list of values (write ON column IN (…))" if kind == "MULTI" else kind.replace("_", " ")
