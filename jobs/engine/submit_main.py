"""The program that spark-submit starts: `parcels run` with the arguments of `parcels submit`."""

import sys

from parcels.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main(["run", *sys.argv[1:]]))
