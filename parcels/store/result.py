"""The result of a query: an Arrow table that pandas, polars and DuckDB can read."""

import importlib
from typing import Any

import pyarrow as pa

from parcels.errors import ConfigError


class Result:
    """Rows in memory. Libraries with the Arrow C stream interface read them without a copy."""

    def __init__(self, table: pa.Table):
        self._table = table

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def __repr__(self) -> str:
        return f"Result({len(self):,} rows: {', '.join(self.column_names)})"

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the rows as a stream that any Arrow library reads."""
        return self._table.__arrow_c_stream__(requested_schema)

    @property
    def column_names(self) -> list[str]:
        """Return the names of the columns."""
        return list(self._table.column_names)

    def to_arrow(self) -> pa.Table:
        """Return the rows as a pyarrow table."""
        return self._table

    def to_pylist(self) -> list[dict[str, Any]]:
        """Return one dictionary per row."""
        return list(self._table.to_pylist())

    def to_pandas(self, **options: Any) -> Any:
        """Return a pandas DataFrame; takes the options of pyarrow.Table.to_pandas."""
        _imported("pandas")
        return self._table.to_pandas(**options)

    def to_polars(self) -> Any:
        """Return a polars DataFrame."""
        return _imported("polars").from_arrow(self._table)


def _imported(name: str) -> Any:
    """Import a library that only some users install."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise ConfigError(f"This method needs {name}: pip install {name}") from error
