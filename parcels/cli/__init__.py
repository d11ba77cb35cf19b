"""The `parcels` command: one table of commands, each in a module of its own that is imported only when it is called.

A command module has `HELP` (one line), `EXAMPLE` (shell lines shown by --help), `arguments(parser)` and
`run(args) -> int | None` (the exit code; None is 0).
"""

from parcels.cli.main import main

__all__ = ["main"]
