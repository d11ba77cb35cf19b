"""`parcels run`: jobs over a store, by processes of this machine or by Spark, which is loaded when it is needed."""

import argparse
import importlib
from typing import Any

from parcels.common.optional import missing_extra
from parcels.errors import ConfigError

HELP = (
    "Run jobs over a store, on this machine or on a Spark cluster: "
    "divide, featurize, duplicates, cotrain, classify, articles, segment, pagetypes, topics, or a range."
)
DEFAULT_JOB = "divide..pagetypes"  # everything but topics, which needs a model of one's own
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
        help="local: processes here, without Java; auto: local up to 10,000 pages and without --master (default auto)",
    )  # fmt: skip
    add("--workers", type=int, metavar="N", help="processes of the local engine (default: one for each core)")
    add("--master", help="of Spark: local[N], spark://HOST:PORT, yarn or k8s://… (default local[*])")
    job_arguments(parser)
    add("--conf", action="append", default=[], metavar="KEY=VALUE", help="a setting of Spark; may be given again")
    add("--event-log", metavar="DIR", help="where Spark keeps its event log, for the history server")


def job_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the jobs themselves, which `submit` hands on."""
    add = parser.add_argument
    add("--crawl", metavar="NAME", help="only this crawl (default: all)")
    add("--divider", default="fine", choices=("fine", "coarse", "blockify"), help="(default fine)")
    add("--model", default="news", help="classify: shipped model, one that cotrain made, or a folder (default news)")
    add("--content-model", default="content", metavar="NAME", help="articles: shipped, or a folder (default content)")
    add("--segmenter", default="segmenter", metavar="NAME", help="segment: shipped, or a folder (default segmenter)")
    add("--page-type-model", default="pagetypes", metavar="NAME", help="pagetypes: shipped, or a folder (pagetypes)")
    add("--topic-model", default="topics", metavar="NAME", help="topics: a folder, or the name of the model to train")
    add("--seconds", type=float, default=20.0, metavar="S", help="of CPU for one page (default 20)")
    add("--name", default="cotrained", metavar="NAME", help="cotrain: name of the model (default cotrained)")
    add("--rounds", type=int, default=20, metavar="N", help="cotrain: at most (default 20)")
    add("--k", type=int, default=20, metavar="N", help="cotrain: blocks that a view labels in a round (default 20)")
    add("--u", type=int, default=2000, metavar="N", help="cotrain: blocks that a round looks at (default 2000)")
    add("--seed", type=int, default=0, metavar="N", help="cotrain: which blocks come first (default 0)")
    add("--held-out", type=float, default=0.2, metavar="SHARE", help="cotrain: of the labelled sites (default 0.2)")
    add("--agreed", action="store_true", help="cotrain: label only blocks on which both views agree")
    add("--self-weight", type=float, default=1.0, metavar="W", help="cotrain: of a block of the pool (default 1)")
    add("--patience", type=int, metavar="N", help="cotrain: stop when so many rounds have not helped")
    add("--no-progress", action="store_true", help="say nothing while it runs")


def run(args: argparse.Namespace) -> None:
    """Run the jobs."""
    from parcels.store import open_store

    running = jobs("run")
    names = running.jobs_of(args.job)
    store = open_store(args.store)
    running.crawls_of(store, args.crawl)  # before Spark starts, which takes seconds
    settings = dict(_pair(text) for text in args.conf)
    if args.event_log:
        settings |= {"spark.eventLog.enabled": "true", "spark.eventLog.dir": args.event_log}

    def opened(master: str) -> Any:
        spark = jobs("engine.session").open_session(master, name=f"parcels {args.job}", settings=settings)
        if not args.no_progress and spark.sparkContext.uiWebUrl:
            jobs("engine.telling").tell(f"Spark's own view: {spark.sparkContext.uiWebUrl}")
        return spark

    choosing = jobs("engine.choosing")
    of_spark = tuple(["--conf"] * bool(args.conf) + ["--event-log"] * bool(args.event_log))
    wanted = choosing.Wanted(args.engine, args.master, args.workers, of_spark)
    engine = choosing.choose_engine(wanted, store, args.crawl, opening=opened)
    try:
        running.run_jobs(engine, store, names, crawl=args.crawl, options=options(args), tells=not args.no_progress)
    finally:
        engine.close()


def options(args: argparse.Namespace) -> Any:
    """The typed options of the jobs."""
    training = {name: getattr(args, name) for name in ("name", "rounds", "k", "u", "seed", "held_out", "patience")}
    training |= {"self_weight": args.self_weight, "is_agreed": args.agreed}
    models = {"model": args.model, "content_model": args.content_model, "segmenter": args.segmenter}
    models |= {"page_type_model": args.page_type_model, "topic_model": args.topic_model}
    return jobs("engine.work").Options(divider=args.divider, seconds=args.seconds, cotrain=training, **models)


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise ConfigError(f"--conf {text}: write KEY=VALUE")
    return key, value


def jobs(module: str) -> Any:
    """A module of the jobs. Imports point from them to here, so the command line finds them by name."""
    try:
        return importlib.import_module(f"jobs.{module}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("jobs", "parcels"):
            raise
        raise missing_extra(f"jobs need {error.name}", extra="spark") from error
