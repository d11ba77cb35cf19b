"""Output streams: results to standard output or a file, progress messages to standard error."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from parcels.errors import ConfigError

Log = Callable[[str], None]


def log_to_stderr(line: str) -> None:
    """Print one progress message to standard error."""
    print(line, file=sys.stderr, flush=True)


def log_nothing(line: str) -> None:
    """Drop a progress message: the default of library code that can report progress."""


@contextlib.contextmanager
def output(path: str | None) -> Iterator[BinaryIO]:
    """Open a file, or standard output for None. A file gets its name only when it is complete."""
    if path is None:
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = Path(path)
    if not target.parent.is_dir():
        raise ConfigError(f"--out {path}: The folder {target.parent} does not exist. Create it first.")
    is_special = target.exists() and not target.is_file()  # a pipe or device has no half-written state
    written = target if is_special else target.with_name(target.name + ".part")
    try:
        with written.open("wb") as file:
            yield file
        if not is_special:
            written.replace(target)
    except OSError as error:
        raise ConfigError(f"Cannot write --out {path}: {error.strerror}") from error
