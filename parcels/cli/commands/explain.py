"""`parcels explain PAGE N`: why the n-th block has its label."""

import argparse
from dataclasses import asdict

import orjson

from parcels.cli.pages import add_model_arguments
from parcels.errors import ConfigError, InputMissing
from parcels.inputs import BadPage, read_pages
from parcels.models.registry import model_path
from parcels.processed_page import ProcessedPage
from parcels.results import DEFAULT_MODEL

HELP = "Explain why a block has its label: each view's vote, and the features and words with most effect."
EXAMPLE = """
parcels explain page.html 3
parcels explain page.html 3 --json
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("page", metavar="PAGE", help="a file, - for standard input, or an address")
    parser.add_argument("n", type=int, metavar="N", help="number of the block in the output of `parcels blocks`")
    parser.add_argument("--url", help="address of the page, if it is a file")
    add_model_arguments(parser, DEFAULT_MODEL)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Explain one block."""
    from parcels.labels.explain import explain
    from parcels.labels.model import KINDS, model_at

    model = model_at(model_path(args.model, args.store, *KINDS))
    raw = next(iter(read_pages([args.page], url=args.url)), None)
    if raw is None or isinstance(raw, BadPage):
        raise InputMissing(f"{args.page}: {raw.error if raw else 'it has no pages'}")
    page = ProcessedPage(raw)
    if not page.can_be_laid_out:
        raise ConfigError(f"{args.page} has too many elements to be laid out, so its blocks have no labels.")
    explanation = explain(model, page.fine_features, args.n)
    if args.json:
        print(orjson.dumps(asdict(explanation), option=orjson.OPT_INDENT_2).decode())
        return 0
    print(f"block {explanation.n}: {explanation.text[:100]!r}")
    print(
        f"{explanation.label} ({explanation.confidence:.2f}); then "
        + ", ".join(f"{name} {p:.2f}" for name, p in explanation.runners_up)
    )
    print("\nviews")
    for view, (label, confidence) in explanation.views.items():
        print(f"  {view:8} {label} ({confidence:.2f})")
    print(f"\nfeatures: how much less likely '{explanation.label}' would be with the page's median value")
    for reason in explanation.features:
        print(f"  {reason.effect:+.3f}  {reason.name} = {reason.value:g}")
    for view, reasons in explanation.words.items():
        print(f"\nwords of the view '{view}': their share of the score of '{explanation.label}'")
        for reason in reasons:
            print(f"  {reason.effect:+.3f}  {reason.name}")
    return 0
