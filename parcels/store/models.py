"""The models whose rows a store holds, and the current model of each table and crawl.

Rows of a new model are added next to those of other models, so a table may hold several rows for one block or page.
The current model is the chosen one (`parcels models use`). A name without a hash means the model of that name that
wrote last, so a retrained model stays chosen. Where no model was chosen, or the chosen one has no rows in a crawl,
the current model is the one that wrote last.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import pyarrow.parquet as pq

from parcels.common.suggestions import did_you_mean
from parcels.errors import ConfigError
from parcels.query.schema import CRAWL, MODEL
from parcels.store.errors import DamagedFile
from parcels.store.store import Store, TableFile
from parcels.tables import TABLES

CHOICES = "current-models.json"  # in the store: the chosen model of each table
MODEL_TABLES = tuple(name for name, table in TABLES.items() if MODEL in table.partitions)


@dataclass(frozen=True, slots=True)
class StoredModel:
    """A model with rows in one table and crawl."""

    table: str
    crawl: str
    model: str
    rows: int
    run_id: str  # of the last run that wrote some of them
    is_chosen: bool
    is_current: bool


def chosen_models(store: Store) -> dict[str, str]:
    """Return the chosen model of each table that has one: its name, with or without the hash."""
    if not store.location.is_file(CHOICES):
        return {}
    try:
        choices = json.loads(store.location.read(CHOICES))
        return {table: str(model) for table, model in choices.items() if table in MODEL_TABLES}
    except (ValueError, AttributeError) as error:
        raise DamagedFile(
            f"{store.location.path(CHOICES)} is damaged ({error}). Delete it and choose again: parcels models use NAME"
        ) from error


def use_model(store: Store, name: str) -> dict[str, str]:
    """Make a model the current one of every table in which it has rows; return its full name by table."""
    by_table = {}
    known: list[str] = []
    for table in MODEL_TABLES:
        models = models_of(store, table)
        known += models
        if same := [model for model in models if is_named(model, name)]:
            by_table[table] = same[-1]
    if not by_table:
        listed = ", ".join(dict.fromkeys(known)) or "none"
        hint = did_you_mean(name, [*known, *(model.partition("@")[0] for model in known)])
        raise ConfigError(
            f"No table of {store.location.uri} has rows by a model '{name}'.{hint} Models with rows: {listed}. "
            "To write labels by another model: parcels run classify --model NAME"
        )
    choices = chosen_models(store) | dict.fromkeys(by_table, name)
    store.location.put(CHOICES, json.dumps(choices, indent=2, sort_keys=True).encode() + b"\n")
    return by_table


def is_named(model: str, name: str) -> bool:
    """Return whether a stored model has this name, with or without its hash.

    >>> is_named("news@1a2b", "news"), is_named("news@1a2b", "news@1a2b"), is_named("news@1a2b", "new")
    (True, True, False)
    """
    return name in (model, model.partition("@")[0])


def models_of(store: Store, table: str, *, crawl: str | None = None) -> list[str]:
    """Return the models with rows in a table, in the order of their last run."""
    return _in_order(store, store.files(table, crawl=crawl))


def current_model(store: Store, table: str, *, crawl: str | None = None) -> str | None:
    """Return the current model of a table (or of one crawl of it); None where there are no rows."""
    return _current(models_of(store, table, crawl=crawl), chosen_models(store).get(table))


def current_models(store: Store, table: str) -> dict[str, str]:
    """Return the current model of each crawl that has rows in a table."""
    chosen = chosen_models(store).get(table)
    by_crawl = _grouped(store.files(table), CRAWL)
    models = {crawl: _current(_in_order(store, files, chosen), chosen) for crawl, files in by_crawl.items()}
    return {crawl: model for crawl, model in models.items() if model is not None}


def undecided(store: Store, table: str) -> dict[str, list[str]]:
    """Return the models of each crawl that has rows by several models, none of them chosen."""
    chosen = chosen_models(store).get(table)
    by_crawl = {crawl: _grouped(files, MODEL) for crawl, files in _grouped(store.files(table), CRAWL).items()}
    return {
        crawl: sorted(models)
        for crawl, models in by_crawl.items()
        if len(models) > 1 and not _chosen_of(models, chosen)
    }


def stored_models(store: Store) -> Iterator[StoredModel]:
    """Yield every model of every table and crawl with its number of rows, read from file footers."""
    chosen = chosen_models(store)
    for table in MODEL_TABLES:
        for crawl, files in _grouped(store.files(table), CRAWL).items():
            by_model = {model: _footers(store, own) for model, own in _grouped(files, MODEL).items()}
            order = sorted(by_model, key=lambda model: (by_model[model][1], model))
            current = _current(order, chosen.get(table))
            for model in order:
                rows, run_id = by_model[model]
                is_chosen = model == current and bool(_chosen_of([model], chosen.get(table)))
                yield StoredModel(table, crawl, model, rows, run_id, is_chosen, model == current)


def _chosen_of(models: Iterable[str], chosen: str | None) -> list[str]:
    return [] if chosen is None else [model for model in models if is_named(model, chosen)]


def _current(models: list[str], chosen: str | None) -> str | None:
    candidates = _chosen_of(models, chosen) or models
    return candidates[-1] if candidates else None


def _grouped(files: Iterable[TableFile], column: str) -> dict[str, list[TableFile]]:
    groups: dict[str, list[TableFile]] = {}
    for file in files:
        groups.setdefault(str(file.partition[column]), []).append(file)
    return groups


def _in_order(store: Store, files: Iterable[TableFile], chosen: str | None = None) -> list[str]:
    """Return the models of files in the order of their last run; files are opened only to compare several models."""
    by_model: Mapping[str, list[TableFile]] = _grouped(files, MODEL)
    if len(by_model) < 2 or len(_chosen_of(by_model, chosen)) == 1:
        return list(by_model)
    return sorted(by_model, key=lambda model: (_footers(store, by_model[model])[1], model))


def _footers(store: Store, files: Iterable[TableFile]) -> tuple[int, str]:
    """Return the rows of files and the greatest run id in them; file names do not suffice, since `compact` renames."""
    rows, last = 0, ""
    for file in files:
        try:
            with store.location.filesystem.open_input_file(file.path) as stream:
                footer = pq.read_metadata(stream)
        except (OSError, ValueError) as error:
            raise DamagedFile(
                f"{file.path} is damaged or incomplete ({error}). Restore it, or move it away."
            ) from error
        rows += footer.num_rows
        last = max(last, max(_run_ids(footer), default=file.path.rpartition("/")[2].split("-")[2]))
    return rows, last


def _run_ids(footer: pq.FileMetaData) -> Iterator[str]:
    column = footer.schema.names.index("run_id")
    for group in range(footer.num_row_groups):
        statistics = footer.row_group(group).column(column).statistics
        if statistics is not None and statistics.has_min_max:
            yield str(statistics.max)
