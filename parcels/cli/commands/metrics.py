"""`parcels metrics`: the numbers of a store for Prometheus, as a file, on standard output or as a small server."""

import argparse
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

from parcels.errors import ConfigError, InputMissing, ParcelsError

if TYPE_CHECKING:
    from parcels.store import Store

HELP = "Numbers of a store for Prometheus: runs of crawls and jobs, tables, rejects. Printed, written, or served."
EXAMPLE = """
parcels metrics --store STORE
parcels metrics --store STORE --out /var/lib/node_exporter/parcels.prom
parcels metrics --store STORE --port 9411
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("--store", required=True, help="folder or URI of the store")
    add("--out", metavar="FILE", help="write there in one step, for node_exporter's textfile collector")
    add("--port", type=int, metavar="N", help="serve /metrics until Ctrl-C")
    add("--host", default="127.0.0.1", help="with --port: address to listen on (default 127.0.0.1)")


def run(args: argparse.Namespace) -> int:
    """Print, write or serve."""
    from parcels.operations.metrics import families, text
    from parcels.store import open_store

    store = open_store(args.store)
    if args.port is not None:
        serve(store, args.host, args.port)
        return 0
    said = text(families(store))
    if args.out is None:
        print(said, end="")
        return 0
    fresh = Path(f"{args.out}.{os.getpid()}")
    try:
        fresh.write_text(said, "utf-8")
        fresh.replace(args.out)
    except OSError as error:
        raise InputMissing(f"cannot write {args.out}: {error.strerror}") from error
    return 0


def serve(store: "Store", host: str, port: int) -> None:
    """Answer until Ctrl-C."""
    try:
        server = ThreadingHTTPServer((host, port), handler(store))
    except OSError as error:
        raise ConfigError(f"port {port} of {host} cannot be used: {error.strerror}. Name another one.") from error
    with server:
        print(f"parcels: http://{host}:{server.server_port}/metrics", file=sys.stderr, flush=True)
        server.serve_forever()


def handler(store: "Store") -> type[BaseHTTPRequestHandler]:
    """What answers a request: the numbers of the store as they are then."""
    from parcels.operations.metrics import CONTENT_TYPE, families, text

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path != "/metrics":
                self.send_error(404, "ask for /metrics")
                return
            try:
                body = text(families(store)).encode()
            except ParcelsError as error:
                self.send_error(503, explain=str(error))
                return
            self.send_response(200)
            self.send_header("Content-Type", CONTENT_TYPE)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing of every request."""

    return Answer
