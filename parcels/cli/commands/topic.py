"""`parcels topic PAGE…`: the topic of each page by the layout mixture, and scores of its links."""

import argparse
from functools import partial
from typing import Any

from parcels.cli.pages import add_model_arguments, add_page_arguments, run_pages
from parcels.errors import ConfigError
from parcels.inputs import RawPage
from parcels.models.registry import model_path
from parcels.topics.examples import read_raw
from parcels.topics.model import KIND, SHIPPED, topic_model_at
from parcels.topics.result import topic_of

HELP = (
    "Predict the topic of pages from the words in their areas, and the probability that each link leads to that topic. "
    f"The shipped model, {SHIPPED}, knows six topics of English news: business, entertainment, health, politics, sport "
    "and technology. Train one for other topics."
)
EXAMPLE = """
parcels topic page.html
parcels train layout-mixture --data pages-by-topic/ --out my-topics
parcels topic page.html --model my-topics
parcels topic pages.parquet --model my-topics --topic course --out topics.jsonl
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_page_arguments(parser)
    add_model_arguments(parser, SHIPPED)
    parser.add_argument("--topic", metavar="TOPIC", help="score links for this topic (default: the page's topic)")


def run(args: argparse.Namespace) -> int:
    """Print the topic of every page."""
    path = model_path(args.model, args.store, KIND)
    model = topic_model_at(path)  # a broken model is one error, not one per page
    if args.topic is not None and args.topic not in model.topics:
        raise ConfigError(f"Unknown --topic '{args.topic}'. The model has: {', '.join(model.topics)}.")
    return run_pages(args, partial(page_to_json, model=path, topic=args.topic))


def page_to_json(raw: RawPage, *, model: str, topic: str | None) -> dict[str, Any]:
    """Return one page's line of output."""
    return {"page": raw.name, **topic_of(read_raw(raw), topic_model_at(model), focus=topic)}
