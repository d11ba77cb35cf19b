"""`parcels explain-url URL`: the path from a seed to an address, and the score of its link."""

import argparse
import json
from typing import Any

from parcels.cli.commands.crawl import crawler

HELP = "Explain why a focused crawl fetched or queued an address: the path from a seed, the link's context, its score."
EXAMPLE = """
parcels explain-url http://www.uni.example/~lee/ --store STORE
parcels explain-url http://www.uni.example/~lee/ --store STORE --crawl focus --format json
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("url", metavar="URL", help="the address")
    parser.add_argument("--store", required=True, help="folder or URI of the store")
    parser.add_argument("--crawl", default="crawl", metavar="NAME", help="name of the crawl (default crawl)")
    parser.add_argument("--frontier", metavar="WHERE", help="as in parcels crawl")
    parser.add_argument("--state", metavar="DIR", help="as in parcels crawl")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="output format (default text)")


def run(args: argparse.Namespace) -> int:
    """Print the explanation."""
    options = crawler("options").CrawlOptions(
        store=args.store, crawl=args.crawl, frontier=args.frontier, state=args.state
    )
    answer = crawler("explain").explain_url(options, args.url)
    print(json.dumps(answer, ensure_ascii=False) if args.format == "json" else "\n".join(lines(answer)))
    return 0


def lines(explanation: dict[str, Any]) -> list[str]:
    """Return the explanation as lines of text."""
    lines_ = [f"{explanation['url']}: {explanation['state']}; {explanation['detail']}", "path from the seed:"]
    lines_ += [f"{'  ' * depth}  {url}" for depth, url in enumerate(explanation["path"])]
    link = explanation.get("link")
    if link is None:
        return [*lines_, "no score: the crawl is not focused, or the linking page is not stored"]
    place = link["place"]
    lines_ += [
        f'on a page that is on topic with {link["source_chance"]:.0%}: "{place["anchor"]}" in the {place["area"]}, '
        f'{place["block"]}, under "{place["heading"]}"; {place["links_in_group"]} links in its group, '
        f"{place['link_density']:.0%} of its text in links",
        f"score {link['worth']:.3f}: on topic with {link['chance']:.1%}, hub {link['hub']:.2f}",
        "parts of the score (log odds): " + ", ".join(f"{name} {part:+.2f}" for name, part in link["parts"].items()),
        "features with most weight: "
        + (", ".join(f"{name} {part:+.2f}" for name, part in link["marks"].items()) or "none yet"),
    ]
    return lines_
