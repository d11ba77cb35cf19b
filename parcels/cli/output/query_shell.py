"""The interactive shell of `parcels query`."""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from parcels.cli.output.query_engines import DuckDb, Spark
from parcels.cli.output.query_output import Output
from parcels.errors import ParcelsError

PROMPT, MORE = "parcels> ", "    ...> "
HISTORY_LINES = 2000
COMMANDS = """
.tables          tables and views
.schema [NAME]   columns of a table or view
.models          models with rows, and the current ones
.help            this list
.quit            leave (or Ctrl-D)
A statement ends with `;` and may span several lines. Ctrl-C discards it, or stops a running query.
""".strip()


class Shell:
    """Reads statements, runs each and prints the result."""

    def __init__(self, engine: DuckDb | Spark, to: Output):
        self.engine, self.to = engine, to

    def run(self) -> None:
        """Read until the end of input; errors are printed and the shell continues."""
        print(f"SQL over {self.engine.store.location.uri}. End a statement with `;`; .help lists commands.")
        with _history():
            while True:
                try:
                    text = _statement()
                    if text is None:
                        return
                    if text.startswith("."):
                        if not self._command(*text.split(maxsplit=1)):
                            return
                    elif text.strip("; \n"):
                        self._execute(text)
                except ParcelsError as error:
                    print(f"parcels: {error}", file=sys.stderr)
                except KeyboardInterrupt:
                    print("parcels: stopped", file=sys.stderr)

    def _execute(self, text: str) -> None:
        from parcels.cli.commands.query import note_undecided

        note_undecided(self.engine.store, text)
        with self.engine.execute(text) as result:
            if result is not None:
                self.to.write(result)

    def _command(self, name: str, rest: str = "") -> bool:
        """Run a command that begins with a dot; return False to leave the shell."""
        from parcels.cli.commands.models import print_stored
        from parcels.cli.commands.schema import print_text

        if name in (".quit", ".exit", ".q"):
            return False
        if name == ".tables" or (name == ".schema" and not rest):
            print_text(None)
        elif name == ".schema":
            print_text(rest.strip("; "))
        elif name == ".models":
            print_stored(self.engine.store)
        else:
            print(COMMANDS if name == ".help" else f"Unknown command '{name}'.\n{COMMANDS}")
        return True


def _statement() -> str | None:
    """Read and return a statement or command; None at the end of the input."""
    lines: list[str] = []
    while True:
        try:
            line = input(MORE if lines else PROMPT)
        except EOFError:
            print()
            return None
        except KeyboardInterrupt:
            print("^C")
            lines = []
            continue
        if not lines and line.lstrip().startswith("."):
            return line.strip()
        lines += [line] if line.strip() or lines else []
        if line.rstrip().endswith(";"):
            return "\n".join(lines)


@contextlib.contextmanager
def _history() -> Iterator[None]:
    """Enable line editing with the history of earlier sessions, and completion of table and column names."""
    try:
        import readline
    except ImportError:  # without it, lines are read unedited
        yield
        return
    path = history_path()
    with contextlib.suppress(OSError):
        readline.read_history_file(path)
    names = _names()
    readline.set_completer(
        lambda word, n: next(iter([name for name in names if name.startswith(word)][n : n + 1]), None)
    )
    readline.set_completer_delims(" \t\n,()=<>;'\".")
    readline.parse_and_bind("tab: complete")
    try:
        yield
    finally:
        readline.set_history_length(HISTORY_LINES)
        with contextlib.suppress(OSError):  # without write access there is no history
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)
            readline.write_history_file(path)


def history_path() -> Path:
    """Return the history file of the shell."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "parcels" / "query-history"


def _names() -> list[str]:
    from parcels.query.sql import columns_of
    from parcels.query.views import VIEWS
    from parcels.tables import TABLES

    tables = [*TABLES, *VIEWS]
    return sorted({*tables, *(column.name for name in tables for column in columns_of(name))})
