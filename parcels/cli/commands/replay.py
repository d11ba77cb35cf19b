"""`parcels replay`: serve stored pages as a web of their own, through a proxy on loopback."""

import argparse
import importlib
import sys

from parcels.common.optional import missing_extra
from parcels.errors import ConfigError

HELP = (
    "Serve stored pages as an HTTP proxy on loopback, so that real sites can be crawled again offline. "
    "Prints the address of the proxy and runs until Ctrl-C."
)
EXAMPLE = """
parcels replay --store STORE --port 8899
parcels replay --store pages.parquet --port 0 --seconds 3600
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--store", required=True, metavar="STORE|PARQUET",
        help="a store, a .parquet with `url` and `html`, or a folder of such files",
    )  # fmt: skip
    parser.add_argument("--port", type=int, default=0, help="port on 127.0.0.1 (default: a free one)")
    parser.add_argument("--crawl", metavar="NAME", help="only the pages of this crawl")
    parser.add_argument("--seconds", type=float, metavar="N", help="stop after N seconds")


def run(args: argparse.Namespace) -> int:
    """Serve until the time is over or Ctrl-C."""
    import asyncio

    try:
        replay_module = importlib.import_module("crawler.replay")
    except ImportError as error:
        raise missing_extra(f"Replay needs the crawler's packages ({error.name})", extra="crawl") from error
    replay = replay_module.Replay.open(args.store, crawl=args.crawl)

    async def serve() -> None:
        try:
            server = await replay.listen(args.port)
        except OSError as error:
            raise ConfigError(f"Cannot listen on port {args.port}: {error.strerror}. Choose another --port.") from error
        print(replay.proxy, flush=True)
        left_out = ", ".join(f"{count:,} {reason}" for reason, count in replay.index.left_out.items() if count)
        print(
            f"parcels: {replay.index.page_count:,} pages" + (f" (left out: {left_out})" if left_out else ""),
            file=sys.stderr, flush=True,
        )  # fmt: skip
        async with server:
            await asyncio.sleep(args.seconds) if args.seconds else await server.serve_forever()

    try:
        asyncio.run(serve())
    finally:
        by_status = ", ".join(f"{status}: {count:,}" for status, count in sorted(replay.counts.items()))
        print(
            f"parcels: answered {sum(replay.counts.values()):,} requests" + (f" ({by_status})" if by_status else ""),
            file=sys.stderr,
        )
    return 0
