"""Compiles the hot modules where there is a C compiler; everything else about the package is in pyproject.toml.

A module with a `.pxd` beside it (the C types of what its source says in plain Python) is compiled, and so is every
`.pyx`. Each is optional: without a compiler the same sources run interpreted, with the same results, only slower.
PARCELS_COMPILE=no leaves compiling out.
"""

import os
from pathlib import Path

from setuptools import Extension, setup

ROOT = Path(__file__).resolve().parent
# No fused multiply-add: compiled and interpreted sources must give the same bits on every machine.
FLAGS = ["-O2", "-ffp-contract=off", "-Wno-unreachable-code", "-Wno-unused-function"]
DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,  # annotations speak to people and mypy; C types stand in the .pxd
    "boundscheck": False,  # of typed arrays; lists are always checked
    "initializedcheck": False,
    "autotestdict": False,  # doctests are found where they stand
}


def extensions() -> list[Extension]:
    """One extension a module."""
    if os.environ.get("PARCELS_COMPILE") == "no":
        return []
    os.chdir(ROOT)
    sources = [path.with_suffix(".py") for path in Path("parcels").rglob("*.pxd") if path.with_suffix(".py").is_file()]
    sources += Path("parcels").rglob("*.pyx")
    if not sources:
        return []
    from Cython.Build import cythonize

    modules = [
        Extension(
            ".".join(source.with_suffix("").parts),
            [str(source)],
            include_dirs=_includes() if source.suffix == ".pyx" else [],
            extra_compile_args=FLAGS,
            optional=True,
        )
        for source in sorted(sources)
    ]
    return cythonize(modules, build_dir="build/cython", compiler_directives=DIRECTIVES, quiet=True)


def _includes() -> list[str]:
    """Where the headers of what a `.pyx` reads directly are: lxml's trees."""
    import lxml

    return lxml.get_include()


setup(ext_modules=extensions())
