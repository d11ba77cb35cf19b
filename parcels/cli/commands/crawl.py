"""`parcels crawl`: crawl from seeds into a store. The crawler is a package of its own, imported on demand."""

import argparse
import importlib
import math
import time
from typing import Any

from parcels.common.optional import missing_extra
from parcels.errors import ConfigError, InputMissing

HELP = "Crawl into a store, politely. The same command continues a crawl that was stopped or killed."
EXAMPLE = """
parcels crawl http://news.example/ --store STORE
parcels crawl http://news.example/ --page-types article --store STORE    # listings are followed, articles are stored
parcels crawl feeds.opml urls.txt --store STORE --crawl news --limit 1000
parcels crawl http://www.uni.example/ --spider focused --focus my-topics:course --stay --store STORE
parcels crawl urls.tsv --spider directory --per-topic 1000 --store STORE --frontier redis://127.0.0.1:6379/0
"""
INTERRUPTED = 130
EXAMPLE_WEB = "example"  # the value of --proxy for the bundled example web
MAX_SECONDS = 1e9
EXAMPLE_DELAY = 0.02  # seconds between two requests to a host of the example web


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    what = "addresses, or files: lists, OPML, RSS/Atom, site maps, TSV, CSV, RDF"
    where = "sqlite:PATH, or redis://… for many processes (default: a SQLite file in the store)"
    delay = "seconds between two requests to a host (default 1; a longer Crawl-delay wins)"
    address = "treat all hosts at one IP address like at most N hosts (default 4; 0: no limit)"
    proxy = f"HTTP proxy for all requests; {EXAMPLE_WEB}: the bundled example web, without a network"
    render = "auto: Chromium for pages that are empty without scripts (default off)"
    add = parser.add_argument
    add("seeds", nargs="*", metavar="SEEDS", help=what)
    add("--store", required=True, help="folder or URI of the store; created if missing")
    add("--crawl", default="crawl", metavar="NAME", help="name of the crawl (default crawl)")
    add("--spider", default="news", choices=("news", "directory", "focused"), help="what to follow (default news)")
    add("--focus", metavar="MODEL:TOPIC", help="focused: model and topic to look for")
    add("--positive", metavar="DIR", help="focused, instead of --focus: folder of pages on the topic")
    add("--negative", metavar="DIR", help="focused, with --positive: folder of other pages")
    add("--explore", type=_share, metavar="S", help="focused: share of links fetched regardless of their score")
    add(
        "--doubt",
        type=_share,
        metavar="S",
        help="focused: lay out pages whose words give a probability from S to 1 - S",
    )
    add(
        "--stop-below",
        type=_share,
        metavar="S",
        help="focused: stop when a smaller share of the last pages is on topic",
    )
    add("--stay", action="store_true", help="focused: stay on the hosts of the seeds")
    add(
        "--page-types",
        metavar="[MODEL:]TYPE,…",
        help="store only pages of these types, such as article; follow links on all pages",
    )
    add("--frontier", metavar="WHERE", help=where)
    add("--state", metavar="DIR", help="folder of frontier and spool (default: in the store)")
    add("--limit", type=_positive, metavar="N", help="stop this run after N pages")
    add("--depth", type=_natural, metavar="N", help="follow at most N links from a seed")
    add("--per-host", type=_positive, metavar="N", help="queue at most N addresses per host")
    add("--per-topic", type=_positive, metavar="N", help="directory: at most N seeds per topic")
    add("--delay", type=_seconds, default=1.0, metavar="S", help=delay)
    add("--concurrency", type=_positive, default=1, metavar="N", help="parallel requests per host (default 1)")
    add("--per-address", type=_natural, default=4, metavar="N", help=address)
    add("--requests", type=_positive, default=16, metavar="N", help="parallel requests in total (default 16)")
    add("--timeout", type=_seconds, default=60.0, metavar="S", help="seconds to wait for a response (default 60)")
    add(
        "--max-bytes",
        type=_positive,
        default=20_000_000,
        metavar="N",
        help="largest page in bytes (default 20,000,000)",
    )
    add("--proxy", metavar="URL", help=proxy)
    add("--user-agent", metavar="TEXT", help="User-Agent header: your name and how to reach you")
    add("--no-css", action="store_true", help="do not fetch style sheets")
    add("--follow-copies", action="store_true", help="also fetch addresses whose responses are nearly identical")
    add("--no-robots", action="store_true", help="ignore robots.txt: only for your own sites")
    add("--revisit", action="store_true", help="revisit pages according to how often they change")
    add("--warc", action="store_true", help="also write WARC files")
    add("--exact", action="store_true", help="identify addresses by 128 bits instead of 64")
    add("--render", choices=("off", "auto"), default="off", help=render)
    add("--allow-private", action="store_true", help="also fetch from private and loopback addresses")
    add("--metrics", type=_positive, metavar="PORT", help="serve metrics for Prometheus on loopback")
    add("--no-progress", action="store_true", help="show no progress")


