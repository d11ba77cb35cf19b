"""Compile the modules that parcels/compiled.txt lists; everything else about the package is in pyproject.toml.

Variables of the environment:
- PARCELS_COMPILE=no compiles nothing; =yes makes a failure an error, as for wheels. Otherwise a module that cannot be
  compiled is a warning here and at run time, and all modules run interpreted, many times slower.
- PARCELS_SANITIZE=yes adds AddressSanitizer, UndefinedBehaviorSanitizer and all bounds checks (`make sanitize`).
"""

import os
import platform
import runpy
import shutil
import subprocess
import sys
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError

ROOT = Path(__file__).resolve().parent
COMPILED = runpy.run_path(str(ROOT / "parcels" / "compiled.py"))  # importing the package may need what is not built yet
PACKAGE = ROOT / "parcels"
RECORD = PACKAGE / COMPILED["RECORD"]
CORES = os.cpu_count() or 1
SANITIZED = os.environ.get("PARCELS_SANITIZE") == "yes"
# No fused multiply-add: results must be the same on every machine.
FLAGS = ["-O2", "-g0", "-ffp-contract=off", "-Wno-unreachable-code", "-Wno-unused-function"]
MSVC_FLAGS = ["/O2", "/fp:precise"]
SANITIZER_FLAGS = [
    *["-O1", "-g1", "-fno-omit-frame-pointer", "-ffp-contract=off", "-Wno-unused-function"],
    "-fsanitize=address,undefined,float-cast-overflow",
]
MODULE_FLAGS = {f"parcels.{name}": ["-O3"] for name in ("learn.network", "learn.products", "text.tagging.greedy")}
SHARED = "parcels._cyutility"  # support for typed memoryviews, compiled once for all modules
DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,  # annotations are for people and mypy, unless a module's header says otherwise
    "boundscheck": SANITIZED,  # of typed memoryviews and strings
    "initializedcheck": SANITIZED,
    "autotestdict": False,  # doctests are found in the sources
}


def extensions() -> list[Extension]:
    """Return one extension per listed module, as C; without sources where nothing has to be compiled."""
    if os.environ.get("PARCELS_COMPILE") == "no":
        return []
    os.chdir(ROOT)
    modules = list(COMPILED["modules"]())
    if not modules:
        return []
    if is_up_to_date(modules):
        return [Extension(name, []) for name in (SHARED, *(module.name for module in modules))]
    from Cython.Build import cythonize
    from Cython.Compiler import Options

    Options.emit_code_comments = False
    force = must_compile_all()
    shared = Path("build/cython/parcels/_cyutility.c")
    if force or not shared.is_file():
        shared.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "cython", f"--generate-shared={shared}"], check=True)
    found = cythonize(
        [
            Extension(
                module.name,
                [str(module.source.relative_to(ROOT))],
                include_dirs=lxml_includes() if module.source.suffix == ".pyx" else [],
                extra_compile_args=MODULE_FLAGS.get(module.name, []),
            )
            for module in modules
        ],
        build_dir="build/cython",
        compiler_directives=DIRECTIVES,
        shared_utility_qualified_name=SHARED,
        nthreads=CORES,
        force=force,
        quiet=True,
    )
    found.append(Extension(SHARED, [str(shared)]))
    return sorted(found, key=lambda extension: -Path(extension.sources[0]).stat().st_size)  # the longest first


def lxml_includes() -> list[str]:
    """Return the folders of the headers that a `.pyx` needs to read lxml's trees."""
    import lxml

    return lxml.get_include()


def is_up_to_date(modules: list) -> bool:
    """Return whether the binaries beside the sources were made by these tools from these very sources."""
    binaries = [module.binary for module in modules] + list(PACKAGE.glob("_cyutility.*"))
    is_there = None not in binaries and len(binaries) > len(modules)
    return is_there and made_by_these_tools() and digests() == COMPILED["recorded"]() and "--force" not in sys.argv


def must_compile_all() -> bool:
    """Return whether times of files cannot tell which binaries to make again.

    So it is where they were made with other tools or flags, or where a file has changed but is older than they are (it
    was restored, or copied with its time).
    """
    if not made_by_these_tools():
        return True
    changed = digests().items() - COMPILED["recorded"]().items()
    return any((PACKAGE / path).stat().st_mtime <= RECORD.stat().st_mtime for path, _ in changed)


def made_by_these_tools() -> bool:
    """Return whether the binaries beside the sources were made with these flags and versions."""
    return RECORD.is_file() and RECORD.read_text().startswith(tools())


def digests() -> dict[str, str]:
    """Return the SHA-256 of all files that decide the binaries."""
    sources = (path for module in COMPILED["modules"]() for path in module.sources)
    return COMPILED["digests"]({*sources, *PACKAGE.rglob("*.pxd")})


def tools() -> str:
    """Return the first line of the record: what decides the binaries apart from their sources."""
    of = sha256(Path(__file__).read_bytes()).hexdigest()[:16]
    known = f"setup.py {of}, Python {platform.python_version()}, Cython {version('cython')}, lxml {version('lxml')}"
    return f"# {known}{', sanitized' if SANITIZED else ''}\n"


class BuildModules(build_ext):
    """Build the listed modules on all cores, and record what they were built from."""

    def finalize_options(self) -> None:
        """Use all cores unless a number is given."""
        super().finalize_options()
        self.parallel = self.parallel or CORES

    def run(self) -> None:
        """Build all modules or none, since they use each other's C types."""
        if not self.extensions:
            return
        record = RECORD if self.inplace else Path(self.build_lib, "parcels", RECORD.name)
        record.unlink(missing_ok=True)
        try:
            super().run()
        except (BaseError, CCompilerError, OSError) as error:
            if os.environ.get("PARCELS_COMPILE") == "yes":
                raise
            self.warn(f"the modules of parcels/compiled.txt run interpreted, many times slower: {error}")
            for extension in self.extensions:
                self.binary(extension).unlink(missing_ok=True)
            self.extensions = []
        else:
            lines = [f"{digest}  {path}\n" for path, digest in sorted(digests().items())]
            record.write_text("".join([tools(), *lines]))

    def build_extensions(self) -> None:
        """Give every module the flags of the compiler at hand."""
        flags = MSVC_FLAGS if self.compiler.compiler_type == "msvc" else SANITIZER_FLAGS if SANITIZED else FLAGS
        for extension in self.extensions:
            extension.extra_compile_args = [*flags, *extension.extra_compile_args]
            extension.extra_link_args = [flag for flag in flags if flag.startswith("-fsanitize")]
        super().build_extensions()

    def build_extension(self, extension: Extension) -> None:
        """Build one module; one that is up to date beside its source is only copied, where the build is elsewhere."""
        if extension.sources:
            super().build_extension(extension)
        elif not self.inplace:
            binary = self.binary(extension)
            binary.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / self.get_ext_filename(extension.name), binary)

    def binary(self, extension: Extension) -> Path:
        """Return where a module's binary is written."""
        return Path(self.get_ext_fullpath(extension.name))


setup(ext_modules=extensions(), cmdclass={"build_ext": BuildModules})
