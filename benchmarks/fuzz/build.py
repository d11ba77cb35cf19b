"""Build a copy of the package with sanitizers and with every bounds check, apart from the package in use."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from parcels import compiled

UNCHECKED = re.compile(rb"\b(boundscheck|initializedcheck)(\s*[=(]\s*)False\b")
COMPILED_FROM = (".py", ".pyx", ".pxd")
LIBRARIES = ("libasan.so", "libstdc++.so.6")  # the second so that C++ exceptions of other packages are found


class CannotBuild(Exception):
    """The sanitized modules cannot be built; the message says why."""


def build(root: Path, folder: Path) -> None:
    """Copy setup.py and parcels/ from a project to a folder and compile there what has changed since the last time."""
    synchronise(root / "parcels", folder / "parcels")
    for name in ("setup.py", "pyproject.toml"):
        copy_changed(root / name, folder / name)
    environ = os.environ | {"PARCELS_SANITIZE": "yes", "PARCELS_COMPILE": "yes"}
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    with (folder / "build.log").open("w") as log:
        done = subprocess.run(command, cwd=folder, env=environ, stdout=log, stderr=log, check=False)
    if done.returncode or any(compiled.faults(folder / "parcels")):
        raise CannotBuild(f"the sanitized modules could not be built, see {folder / 'build.log'}")


def synchronise(source: Path, target: Path) -> None:
    """Make a copy of a package without binaries and caches; what is up to date or was built there stays."""
    wanted = {
        path.relative_to(source)
        for path in source.rglob("*")
        if path.is_file() and path.suffix not in (".so", ".pyc") and path.name != "compiled-from.txt"
    }
    for path in wanted:
        copy_changed(source / path, target / path)
    known = {path.with_suffix("") for path in wanted if path.suffix in COMPILED_FROM}
    for path in [path for path in target.rglob("*") if path.is_file() and path.name != "compiled-from.txt"]:
        name = path.relative_to(target)
        is_binary = path.suffix == ".so" and path.name.partition(".")[0] != "_cyutility"
        if name.with_name(name.name.partition(".")[0]) not in known if is_binary else is_left_over(name, wanted):
            path.unlink()


def is_left_over(name: Path, wanted: set[Path]) -> bool:
    """Return whether a file was copied once and has gone since."""
    return name not in wanted and name.suffix not in (".so", ".pyc")


def copy_changed(source: Path, target: Path) -> None:
    """Copy a file with its bounds checks switched on, unless its copy is the same already."""
    text = source.read_bytes()
    if source.suffix in COMPILED_FROM:
        text = UNCHECKED.sub(rb"\1\2True", text)
    if not target.is_file() or target.read_bytes() != text:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text)


def sanitizer_variables(memory_mb: int) -> dict[str, str]:
    """Return the variables with which a Python process runs sanitized modules and reports what they find."""
    compiler = os.environ.get("CC", "cc")
    if shutil.which(compiler) is None:
        raise CannotBuild("there is no C compiler: apt-get install gcc")
    found = []
    for name in LIBRARIES:
        words = [compiler, f"-print-file-name={name}"]
        path = subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
        if not Path(path).is_absolute():
            raise CannotBuild(f"{compiler} has no {name}: the sanitizers need gcc (apt-get install gcc, CC=gcc)")
        found.append(str(Path(path).resolve()))
    asan = {
        "detect_leaks": 0,  # the interpreter does not free everything at its end
        "alloc_dealloc_mismatch": 0,
        "allocator_may_return_null": 1,
        "hard_rss_limit_mb": memory_mb,
        "quarantine_size_mb": 64,
    }
    return {
        "LD_PRELOAD": " ".join(found),
        "ASAN_OPTIONS": ":".join(f"{name}={value}" for name, value in asan.items()),
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONMALLOC": "malloc",  # each object of Python is a block that the sanitizer knows
        "OPENBLAS_NUM_THREADS": "1",
    }
