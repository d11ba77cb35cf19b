"""Which of the hot modules run compiled here: those with a `.pxd` beside them, and every `.pyx` (see setup.py).

Results are the same either way; only the time differs.
"""

from collections.abc import Iterator
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent


class Module(NamedTuple):
    """A module that can be compiled."""

    name: str
    state: str  # compiled, interpreted (no compiled twin), stale (the source is newer than its twin, which runs)


def modules(root: Path = ROOT) -> Iterator[Module]:
    """Every module that can be compiled, where its sources lie."""
    for typed in sorted([*root.rglob("*.pxd"), *root.rglob("*.pyx")]):
        source = typed.with_suffix(".py") if typed.suffix == ".pxd" else typed
        if not source.is_file():
            continue
        name = ".".join((root.name, *source.relative_to(root).with_suffix("").parts))
        twin = next((path for path in map(source.with_suffix, EXTENSION_SUFFIXES) if path.is_file()), None)
        if twin is None:
            yield Module(name, "interpreted")
        else:
            newest = max(source.stat().st_mtime, typed.stat().st_mtime)
            yield Module(name, "compiled" if twin.stat().st_mtime >= newest else "stale")


def loaded(name: str) -> Any:
    """A module that exists only compiled; None where it is not, and its callers do the same without it."""
    try:
        return import_module(name)
    except ImportError:
        return None
