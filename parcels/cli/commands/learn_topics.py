"""`parcels learn-topics SEEDS…`: crawl a directory, train a topic model on half of it, evaluate on the rest."""

import argparse
from pathlib import Path

from parcels.cli.commands.crawl import INTERRUPTED, crawl, crawler
from parcels.errors import ConfigError

HELP = "Crawl a directory of sites, N pages per topic, train a topic model on half of the pages, score it on the rest."
EXAMPLE = """
parcels learn-topics content.rdf.u8.gz --per-topic 1000 --store STORE --out my-topics
parcels learn-topics urls.tsv --store STORE --out my-topics --delay 2
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add(
        "seeds",
        nargs="+",
        metavar="SEEDS",
        help="a directory: DMOZ's RDF, a TSV or CSV of address and topic, its home page",
    )
    add("--store", required=True, help="store of the pages; stored pages are not fetched again")
    add("--out", required=True, metavar="MODELDIR", help="folder of the model")
    add("--per-topic", type=int, default=1000, metavar="N", help="addresses per topic (default 1000, as in the paper)")
    add("--crawl", default="directory", metavar="NAME", help="name of the crawl (default directory)")
    add("--delay", type=float, default=1.0, metavar="S", help="seconds between two requests to a host (default 1)")
    add("--limit", type=int, metavar="N", help="fetch at most N pages")
    add("--proxy", metavar="URL", help="HTTP proxy for all requests")
    add("--no-progress", action="store_true", help="show no progress")


def run(args: argparse.Namespace) -> int:
    """Crawl, train, and print per topic how many pages each classifier predicts correctly."""
    from parcels.topics.evaluate import train_on_half

    if args.per_topic < 2:
        raise ConfigError(f"--per-topic must be at least 2 (one page to train, one to test), got {args.per_topic}.")
    if Path(args.out).exists() and not Path(args.out).is_dir():
        raise ConfigError(f"--out {args.out} is a file. Name a folder.")
    options = crawler("options").CrawlOptions(
        store=args.store, seeds=tuple(args.seeds), crawl=args.crawl, spider="directory", per_topic=args.per_topic,
        delay=args.delay, limit=args.limit, proxy=args.proxy,
    )  # fmt: skip
    if crawl(options, show_progress=not args.no_progress).is_stopped:
        return INTERRUPTED
    print("\n".join(train_on_half(args.store, Path(args.out), crawl=args.crawl)))
    return 0
