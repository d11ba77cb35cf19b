"""Views of a store with their columns, in SQL that both DuckDB and Spark read.

Tables hold the rows of all models. Views named `current_…`, and views built on them, show one model per crawl
(parcels.store.models).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from parcels.query.schema import MODEL, Column
from parcels.tables import TABLES

IS_CURRENT = "{is_current}"  # placeholder for the condition that a row is by the current model of its crawl


@dataclass(frozen=True, slots=True)
class View:
    """A named query; `models_of` is the table whose current model it shows."""

    name: str
    doc: str
    text: str
    columns: tuple[Column, ...]
    models_of: str | None = None

    def sql(self, is_current: str) -> str:
        """Return the query with the condition for the current model filled in."""
        return self.text.replace(IS_CURRENT, is_current)


def _view(name: str, doc: str, wanted: str, source: str, *, models_of: str | None = None) -> View:
    """Return a view of `table.column …`, each column as its table declares it."""
    pairs = [one.split(".") for one in wanted.split()]
    columns = tuple(next(one for one in TABLES[table].all_columns if one.name == column) for table, column in pairs)
    return View(name, doc, f"SELECT {_folded(wanted.split())}\n{source.strip()}\n", columns, models_of)


def _folded(names: list[str], width: int = 110) -> str:
    """Return names separated by commas, wrapped into lines."""
    lines = [""]
    for name in names:
        if len(lines[-1]) + len(name) > width:
            lines.append("       ")
        lines[-1] += f"{name}, "
    return "\n".join(line.rstrip() for line in lines).rstrip(",")


def _current(table: str) -> View:
    doc = f"Rows of {table} by the current model of each crawl (`parcels models`)."
    return View(
        f"current_{table}", doc, f"SELECT * FROM {table} WHERE {IS_CURRENT}\n", TABLES[table].all_columns, table
    )


def _articles_columns() -> str:
    """Return the columns of articles, with the page's address and host after the id."""
    names = [f"articles.{column.name}" for column in TABLES["articles"].all_columns]
    return " ".join([names[0], "pages.url", "pages.host", "pages.name", "pages.fetched_at", *names[1:]])


_BLOCKS = (
    "labels.block_id labels.page_id labels.n pages.url pages.host pages.fetched_at labels.label labels.confidence "
    "labels.importance blocks.area blocks.text labels.model labels.crawl"
)
_OF_BLOCKS = """
FROM {labels}
JOIN blocks ON blocks.block_id = labels.block_id AND blocks.crawl = labels.crawl
JOIN pages ON pages.page_id = labels.page_id AND pages.crawl = labels.crawl
"""
_OF_ARTICLES = """
FROM current_articles AS articles
JOIN pages ON pages.page_id = articles.page_id AND pages.crawl = articles.crawl
"""

# In order of creation: a view may use the views before it.
VIEWS: dict[str, View] = {
    view.name: view
    for view in (
        *(_current(name) for name, table in TABLES.items() if MODEL in table.partitions),
        _view(
            "classified_blocks",
            "Blocks with the label of the current model, their text, address, host and area: one row per block.",
            _BLOCKS, _OF_BLOCKS.format(labels="current_labels AS labels"), models_of="labels",
        ),
        _view(
            "all_classified_blocks",
            "Like classified_blocks, with the labels of all models: one row per block and model.",
            _BLOCKS, _OF_BLOCKS.format(labels="labels"),
        ),
        _view(
            "articles_with_pages",
            "Articles by the current model with the address, host and fetch time of their page: one row per page.",
            _articles_columns(), _OF_ARTICLES, models_of="articles",
        ),
    )
}  # fmt: skip


def view_queries(
    current: Callable[[str], Mapping[str, str]], quoted: Callable[[str], str]
) -> Iterator[tuple[str, str]]:
    """Yield the name and query of every view; `current` returns the current model of each crawl of a table."""
    for view in VIEWS.values():
        needs = view.models_of if IS_CURRENT in view.text else None
        yield view.name, view.sql(is_current(current(needs), quoted)) if needs else view.text


def is_current(models: Mapping[str, str], quoted: Callable[[str], str]) -> str:
    """Return the condition that a row is by the current model of its crawl.

    >>> is_current({"a": "news@1", "b": "news@1", "c": "x"}, repr)
    "(model = 'news@1' AND crawl IN ('a', 'b')) OR (model = 'x' AND crawl IN ('c'))"
    >>> is_current({}, repr)
    'false'
    """
    crawls: dict[str, list[str]] = {}
    for crawl, model in models.items():
        crawls.setdefault(model, []).append(quoted(crawl))
    return (
        " OR ".join(f"(model = {quoted(model)} AND crawl IN ({', '.join(own)}))" for model, own in crawls.items())
        or "false"
    )
