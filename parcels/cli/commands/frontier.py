"""`parcels frontier`: inspect the frontier of a crawl, retry failed addresses, or rebuild it."""

import argparse
import json

from parcels.cli.commands.crawl import crawler

HELP = "Show why an address was not crawled and what is queued, retry failed addresses, or rebuild the frontier."
EXAMPLE = """
parcels frontier why http://news.example/story --store STORE
parcels frontier stats --store STORE --crawl news
parcels frontier retry http-503 --store STORE         # or a host, or: all
parcels frontier rebuild --store STORE --frontier redis://127.0.0.1:6379/0
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    what = "why: the address; retry: a host, a reason or all (default: unreachable addresses)"
    parser.add_argument("action", choices=("why", "stats", "retry", "rebuild"), help="the action")
    parser.add_argument("url", nargs="?", metavar="URL|HOST|REASON", help=what)
    parser.add_argument("--store", required=True, help="folder or URI of the store")
    parser.add_argument("--crawl", default="crawl", metavar="NAME", help="name of the crawl (default crawl)")
    parser.add_argument("--frontier", metavar="WHERE", help="as in parcels crawl")
    parser.add_argument("--state", metavar="DIR", help="as in parcels crawl")
    parser.add_argument("--exact", action="store_true", help="as in parcels crawl")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="output format (default text)")


def run(args: argparse.Namespace) -> int:
    """Run the action and print the result."""
    queries = crawler("frontier.queries")
    options = crawler("options").CrawlOptions(
        store=args.store, crawl=args.crawl, frontier=args.frontier, state=args.state, exact=args.exact
    )
    if args.action == "why":
        result = queries.explain(options, args.url)
    elif args.action == "stats":
        result = queries.stats(options)
    elif args.action == "retry":
        result = queries.retry(options, args.url)
    else:
        crawler("frontier.blocklist").block_before_crawl(options)
        result = queries.rebuild(options)
    if args.format == "json":
        print(json.dumps(result))
    else:
        for name, value in result.items():
            print(f"{name}: {_text(value)}")
    return 0


def _text(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {count:,}" for name, count in value.items()) or "none"
    return f"{value:,}" if isinstance(value, int) else str(value)
