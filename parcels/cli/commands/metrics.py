"""`parcels metrics`: metrics of a store for Prometheus, printed, written to a file, or served."""

import argparse
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

from parcels.errors import ConfigError, InputMissing, ParcelsError

if TYPE_CHECKING:
    from parcels.store import Store

HELP = "Print, write or serve metrics of a store for Prometheus: runs of crawls and jobs, tables, rejects."
EXAMPLE = """
parcels metrics --store STORE
parcels metrics --store STORE --out /var/lib/node_exporter/parcels.prom
parcels metrics --store STORE --port 9411
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("--store", required=True, help="folder or URI of the store")
    add("--out", metavar="FILE", help="write to FILE in one step, for node_exporter's textfile collector")
    add("--port", type=int, metavar="N", help="serve /metrics until Ctrl-C")
    add("--host", default="127.0.0.1", help="with --port: address to listen on (default 127.0.0.1)")


def run(args: argparse.Namespace) -> int:
    """Print, write or serve the metrics."""
    from parcels.operations.metrics import families, text
    from parcels.store import open_store

    store = open_store(args.store)
    if args.port is not None:
        serve(store, args.host, args.port)
        return 0
    output = text(families(store))
    if args.out is None:
        print(output, end="")
        return 0
    fresh = Path(f"{args.out}.{os.getpid()}")
    try:
        fresh.write_text(output, "utf-8")
        fresh.replace(args.out)
    except OSError as error:
        raise InputMissing(f"Cannot write --out {args.out}: {error.strerror}") from error
    return 0


def serve(store: "Store", host: str, port: int) -> None:
    """Serve the metrics until Ctrl-C."""
    try:
        server = ThreadingHTTPServer((host, port), handler(store))
    except OSError as error:
        raise ConfigError(f"Cannot listen on {host}:{port}: {error.strerror}. Choose another --port.") from error
    with server:
        print(f"parcels: http://{host}:{server.server_port}/metrics", file=sys.stderr, flush=True)
        server.serve_forever()


def handler(store: "Store") -> type[BaseHTTPRequestHandler]:
    """Return a request handler that responds with the current metrics of a store."""
    from parcels.operations.metrics import CONTENT_TYPE, families, text

    class MetricsHandler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path != "/metrics":
                self.send_error(404, "The metrics are at /metrics.")
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
            """Do not log requests."""

    return MetricsHandler
