"""`parcels learn-topics SEEDS…`: the paper's data set in one command: directory crawled, half learned, half tested."""

import argparse
from pathlib import Path

from parcels.cli.commands.crawl import crawler
from parcels.errors import ConfigError

HELP = (
    "From a directory to a topic model: fetch as many pages of each topic, learn from half of them, score the others."
)
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
    add("--store", required=True, help="where the pages are kept; what is there already is not fetched again")
    add("--out", required=True, metavar="MODELDIR", help="the folder of the model")
    add("--per-topic", type=int, default=1000, metavar="N", help="addresses a topic (default 1000, as in the paper)")
    add("--crawl", default="directory", metavar="NAME", help="name of the crawl (default directory)")
    add("--delay", type=float, default=1.0, metavar="S", help="seconds between two requests to a host (default 1)")
    add("--limit", type=int, metavar="N", help="fetch at most N pages")
    add("--proxy", metavar="URL", help="HTTP proxy for all requests")
    add("--no-progress", action="store_true", help="say nothing while it runs")


def run(args: argparse.Namespace) -> int:
    """Crawl, train, and print a table of topics: right without and with the layout, of how many."""
    from parcels.topics.evaluate import trained_on_half

    if args.per_topic < 2:
        raise ConfigError("--per-topic: at least 2, one to learn from and one to test with")
    if Path(args.out).exists() and not Path(args.out).is_dir():
        raise ConfigError(f"--out {args.out}: there is a file of that name; name a folder")
    options = crawler("options").CrawlOptions(
        store=args.store, seeds=tuple(args.seeds), crawl=args.crawl, spider="directory", per_topic=args.per_topic,
        delay=args.delay, limit=args.limit, proxy=args.proxy,
    )  # fmt: skip
    crawler("run").crawl(options, tells=not args.no_progress)
    print("\n".join(trained_on_half(Path(args.store), Path(args.out), crawl=args.crawl)))
    return 0
