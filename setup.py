"""Compiles the hot modules where there is a C compiler; everything else about the package is in pyproject.toml.

A module with a `.pxd` beside it (the C types of what its source says in plain Python) is compiled, and so is every
`.pyx`: all of them or none, since some hand each other C types. Without a compiler the same sources run interpreted,
with the same results, only slower. PARCELS_COMPILE=no leaves compiling out.
"""

import os
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError

ROOT = Path(__file__).resolve().parent
# No fused multiply-add: compiled and interpreted sources must give the same bits on every machine.
FLAGS = ["-O2", "-g0", "-ffp-contract=off", "-Wno-unreachable-code", "-Wno-unused-function"]
SHARED = "parcels._cyutility"  # support for typed arrays, compiled once for all modules
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

    shared = Path("build/cython/parcels/_cyutility.c")
    shared.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "-m", "cython", f"--generate-shared={shared}"], check=True)
    modules = [
        Extension(
            ".".join(source.with_suffix("").parts),
            [str(source)],
            include_dirs=_includes() if source.suffix == ".pyx" else [],
            extra_compile_args=FLAGS,
        )
        for source in sorted(sources)
    ]
    return [
        Extension(SHARED, [str(shared)], extra_compile_args=FLAGS),
        *cythonize(
            modules,
            build_dir="build/cython",
            compiler_directives=DIRECTIVES,
            shared_utility_qualified_name=SHARED,
            nthreads=os.cpu_count() or 1,
            quiet=True,
        ),
    ]


def _includes() -> list[str]:
    """Where the headers of what a `.pyx` reads directly are: lxml's trees."""
    import lxml

    return lxml.get_include()


class AllOrNone(build_ext):
    """Builds every module, or leaves none where one cannot be built."""

    def run(self) -> None:
        """Build, or warn."""
        try:
            super().run()
        except (BaseError, CCompilerError, OSError) as error:
            self.warn(f"the hot modules run interpreted, with the same results but slower: {error}")
            for extension in self.extensions:
                for path in (
                    self.get_ext_fullpath(extension.name),
                    Path(self.build_lib, self.get_ext_filename(extension.name)),
                ):
                    Path(path).unlink(missing_ok=True)
            self.extensions = []


setup(ext_modules=extensions(), cmdclass={"build_ext": AllOrNone})
