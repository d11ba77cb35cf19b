"""The compiled modules: their list (compiled.txt), and whether they are built and up to date.

Every listed module is plain Python that Cython compiles, or a `.pyx`. setup.py writes the hashes of the sources that it
compiled to compiled-from.txt, so that changed sources are recognised regardless of file times. This file uses only the
standard library: setup.py and deploy/setup.py run it before anything is installed.
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
FIX = "run make setup in a checkout, or pip install --force-reinstall --no-deps with a C compiler"


class CompiledWarning(UserWarning):
    """Warning that compiled modules are missing or older than their source."""


class Module(NamedTuple):
    """A listed module with its source and binary."""

    name: str
    source: Path
    binary: Path | None  # imported instead of the source; None where the module is not compiled

    @property
    def sources(self) -> list[Path]:
        """Return the files that the module is compiled from: its source, and its `.pxd` if it has one."""
        return [self.source, *filter(Path.is_file, [self.source.with_suffix(".pxd")])]


class Faults(NamedTuple):
    """The modules that are not compiled (missing), and those compiled from an older source (stale)."""

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
    """Yield the listed modules; raise FileNotFoundError for one without a source."""
    for name in names(root):
        path = root.joinpath(*name.split(".")[1:])
        source = next((path.with_suffix(end) for end in (".py", ".pyx") if path.with_suffix(end).is_file()), None)
        if source is None:
            raise FileNotFoundError(f"{root / LIST} lists {name}, but there is no {path}.py or .pyx: remove the line.")
        binaries = (path.with_suffix(end) for end in EXTENSION_SUFFIXES)
        yield Module(name, source, next(filter(Path.is_file, binaries), None))


def digests(paths: Iterable[Path], root: Path = ROOT) -> dict[str, str]:
    """Return the SHA-256 of files, by their path in the package."""
    return {path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def recorded(root: Path = ROOT) -> dict[str, str]:
    """Return the digests of the sources that the binaries were compiled from; empty if nothing was compiled."""
    record = root / RECORD
    lines = record.read_text().splitlines() if record.is_file() else []
    pairs = (line.split(maxsplit=1) for line in lines if line and not line.startswith("#"))
    return {path: digest for digest, path in pairs}


def faults(root: Path = ROOT) -> Faults:
    """Return the listed modules that are not compiled, and those compiled from another version of their source."""
    listed, compiled_from = list(modules(root)), recorded(root)
    present = [module for module in listed if module.binary]
    stale = [module.name for module in present if not digests(module.sources, root).items() <= compiled_from.items()]
    return Faults([module.name for module in listed if not module.binary], stale)


def unloadable(listed: Iterable[Module]) -> dict[str, str]:
    """Return the compiled modules that cannot be imported, with the error of each."""
    errors = {}
    for module in listed:
        if module.binary is not None:
            try:
                import_module(module.name)
            except UNLOADABLE as error:
                errors[module.name] = f"{type(error).__name__}: {error}"
    return errors


def advice(faults_: Faults) -> str:
    """Return one line with the missing and stale modules and the fix; empty if there are none.

    >>> advice(Faults(["parcels.a"], [])).partition(" Fix: ")[0]
    '1 module is not compiled, so pages take many times longer (parcels.a).'
    """
    parts = []
    if faults_.missing:
        what = "module is" if len(faults_.missing) == 1 else "modules are"
        parts.append(f"{len(faults_.missing)} {what} not compiled, so pages take many times longer")
        parts[-1] += _examples(faults_.missing)
    if faults_.stale:
        what = "module is" if len(faults_.stale) == 1 else "modules are"
        parts.append(
            f"{len(faults_.stale)} {what} compiled from an older source, which runs instead of the present one"
        )
        parts[-1] += _examples(faults_.stale)
    return f"{'; '.join(parts)}. Fix: {FIX}." if parts else ""


def _examples(names: list[str]) -> str:
    return f" ({', '.join(names[:3])}{', …' if len(names) > 3 else ''})"


def warn_once(show: Callable[[str], object] | None = None) -> None:
    """Warn once per process if compiled modules are missing or stale, with `show` or as a Python warning."""
    global _has_warned
    if _has_warned:
        return
    _has_warned = True
    if text := advice(faults()):
        show(text) if show else warnings.warn(text, CompiledWarning, stacklevel=3)


_has_warned = False


def import_compiled(name: str) -> Any:
    """Import a module that exists only compiled; return None where it is not compiled."""
    try:
        return import_module(name)
    except UNLOADABLE:
        return None
