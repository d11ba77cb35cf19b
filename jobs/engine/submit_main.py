"""What spark-submit starts: `parcels run` with the words that `parcels submit` was given."""

import sys

from parcels.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main(["run", *sys.argv[1:]]))
