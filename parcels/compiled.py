"""Which of the hot modules run compiled here: those with a `.pxd` beside them, and every `.pyx` (see setup.py).

Results are the same either way; only the time differs.
"""

from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent
UNLOADABLE = (ImportError, TypeError, ValueError)  # what another lxml or NumPy, whose structs are others, leads to


class Module(NamedTuple):
    """A module that can be compiled."""

    name: str
    source: Path
    twin: Path | None  # the compiled one, which Python imports instead of the source


def modules(root: Path = ROOT) -> Iterator[Module]:
    """Every module that can be compiled.

    >>> "parcels.layout.flow_floats" in [module.name for module in modules()]
    True
    """
    for typed in sorted([*root.rglob("*.pxd"), *root.rglob("*.pyx")]):
        source = typed.with_suffix(".py") if typed.suffix == ".pxd" else typed
        if source.is_file():
            name = ".".join((root.name, *source.relative_to(root).with_suffix("").parts))
            found = (path for path in map(source.with_suffix, EXTENSION_SUFFIXES) if path.is_file())
            yield Module(name, source, next(found, None))


def faults(found: Iterable[Module]) -> dict[str, str]:
    """Of compiled modules, those that cannot be loaded here, and why."""
    wrong = {}
    for module in found:
        if module.twin is not None:
            try:
                import_module(module.name)
            except UNLOADABLE as error:
                wrong[module.name] = f"{type(error).__name__}: {error}"
    return wrong


def loaded(name: str) -> Any:
    """A module that exists only compiled; None where it is not, and its callers do the same without it.

    `parcels doctor` tells of one that is there and cannot be loaded.
    """
    try:
        return import_module(name)
    except UNLOADABLE:
        return None
