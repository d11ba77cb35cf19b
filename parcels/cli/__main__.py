"""`python -m parcels.cli` is the `parcels` command."""

import sys

from parcels.cli import main

sys.exit(main())
