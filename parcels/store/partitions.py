"""Partition values in paths, hive style (`crawl=news/fetched_date=2024-05-01`).

A value is encoded in two steps: everything outside ASCII, and `%` and `+`, becomes %XX of UTF-8; then characters with
a meaning in paths are escaped. Spark, DuckDB and pyarrow undo the second step alike. They differ on the first (Spark
reads %XX as one character, and a JVM without a UTF-8 locale silently skips folders with other names), so the views
and the store undo it themselves. Names of ASCII letters, digits, `.`, `_` and `-` stay unchanged.
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
    """Return one level of a path.

    >>> segment("crawl", "news/2024"), segment("crawl", "é"), segment("crawl", "100%")
    ('crawl=news%2F2024', 'crawl=%25C3%25A9', 'crawl=100%2525')
    """
    if not value or value == HIVE_NULL:
        raise ConfigError(f"Invalid {name} '{value}': it must not be empty or {HIVE_NULL}.")
    try:
        path = quote(quote(value, safe=_ASCII), safe=_IN_PATH)
    except UnicodeEncodeError as error:
        raise ConfigError(f"Invalid {name} {value!r}: it is not valid Unicode. Use another name.") from error
    if len(name) + 1 + len(path) > MAX_BYTES:
        raise ConfigError(f"Invalid {name} '{value[:40]}…': it is too long for a folder name. Use a shorter name.")
    return f"{name}={path}"


def value_of(text: str) -> str:
    """Return the value that `segment` encoded.

    >>> [value_of(segment("crawl", name).partition("=")[2]) for name in ("a b=c", "日本", "%41+", "2024")]
    ['a b=c', '日本', '%41+', '2024']
    """
    return unquote(unquote(text))


def folder(table: Table, values: Mapping[str, Any]) -> str:
    """Return the path of a partition below its table's folder."""
    return "/".join(segment(name, str(values[name])) for name in table.partitions)


def values_in(table: Table, path: str) -> dict[str, str | dt.date] | None:
    """Return the partition values of a file's path below its table's folder; None for another path."""
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
