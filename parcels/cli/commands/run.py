"""`parcels run`: run jobs over a store, in processes of this machine or on Spark, which is imported on demand."""

import argparse
import importlib
from typing import Any

from parcels.common.optional import missing_extra
from parcels.errors import ConfigError

HELP = (
    "Run jobs over a store, on this machine or on a Spark cluster: "
    "divide, featurize, duplicates, cotrain, classify, articles, segment, pagetypes, topics, or a range."
)
DEFAULT_JOB = "divide..pagetypes"  # all jobs but topics, which needs a custom model
EXAMPLE = """
parcels run --store STORE
parcels run divide..articles --store STORE
parcels run divide..articles --store STORE --engine local --workers 4
parcels run classify --store STORE --model my-model --master spark://127.0.0.1:7077
parcels run cotrain --store STORE --name mine --rounds 12
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add(
        "job",
        metavar="JOB[..JOB]",
        nargs="?",
        default=DEFAULT_JOB,
        help="divide, featurize, duplicates, cotrain, classify, articles, segment, pagetypes, topics, or a range "
        f"(default {DEFAULT_JOB})",
    )
    add("--store", required=True, help="folder or URI of the store")
    add(
        "--engine", default="auto", choices=("auto", "local", "spark"),
        help="local: processes here, without Java; auto: local up to 10,000 pages without --master (default auto)",
    )  # fmt: skip
    add("--workers", type=int, metavar="N", help="processes of the local engine (default: one per core)")
    add("--master", help="Spark master: local[N], spark://HOST:PORT, yarn or k8s://… (default local[*])")
    job_arguments(parser)
    add("--conf", action="append", default=[], metavar="KEY=VALUE", help="a Spark setting; can be repeated")
    add("--event-log", metavar="DIR", help="folder of Spark's event log, for the history server")


def job_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the jobs, which `submit` passes on."""
    add = parser.add_argument
    add("--crawl", metavar="NAME", help="only this crawl (default: all)")
    add(
        "--divider", default="fine", choices=("fine", "coarse", "blockify"), help="divider of the blocks (default fine)"
    )
    add("--model", default="news", help="classify: a shipped model, a model in the store, or a folder (default news)")
    add(
        "--content-model",
        default="content",
        metavar="NAME",
        help="articles: a shipped model or a folder (default content)",
    )
    add(
        "--segmenter",
        default="segmenter",
        metavar="NAME",
        help="segment: a shipped model or a folder (default segmenter)",
    )
    add(
        "--page-type-model",
        default="pagetypes",
        metavar="NAME",
        help="pagetypes: a shipped model or a folder (default pagetypes)",
    )
    add(
        "--topic-model",
        default="topics",
        metavar="NAME",
        help="topics: a folder, or the name of a model to train (default topics)",
    )
    add("--seconds", type=float, default=20.0, metavar="S", help="CPU seconds per page (default 20)")
    add("--name", default="cotrained", metavar="NAME", help="cotrain: name of the model (default cotrained)")
    add("--rounds", type=int, default=20, metavar="N", help="cotrain: rounds at most (default 20)")
    add("--k", type=int, default=20, metavar="N", help="cotrain: blocks that each view labels per round (default 20)")
    add("--u", type=int, default=2000, metavar="N", help="cotrain: unlabelled blocks per round (default 2000)")
    add("--seed", type=int, default=0, metavar="N", help="cotrain: seed of the order of blocks (default 0)")
    add(
        "--held-out",
        type=float,
        default=0.2,
        metavar="SHARE",
        help="cotrain: share of labelled sites that is held out (default 0.2)",
    )
    add("--agreed", action="store_true", help="cotrain: label only blocks on which both views agree")
    add("--self-weight", type=float, default=1.0, metavar="W", help="cotrain: weight of a co-trained block (default 1)")
    add("--patience", type=int, metavar="N", help="cotrain: stop after N rounds without improvement")
    add("--no-progress", action="store_true", help="show no progress")


def run(args: argparse.Namespace) -> None:
    """Run the jobs."""
    from parcels.store import open_store

    running = jobs("run")
    names = running.jobs_of(args.job)
    store = open_store(args.store)
    running.crawls_of(store, args.crawl)  # before the slow start of Spark
    settings = dict(_pair(text) for text in args.conf)
    if args.event_log:
        settings |= {"spark.eventLog.enabled": "true", "spark.eventLog.dir": args.event_log}

    def opened(master: str) -> Any:
        spark = jobs("engine.session").open_session(master, name=f"parcels {args.job}", settings=settings)
        if not args.no_progress and spark.sparkContext.uiWebUrl:
            jobs("engine.progress").print_message(f"Spark UI: {spark.sparkContext.uiWebUrl}")
        return spark

    choice = jobs("engine.engine_choice")
    of_spark = tuple(["--conf"] * bool(args.conf) + ["--event-log"] * bool(args.event_log))
    wanted = choice.EngineOptions(args.engine, args.master, args.workers, of_spark)
    engine = choice.choose_engine(wanted, store, args.crawl, open_spark=opened)
    try:
        running.run_jobs(
            engine, store, names, crawl=args.crawl, options=options(args), show_progress=not args.no_progress
        )
    finally:
        engine.close()


def options(args: argparse.Namespace) -> Any:
    """Return the typed options of the jobs."""
    training = {name: getattr(args, name) for name in ("name", "rounds", "k", "u", "seed", "held_out", "patience")}
    training |= {"self_weight": args.self_weight, "is_agreed": args.agreed}
    models = {"model": args.model, "content_model": args.content_model, "segmenter": args.segmenter}
    models |= {"page_type_model": args.page_type_model, "topic_model": args.topic_model}
    return jobs("engine.job_context").JobOptions(divider=args.divider, seconds=args.seconds, cotrain=training, **models)


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise ConfigError(f"Invalid --conf {text}: write KEY=VALUE.")
    return key, value


def jobs(module: str) -> Any:
    """Import a module of the jobs by name, since imports point from the jobs to this package."""
    try:
        return importlib.import_module(f"jobs.{module}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("jobs", "parcels"):
            raise
        raise missing_extra(f"Jobs need {error.name}", extra="spark") from error
