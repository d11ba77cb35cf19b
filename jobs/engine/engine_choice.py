"""The choice of the engine: `auto` uses processes on this machine for a small store and Spark for a large one."""

import importlib.util
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jobs.engine.interface import Engine
from jobs.engine.local_engine import LocalEngine
from jobs.engine.progress import print_message
from jobs.engine.spark_engine import SparkEngine, page_count
from parcels.common import machine
from parcels.errors import ConfigError
from parcels.store import Store

AUTO, LOCAL, SPARK = ENGINES = ("auto", "local", "spark")
LOCAL_PAGES = 10_000  # `auto` does not use Spark for up to so many pages
ALL_CORES = "local[*]"


@dataclass(frozen=True)
class EngineOptions:
    """The engine options that the user gave. None or empty: not given."""

    engine: str = AUTO
    master: str | None = None
    workers: int | None = None
    spark_flags: tuple[str, ...] = ()  # given flags that only Spark supports


def choose_engine(
    options: EngineOptions, store: Store, crawl: str | None, *, open_spark: Callable[[str], Any]
) -> Engine:
    """Return the engine for the pages of a store. `open_spark` opens a Spark session at a master."""
    _check(options)
    is_local = options.engine == LOCAL
    if options.engine == AUTO and not options.master and not options.spark_flags:
        count = page_count(store, crawl)
        is_local = count <= LOCAL_PAGES or options.workers is not None
        if not is_local and not has_spark():
            is_local = True
            print_message(
                f"{count:,} pages run in processes on this machine: Spark is not installed (see parcels doctor)"
            )
    if not is_local:
        return SparkEngine(open_session=lambda: open_spark(options.master or ALL_CORES))
    may_use_spark = options.engine == AUTO and has_spark()  # for jobs that need it
    return LocalEngine(
        options.workers or cores(), open_session=(lambda: open_spark(ALL_CORES)) if may_use_spark else None
    )


def has_spark() -> bool:
    """Return whether pyspark and Java are installed."""
    return importlib.util.find_spec("pyspark") is not None and machine.java_home() is not None


def cores() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _check(options: EngineOptions) -> None:
    spark_flags = ["--master"] * bool(options.master) + list(options.spark_flags)
    if options.workers is not None and options.workers < 1:
        raise ConfigError(f"--workers must be at least 1, got {options.workers}.")
    if options.engine == LOCAL and spark_flags:
        raise ConfigError(
            f"--engine local does not support {', '.join(spark_flags)}: leave it out, or use --engine spark."
        )
    if options.workers is not None and (options.engine == SPARK or spark_flags):
        raise ConfigError("--workers needs --engine local. With Spark, use --master local[N].")
