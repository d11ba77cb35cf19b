"""`parcels inspect PAGE…`: show pages in the browser with their blocks and explanations."""

import argparse
import sys

from parcels.cli.browser import add_server_arguments, serve
from parcels.cli.pages import add_model_arguments
from parcels.errors import InputMissing
from parcels.inputs import BadPage, read_pages
from parcels.models.registry import model_path
from parcels.results import DEFAULT_MODEL

HELP = "Show pages in the browser: blocks in colour, each view's vote, the features with most effect. Nothing is saved."
EXAMPLE = """
parcels inspect page.html
parcels inspect a.html b.html
parcels inspect pages/ --model my-model --port 0
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("pages", nargs="+", metavar="PAGE", help="a file, a folder, a .parquet, - or an address")
    parser.add_argument("--url", help="address of the page, if it is a single file")
    add_model_arguments(parser, DEFAULT_MODEL)
    add_server_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Serve the pages until Ctrl-C."""
    from parcels.annotate.page_sources import FilePageSource
    from parcels.annotate.session import AnnotationSession
    from parcels.labels.model import KINDS, model_at

    model = model_path(args.model, args.store, *KINDS)
    model_at(model)
    pages = []
    for page in read_pages(args.pages, url=args.url):
        if isinstance(page, BadPage):
            print(f"parcels: {page.name}: {page.error}", file=sys.stderr)
        else:
            pages.append(page)
    if not pages:
        raise InputMissing(f"None of the pages could be read: {', '.join(args.pages)}")
    return serve(AnnotationSession(FilePageSource(pages, model=model)), args, path="#/inspect")
