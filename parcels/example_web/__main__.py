"""Serves the example web until Ctrl-C: `python -m parcels.example_web [--port N]`."""

import argparse
import threading

from parcels.example_web import ExampleWeb, hosts


def main(arguments: list[str] | None = None) -> int:
    """Prints the proxy address and the host names, then serves."""
    parser = argparse.ArgumentParser(prog="python -m parcels.example_web", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="port on loopback (default: a free one)")
    chosen = parser.parse_args(arguments)
    with ExampleWeb.serve(chosen.port) as web:
        print(f"HTTP proxy on {web.proxy} for:")
        for host in hosts():
            print(f"  http://{host}/")
        print(f"Try: curl --proxy {web.proxy} http://{hosts()[0]}/   Stop with Ctrl-C.", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return 130
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
