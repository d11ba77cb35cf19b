"""The `parcels` command: one table of commands, each in its own module that is imported when it is called.

A command module defines `HELP` (one line), `EXAMPLE` (shell lines shown by --help), `arguments(parser)` and
`run(args) -> int | None` (the exit code; None means 0).
"""

from parcels.cli.main import main

__all__ = ["main"]
