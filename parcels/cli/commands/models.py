"""`parcels models`: list the models at hand and in a store, and choose the current one."""

import argparse
import datetime as dt
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from parcels.cli.output.cells import draw
from parcels.errors import ConfigError
from parcels.models.registry import shipped_models
from parcels.models.registry import stored_models as kept_models

if TYPE_CHECKING:
    from parcels.store import Store
    from parcels.store.models import StoredModel

HELP = (
    "List the shipped models and those with rows in a store, or choose the current model, which the views "
    "(classified_blocks, articles_with_pages, current_…), the report and the annotator show."
)
EXAMPLE = """
parcels models
parcels models --store STORE
parcels models use cotrained --store STORE
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("action", nargs="?", choices=("list", "use"), default="list", help="the action (default list)")
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help="use: name of a model with rows, with or without its @hash"
    )
    parser.add_argument("--store", help="folder or URI of the store")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="output format (default text)")


def run(args: argparse.Namespace) -> None:
    """List the models, or choose one."""
    from parcels.store import open_store

    store = None if args.store is None else open_store(args.store)
    if args.action == "use":
        _use(store, args.name)
    elif args.format == "json":
        for row in (*_shipped(), *([] if store is None else _json_rows(store))):
            print(json.dumps(row))
    else:
        shipped = [(row["name"], row["kind"], row["title"]) for row in _shipped()]
        print(draw(("shipped model", "kind", "what it does"), shipped, limit=None, room=None), end="")
        if store is not None:
            print()
            print_stored(store)


def _use(store: "Store | None", name: str | None) -> None:
    from parcels.store.models import use_model

    if store is None or not name:
        raise ConfigError("The model or the store is missing: parcels models use NAME --store STORE")
    for table, model in use_model(store, name).items():
        print(f"{table}: views show {model}")


def print_stored(store: "Store") -> None:
    """Print the models of a store: those with rows, and those trained by co-training."""
    from parcels.store.models import stored_models

    rows = [
        (one.table, one.crawl, one.model, one.rows, _time(one.run_id), _state(one)) for one in stored_models(store)
    ]  # fmt: skip
    if rows:
        print(
            draw(("table", "crawl", "model", "rows", "last written (UTC)", "shown"), rows, limit=None, room=None),
            end="",
        )
    else:
        print("No model has rows in this store. To add some: parcels run divide..articles --store STORE")
    if kept := [model.name for model in kept_models(store)]:
        print(f"\nTrained in this store: {', '.join(kept)} (parcels run classify --model NAME)")


def _json_rows(store: "Store") -> Iterator[dict[str, object]]:
    from parcels.store.models import stored_models

    for one in stored_models(store):
        yield {
            "table": one.table, "crawl": one.crawl, "model": one.model, "rows": one.rows,
            "written": _time(one.run_id), "is_chosen": one.is_chosen, "is_current": one.is_current,
        }  # fmt: skip


def _state(one: "StoredModel") -> str:
    if not one.is_current:
        return ""
    return "current, chosen" if one.is_chosen else "current, wrote last"


def _time(run_id: str) -> str:
    """Return the start time of a run, decoded from its id.

    >>> _time("018f3a5c0000" + "0" * 20), _time("by hand")
    ('2024-05-02 17:30:58', '')
    """
    try:
        return f"{dt.datetime.fromtimestamp(int(run_id[:12], 16) / 1000, dt.UTC):%Y-%m-%d %H:%M:%S}"
    except (ValueError, OverflowError, OSError):
        return ""


def _shipped() -> Iterator[dict[str, str]]:
    for model in shipped_models():
        yield {"name": model.name, "kind": model.kind, "title": model.title}
