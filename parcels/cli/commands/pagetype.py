"""`parcels pagetype PAGE…`: the type of each page."""

import argparse
from functools import partial
from typing import Any

from parcels.cli.pages import add_model_arguments, add_page_arguments, run_pages
from parcels.inputs import RawPage
from parcels.models.registry import model_path
from parcels.pagetypes.model import KIND, SHIPPED, page_type, page_types_at
from parcels.processed_page import ProcessedPage

HELP = "Predict the type of pages: article, forum, product, collection, listing, documentation or service."
EXAMPLE = """
parcels pagetype page.html --url https://example.org/forum/7
parcels pagetype pages.parquet --workers 2 --out types.jsonl
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_page_arguments(parser)
    add_model_arguments(parser, SHIPPED)


def run(args: argparse.Namespace) -> int:
    """Print the type of every page."""
    model = model_path(args.model, args.store, KIND)
    page_types_at(model)  # a broken model is one error, not one per page
    return run_pages(args, partial(page_to_json, model=model))


def page_to_json(raw: RawPage, *, model: str) -> dict[str, Any]:
    """Return one page's line of output."""
    type_, scores = page_type(ProcessedPage(raw).layout, model)
    return {"page": raw.name, "url": raw.url, "type": type_, "scores": scores}
