"""`parcels topic PAGE… --model NAME`: topic by the layout mixture, and where its links lead."""

import argparse
from functools import partial
from typing import Any

from parcels.cli.pages import add_page_arguments, run_pages
from parcels.errors import ConfigError
from parcels.inputs import RawPage
from parcels.topics.examples import read_raw
from parcels.topics.model import topic_model_at
from parcels.topics.result import topic_of

HELP = "What pages are about, told by their areas, and the chance of each link to lead to that topic."
EXAMPLE = """
parcels train layout-mixture --data pages-by-topic/ --out my-topics
parcels topic page.html --model my-topics
parcels topic pages.parquet --model my-topics --topic course --out topics.jsonl
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_page_arguments(parser)
    parser.add_argument("--model", required=True, metavar="NAME", help="a topic model: its folder, or a shipped one")
    parser.add_argument("--topic", metavar="TOPIC", help="score links for this topic (default: the page's own)")


def run(args: argparse.Namespace) -> int:
    """Print the topic of every page."""
    model = topic_model_at(args.model)  # a model that cannot be used is one message, not one a page
    if args.topic is not None and args.topic not in model.topics:
        raise ConfigError(f"--topic {args.topic}: the model knows {', '.join(model.topics)}")
    return run_pages(args, partial(page_to_json, model=args.model, topic=args.topic))


def page_to_json(raw: RawPage, *, model: str, topic: str | None) -> dict[str, Any]:
    """One page's line of output."""
    return {"page": raw.name, **topic_of(read_raw(raw), topic_model_at(model), focus=topic)}
