"""`parcels annotate --store STORE`: label stored pages in the browser."""

import argparse
import sys
from pathlib import Path
from urllib.parse import quote

from parcels.cli.browser import add_server_arguments, serve
from parcels.errors import ConfigError

HELP = "Label the blocks of stored pages in the browser. Every label is saved at once and can be used for training."
EXAMPLE = """
parcels annotate --store STORE
parcels annotate --store STORE --crawl news --annotator ann --model mine
parcels annotate --store STORE --host 0.0.0.0 --port 8017 --no-browser    # for other machines, with a token
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--store", required=True, help="folder or URI of the store")
    parser.add_argument("--crawl", metavar="NAME", help="only the pages of this crawl (default: all)")
    parser.add_argument(
        "--model", metavar="NAME",
        help="model whose predictions are shown: one with labels in the store, a shipped model or a model folder "
        "(default: the current model of the store, see parcels models, or else news)",
    )  # fmt: skip
    parser.add_argument("--annotator", default="", metavar="NAME", help="your name (default: the page asks for it)")
    parser.add_argument(
        "--annotators", type=int, default=3, metavar="N", help="annotators per page at most (default 3)"
    )
    parser.add_argument("--journal", metavar="FOLDER", help="folder of the label journal (default: in the store)")
    add_server_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Serve the annotator until Ctrl-C."""
    from parcels.annotate.annotators import annotator_name
    from parcels.annotate.journal import journal_folder
    from parcels.annotate.page_sources import StorePageSource
    from parcels.annotate.session import AnnotationSession
    from parcels.store import open_store

    annotator = annotator_name(args.annotator) if args.annotator else ""
    if args.annotators < 1:
        raise ConfigError(f"--annotators must be at least 1, got {args.annotators}.")
    store = open_store(args.store)
    journals = journal_folder(store, Path(args.journal) if args.journal else None)
    source = StorePageSource(store, crawl=args.crawl, model=args.model)
    if args.model and source.stored.model is None:
        from parcels.labels.model import KINDS, model_at
        from parcels.models.registry import model_path

        source.fallback = model_path(args.model, args.store, *KINDS)
        model_at(source.fallback)  # report a broken model before serving
    session = AnnotationSession(
        source, store=store, journals=journals, crawl=args.crawl, max_annotators=args.annotators
    )
    if session.recovered:
        print(f"parcels: Wrote {session.recovered:,} labels of an interrupted session to the table.", file=sys.stderr)
    return serve(session, args, path=f"#/label/{quote(annotator)}" if annotator else "")
