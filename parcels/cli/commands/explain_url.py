"""`parcels explain-url URL`: the path from the seed to an address, and why its link is worth what it is."""

import argparse
import json
from typing import Any

from parcels.cli.commands.crawl import crawler

HELP = (
    "Why a focused crawl went, or would go, to an address: the path from the seed, the link's place, its score's parts."
)
EXAMPLE = """
parcels explain-url http://www.uni.example/~lee/ --store STORE
parcels explain-url http://www.uni.example/~lee/ --store STORE --crawl focus --format json
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("url", metavar="URL", help="the address")
    parser.add_argument("--store", required=True, help="folder or URI of the store")
    parser.add_argument("--crawl", default="crawl", metavar="NAME", help="name of the crawl (default crawl)")
    parser.add_argument("--frontier", metavar="WHERE", help="as for the crawl")
    parser.add_argument("--state", metavar="DIR", help="as for the crawl")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="(default text)")


def run(args: argparse.Namespace) -> int:
    """Answer."""
    options = crawler("options").CrawlOptions(
        store=args.store, crawl=args.crawl, frontier=args.frontier, state=args.state
    )
    answer = crawler("explaining").explain_url(options, args.url)
    print(json.dumps(answer, ensure_ascii=False) if args.format == "json" else "\n".join(lines(answer)))
    return 0


def lines(answer: dict[str, Any]) -> list[str]:
    """The answer for people."""
    told = [f"{answer['url']}: {answer['state']}; {answer['detail']}", "path from the seed:"]
    told += [f"{'  ' * depth}  {url}" for depth, url in enumerate(answer["path"])]
    link = answer.get("link")
    if link is None:
        return [*told, "no score: the crawl is not focused, or the page before it is not stored"]
    place = link["place"]
    told += [
        f'on a page that is on topic with {link["source_chance"]:.0%}: "{place["anchor"]}" in the {place["area"]}, '
        f'{place["block"]}, under "{place["heading"]}"; {place["links_in_group"]} links in its group, '
        f"{place['link_density']:.0%} of its text in links",
        f"worth {link['worth']:.3f} now: on topic with {link['chance']:.1%}, hub {link['hub']:.2f}",
        "parts (logarithm of odds): " + ", ".join(f"{name} {part:+.2f}" for name, part in link["parts"].items()),
        "heaviest marks: " + (", ".join(f"{name} {part:+.2f}" for name, part in link["marks"].items()) or "none yet"),
    ]
    return told
