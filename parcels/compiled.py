"""The compiled modules: which there are (compiled.txt), and whether those here are built and up to date.

Every listed module is plain Python that Cython compiles, or a `.pyx`. setup.py writes compiled-from.txt, the hashes of
the sources that it compiled, so that a source changed since then is found wherever the package is, whatever the times
of its files. Standard library only: setup.py and deploy/setup.py run this file before anything is installed.
"""

import hashlib
import warnings
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent
LIST = "compiled.txt"
RECORD = "compiled-from.txt"
UNLOADABLE = (ImportError, TypeError, ValueError)  # raised by a module built for another lxml, NumPy or Python
FIX = "make setup in a checkout, or pip install --force-reinstall --no-deps where a C compiler is"


class CompiledWarning(UserWarning):
    """Some compiled modules are missing or older than their source."""


class Module(NamedTuple):
    """A module of the list."""

    name: str
    source: Path
    binary: Path | None  # imported instead of the source; None where the module is not compiled

    @property
    def sources(self) -> list[Path]:
        """Return the files that the module is compiled from: its source, and the `.pxd` beside it if there is one."""
        return [self.source, *filter(Path.is_file, [self.source.with_suffix(".pxd")])]


class Faults(NamedTuple):
    """The names of modules that run interpreted, and of modules whose source has changed since it was compiled."""

    missing: list[str]
    stale: list[str]


def names(root: Path = ROOT) -> list[str]:
    """Return the dotted names of the listed modules.

    >>> "parcels.layout.boxes.flow.floats" in names()
    True
    """
    lines = (line.partition("#")[0].strip() for line in (root / LIST).read_text().splitlines())
    return [line for line in lines if line]


def modules(root: Path = ROOT) -> Iterator[Module]:
    """Yield the listed modules; raises FileNotFoundError for one without a source."""
    for name in names(root):
        path = root.joinpath(*name.split(".")[1:])
        source = next((path.with_suffix(end) for end in (".py", ".pyx") if path.with_suffix(end).is_file()), None)
        if source is None:
            raise FileNotFoundError(f"{root / LIST} lists {name}, but there is no {path}.py or .pyx: remove the line.")
        found = (path.with_suffix(end) for end in EXTENSION_SUFFIXES)
        yield Module(name, source, next(filter(Path.is_file, found), None))


def digests(paths: Iterable[Path], root: Path = ROOT) -> dict[str, str]:
    """Return the SHA-256 of files, by their path in the package."""
    return {path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def recorded(root: Path = ROOT) -> dict[str, str]:
    """Return the digests of the files that the binaries here were compiled from; empty where nothing was compiled."""
    record = root / RECORD
    lines = record.read_text().splitlines() if record.is_file() else []
    pairs = (line.split(maxsplit=1) for line in lines if line and not line.startswith("#"))
    return {path: digest for digest, path in pairs}


def faults(root: Path = ROOT) -> Faults:
    """Return which listed modules are not compiled, and which were compiled from another source than is here."""
    found, known = list(modules(root)), recorded(root)
    present = [module for module in found if module.binary]
    stale = [module.name for module in present if not digests(module.sources, root).items() <= known.items()]
    return Faults([module.name for module in found if not module.binary], stale)


def unloadable(found: Iterable[Module]) -> dict[str, str]:
    """Return the compiled modules that cannot be imported here, with the error of each."""
    wrong = {}
    for module in found:
        if module.binary is not None:
            try:
                import_module(module.name)
            except UNLOADABLE as error:
                wrong[module.name] = f"{type(error).__name__}: {error}"
    return wrong


def advice(found: Faults) -> str:
    """Return one line that names what is missing or stale and the fix; an empty string where nothing is.

    >>> advice(Faults(["parcels.a"], [])).partition(" Fix: ")[0]
    '1 module is not compiled, so that pages take many times longer (parcels.a).'
    """
    parts = []
    if found.missing:
        what = "module is" if len(found.missing) == 1 else "modules are"
        parts.append(f"{len(found.missing)} {what} not compiled, so that pages take many times longer")
        parts[-1] += _examples(found.missing)
    if found.stale:
        what = "module is" if len(found.stale) == 1 else "modules are"
        parts.append(f"{len(found.stale)} {what} compiled from an older source, which runs instead of the present one")
        parts[-1] += _examples(found.stale)
    return f"{'; '.join(parts)}. Fix: {FIX}." if parts else ""


def _examples(names: list[str]) -> str:
    return f" ({', '.join(names[:3])}{', …' if len(names) > 3 else ''})"


def warn_once(show: Callable[[str], object] | None = None) -> None:
    """Warn, once per process, where compiled modules are missing or stale; by `show` instead of as a Python warning."""
    global _has_warned
    if _has_warned:
        return
    _has_warned = True
    if text := advice(faults()):
        show(text) if show else warnings.warn(text, CompiledWarning, stacklevel=3)


_has_warned = False


def loaded(name: str) -> Any:
    """Return a module that exists only compiled; None where it is not, and its callers do the same without it."""
    try:
        return import_module(name)
    except UNLOADABLE:
        return None
