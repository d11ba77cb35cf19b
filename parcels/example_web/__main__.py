"""Serve the example web until Ctrl-C: `python -m parcels.example_web [--port N] [--address FILE]`."""

import argparse
import sys
import threading
from pathlib import Path

from parcels.example_web import ExampleWeb, hosts


def main(arguments: list[str] | None = None) -> int:
    """Print the proxy address and the host names, then serve."""
    parser = argparse.ArgumentParser(prog="python -m parcels.example_web", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="port on loopback (default: a free one)")
    parser.add_argument("--address", type=Path, metavar="FILE", help="write the proxy address here once it listens")
    chosen = parser.parse_args(arguments)
    try:
        serve(chosen.port, chosen.address)
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        print(f"parcels.example_web: cannot serve on port {chosen.port}: {error.strerror or error}", file=sys.stderr)
        return 2
    return 0


def serve(port: int, address: Path | None) -> None:
    """Serve until interrupted; the address is written once the server is ready."""
    with ExampleWeb.serve(port) as web:
        print(f"HTTP proxy on {web.proxy} for:")
        for host in hosts():
            print(f"  http://{host}/")
        print(f"Try: curl --proxy {web.proxy} http://{hosts()[0]}/   Stop with Ctrl-C.", flush=True)
        if address:
            address.write_text(web.proxy)
        threading.Event().wait()


if __name__ == "__main__":
    raise SystemExit(main())
