"""Fixtures for external programs and corpora: a missing one skips its tests and is named in the summary."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from jobs.engine.session import QUICK_JAVA
from parcels import compiled
from parcels.common import machine

# A compiled module is not the file that pytest looks for doctests in; it is the same module nevertheless.
os.environ.setdefault("PY_IGNORE_IMPORTMISMATCH", "1")
ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 20.0


class RedisServer(NamedTuple):
    """A server that belongs to this test run."""

    url: str
    port: int
    pid: int
    folder: Path


def corpora_folder() -> Path:
    return Path(os.environ.get("PARCELS_CORPORA") or ROOT.parent / "shared" / "data")


def without_corpora() -> str | None:
    folder = corpora_folder()
    return None if folder.is_dir() else f"corpora not found at {folder}: set PARCELS_CORPORA"


def without_spark() -> str | None:
    if find_spec("pyspark") is None:
        return "no pyspark: make setup"
    return None if machine.java_home() else f"no Java {machine.JAVA_NEEDED} or newer: make setup"


def without_redis() -> str | None:
    return None if machine.redis_server() else "no Redis server: make setup, or apt-get install redis-server"


def without_chromium() -> str | None:
    return None if machine.chromium() else "no Chromium: make setup, or apt-get install chromium"


LACKS: dict[str, Callable[[], str | None]] = {
    "corpus": without_corpora,
    "spark": without_spark,
    "redis": without_redis,
    "chromium": without_chromium,
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what cannot run here; keep Spark tests in one process, so that one session serves them all."""
    for mark, lack in LACKS.items():
        marked = [item for item in items if item.get_closest_marker(mark)]
        reason = lack() if marked else None
        for item in marked:
            if reason:
                item.add_marker(pytest.mark.skip(reason=reason))
            if mark == "spark":
                item.add_marker(pytest.mark.xdist_group("spark"))


def pytest_report_header() -> str:
    """Report how much runs compiled, and what runs the code of an older source."""
    return f"compiled: {compiled.advice(compiled.faults()) or f'all {len(compiled.names())} modules'}"


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name a parameter of bytes after its argument: packed bytes hold the time, and all processes must agree."""
    return argname if isinstance(val, bytes) else None


def found(reason: str | None) -> None:
    """Skip a test that asks for a fixture without carrying its mark."""
    if reason:
        pytest.skip(reason)


@pytest.fixture(scope="session")
def corpora() -> Path:
    """Folder of the labelled corpora."""
    found(without_corpora())
    return corpora_folder()


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A Spark session with two threads and no UI."""
    found(without_spark())
    os.environ |= {
        "JAVA_HOME": str(machine.java_home()),
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    from pyspark.sql import SparkSession

    folder = tmp_path_factory.mktemp("spark")
    session = (
        SparkSession.builder.master("local[2]")
        .appName("parcels tests")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "1g")
        .config("spark.driver.extraJavaOptions", QUICK_JAVA)
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.warehouse.dir", str(folder / "warehouse"))
        .config("spark.local.dir", str(folder / "local"))
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """A real Redis server on a free loopback port, with append-only persistence in a folder of its own."""
    found(without_redis())
    folder = tmp_path_factory.mktemp("redis")
    port = free_port()
    settings = {"bind": "127.0.0.1", "port": port, "dir": folder, "appendonly": "yes", "save": ""}
    arguments = [word for name, value in settings.items() for word in (f"--{name}", str(value))]
    with (folder / "redis.log").open("w") as log:
        process = subprocess.Popen([str(machine.redis_server()), *arguments], stdout=log, stderr=log)
    try:
        wait_for_port(port, process, folder / "redis.log")
        yield RedisServer(f"redis://127.0.0.1:{port}/0", port, process.pid, folder)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGTERM)
        process.wait(START_SECONDS)


@pytest.fixture(scope="session")
def chromium_path() -> Path | None:
    """The Chromium to start."""
    found(without_chromium())
    return machine.chromium()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for_port(port: int, process: "subprocess.Popen[bytes]", log: Path) -> None:
    ends = time.monotonic() + START_SECONDS
    while time.monotonic() < ends and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1) as server:
            server.sendall(b"PING\r\n")
            if server.recv(16).startswith(b"+PONG"):
                return
        time.sleep(0.02)
    raise RuntimeError(f"the Redis server did not start on port {port}:\n{log.read_text()}")
