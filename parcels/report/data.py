"""Queries of the report against a store, for one crawl or all."""

from collections.abc import Sequence
from typing import Any

from parcels.annotate.predictions import StoredLabels
from parcels.labels import label_set
from parcels.query.sql import connect, explain
from parcels.store import Store


class Data:
    """A store queried in SQL."""

    def __init__(self, store: Store, *, crawl: str | None = None, model: str | None = None):
        self.store, self.crawl = store, crawl
        self.model = StoredLabels(store, crawl=crawl, model=model).model
        self.colours = {label.name: label.colour for label in label_set().labels}
        self._connection = connect(store)

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        import duckdb

        try:
            fetched: list[tuple[Any, ...]] = self._connection.execute(sql, list(values)).fetchall()
            return fetched
        except duckdb.Error as error:
            raise explain(error, self.store) from error

    def of_crawl(self, sql: str, table: str = "") -> list[tuple[Any, ...]]:
        """Return the rows of a query whose {where} is replaced by the condition on the crawl."""
        where, values = self.where(table)
        return self.rows(sql.format(where=where), values)

    def where(self, table: str = "") -> tuple[str, list[Any]]:
        """Return the condition on the crawl and its values."""
        column = f"{table}.crawl" if table else "crawl"
        return ("", []) if self.crawl is None else (f"AND {column} = ?", [self.crawl])

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
