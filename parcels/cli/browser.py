"""The server of the commands with a browser page: its flags, and starting it."""

import argparse
import sys
import webbrowser
from typing import TYPE_CHECKING

from parcels.common.optional import missing_extra

if TYPE_CHECKING:
    from parcels.annotate.session import AnnotationSession

PORT = 8017


def add_server_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags for address, port and token."""
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1: only this machine)"
    )
    parser.add_argument(
        "--port", type=int, default=PORT, metavar="N", help=f"port to listen on; 0: any free port (default {PORT})"
    )
    parser.add_argument(
        "--token",
        metavar="TOKEN",
        help="access token that browsers must send (default: generated where other machines can connect)",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")


def serve(session: "AnnotationSession", args: argparse.Namespace, *, path: str = "") -> int:
    """Serve the session until Ctrl-C."""
    try:
        from parcels.annotate.serve import Server
    except ModuleNotFoundError as error:
        raise missing_extra(f"The browser page needs {error.name}", extra="ui") from error
    server = Server(session, host=args.host, port=args.port, token=args.token)
    print(f"open {server.url}{path}    (Ctrl-C stops it)", flush=True)
    if not args.no_browser:
        webbrowser.open(f"{server.url}{path}")
    server.run(lambda line: print(f"parcels: {line}", file=sys.stderr))
    return 0