def _positive(text: str) -> int:
    return int(_number(text, 1, math.inf, "a whole number, at least 1", int))


def _natural(text: str) -> int:
    return int(_number(text, 0, math.inf, "a whole number, at least 0", int))


def _share(text: str) -> float:
    return _number(text, 0, 1, "a number from 0 to 1")


def _seconds(text: str) -> float:
    return _number(text, 0, MAX_SECONDS, "a number of seconds, at least 0")


def _number(text: str, low: float, high: float, what: str, kind: type[int] | type[float] = float) -> float:
    """Parse an argument; raise ArgumentTypeError where it is not a number from low to high."""
    try:
        value = kind(text)
    except ValueError:
        value = math.nan
    if not low <= value <= high:
        raise argparse.ArgumentTypeError(f"must be {what}, got {text}")
    return value


def run(args: argparse.Namespace) -> int:
    """Crawl, with the example web served if it is the proxy; return the exit code."""
    if args.spider != "focused" and (args.focus or args.positive or args.negative or args.stay):
        raise ConfigError(
            "--focus, --positive, --negative and --stay need --spider focused. Add it, or leave them out."
        )
    if args.proxy != EXAMPLE_WEB:
        return _crawl(args)
    from parcels.example_web import ExampleWeb

    with ExampleWeb.serve() as web:
        args.proxy, args.delay = web.proxy, min(args.delay, EXAMPLE_DELAY)
        return _crawl(args)


def _crawl(args: argparse.Namespace) -> int:
    return INTERRUPTED if crawl(options(args), show_progress=not args.no_progress).is_stopped else 0


def crawl(chosen: Any, *, show_progress: bool) -> Any:
    """Crawl with typed options, print a summary, and return the crawl session; raise InputMissing if nothing came."""
    started = time.monotonic()
    crawler("frontier.blocklist").block_before_crawl(chosen)  # keep what `parcels forget` removed out of the crawl
    done = crawler("run").crawl(chosen, show_progress=show_progress)
    session, seconds = done.session, time.monotonic() - started
    lines = crawler("progress").summary(
        session.counts, seconds, crawl=chosen.crawl, run_id=done.run_id, saved=done.saved, left=session.pending
    )
    print("\n".join(lines))
    if done.problem is not None:
        raise InputMissing(done.problem)
    return session


def options(args: argparse.Namespace) -> Any:
    """Return the typed options of a crawl."""
    same = ("store", "crawl", "spider", "frontier", "state", "limit", "depth", "per_host", "per_topic", "delay",
            "concurrency", "per_address", "requests", "timeout", "max_bytes", "proxy", "revisit", "warc", "exact",
            "render", "allow_private", "metrics", "focus", "positive", "negative", "explore", "doubt", "stop_below",
            "stay", "page_types", "follow_copies")  # fmt: skip
    given = {name: getattr(args, name) for name in same}
    given |= {"seeds": tuple(args.seeds), "css": not args.no_css, "robots": not args.no_robots}
    if args.user_agent:
        given["user_agent"] = args.user_agent
    return crawler("options").CrawlOptions(**given)


def crawler(module: str) -> Any:
    """Import a module of the crawler by name, since imports point from the crawler to this package."""
    try:
        return importlib.import_module(f"crawler.{module}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("crawler", "parcels"):
            raise
        raise missing_extra(f"Crawling needs {error.name}", extra="crawl") from error
