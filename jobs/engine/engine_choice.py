"""Which engine runs the jobs: `auto` takes processes on this machine for a small store, and Spark for a large one."""

import importlib.util
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jobs.engine.interface import Engine
from jobs.engine.local_engine import LocalEngine
from jobs.engine.spark_engine import SparkEngine, page_count
from jobs.engine.telling import tell
from parcels.common import machine
from parcels.errors import ConfigError
from parcels.store import Store

AUTO, LOCAL, SPARK = ENGINES = ("auto", "local", "spark")
LOCAL_PAGES = 10_000  # up to so many pages `auto` does without Spark
ALL_CORES = "local[*]"


@dataclass(frozen=True)
class Wanted:
    """The engine settings that the user gave; None and empty where none were given."""

    engine: str = AUTO
    master: str | None = None
    workers: int | None = None
    spark_settings: tuple[str, ...] = ()  # flags that only Spark knows and that were given


def choose_engine(wanted: Wanted, store: Store, crawl: str | None, *, opening: Callable[[str], Any]) -> Engine:
    """The engine for the pages of a store; `opening` opens a Spark session at a master."""
    _check(wanted)
    is_local = wanted.engine == LOCAL
    if wanted.engine == AUTO and not wanted.master and not wanted.spark_settings:
        count = page_count(store, crawl)
        is_local = count <= LOCAL_PAGES or wanted.workers is not None
        if not is_local and not has_spark():
            is_local = True
            tell(f"{count:,} pages in processes of this machine: Spark is not there (parcels doctor)")
    if not is_local:
        return SparkEngine(opening=lambda: opening(wanted.master or ALL_CORES))
    may_use_spark = wanted.engine == AUTO and has_spark()  # for what only Spark can do
    return LocalEngine(wanted.workers or cores(), opening=(lambda: opening(ALL_CORES)) if may_use_spark else None)


def has_spark() -> bool:
    """True where pyspark and a Java are installed."""
    return importlib.util.find_spec("pyspark") is not None and machine.java_home() is not None


def cores() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _check(wanted: Wanted) -> None:
    of_spark = ["--master"] * bool(wanted.master) + list(wanted.spark_settings)
    if wanted.workers is not None and wanted.workers < 1:
        raise ConfigError(f"--workers is a number of processes: 1 or more, not {wanted.workers}")
    if wanted.engine == LOCAL and of_spark:
        raise ConfigError(f"{', '.join(of_spark)}: only Spark knows this. Leave it out, or use --engine spark.")
    if wanted.workers is not None and (wanted.engine == SPARK or of_spark):
        raise ConfigError("--workers is for --engine local; with Spark use --master local[N]")
