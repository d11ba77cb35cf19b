"""Partition values in paths, hive style (`crawl=news/fetched_date=2024-05-01`), so that every reader finds them again.

A value passes two steps. The token holds everything outside ASCII, and `%` and `+`, as %XX of UTF-8; the path escapes
what means something in a path. Spark, DuckDB and pyarrow undo the second step alike. They differ on the first (Spark
takes %XX for one character; a JVM without a UTF-8 locale even leaves folders with other names out without a word), so
the views and the store undo it themselves. Names of ASCII letters, digits, `.`, `_` and `-` stay as they are.
"""

import datetime as dt
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote

from parcels.errors import ConfigError
from parcels.query.schema import FETCHED_DATE, Table

_ASCII = "".join(chr(code) for code in range(128) if chr(code) not in "%+")
_IN_PATH = "-._~,@"
MAX_BYTES = 255  # of a name in a folder, on Linux and macOS
HIVE_NULL = "__HIVE_DEFAULT_PARTITION__"


def segment(name: str, value: str) -> str:
    """One level of a path.

    >>> segment("crawl", "news/2024"), segment("crawl", "é"), segment("crawl", "100%")
    ('crawl=news%2F2024', 'crawl=%25C3%25A9', 'crawl=100%2525')
    """
    if not value or value == HIVE_NULL:
        raise ConfigError(f"{name} must have a name, not '{value}'")
    try:
        path = quote(quote(value, safe=_ASCII), safe=_IN_PATH)
    except UnicodeEncodeError as error:
        raise ConfigError(f"{name} {value!r} holds half of a character; use another name") from error
    if len(name) + 1 + len(path) > MAX_BYTES:
        raise ConfigError(f"{name} '{value[:40]}...' is too long for a folder; use a shorter name")
    return f"{name}={path}"


def value_of(text: str) -> str:
    """The value that `segment` put into a path.

    >>> [value_of(segment("crawl", name).partition("=")[2]) for name in ("a b=c", "日本", "%41+", "2024")]
    ['a b=c', '日本', '%41+', '2024']
    """
    return unquote(unquote(text))


def folder(table: Table, values: Mapping[str, Any]) -> str:
    """The path of a partition below its table's folder."""
    return "/".join(segment(name, str(values[name])) for name in table.partitions)


def values_in(table: Table, path: str) -> dict[str, str | dt.date] | None:
    """The partition values of a file's path below its table's folder; None where it is no such path."""
    levels = path.split("/")[:-1]
    if len(levels) != len(table.partitions):
        return None
    values: dict[str, str | dt.date] = {}
    for name, level in zip(table.partitions, levels, strict=True):
        key, _, text = level.partition("=")
        if key != name or not text:
            return None
        try:
            values[name] = dt.date.fromisoformat(text) if name == FETCHED_DATE else value_of(text)
        except ValueError:
            return None
    return values
