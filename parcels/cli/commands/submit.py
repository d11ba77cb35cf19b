"""`parcels submit`: pack the environment and submit jobs to a cluster."""

import argparse
from pathlib import Path

from parcels.cli.commands.run import job_arguments, jobs
from parcels.errors import ConfigError

HELP = "Pack the environment and submit jobs to a cluster (standalone, YARN, Kubernetes) with spark-submit."
EXAMPLE = """
parcels submit divide..classify --store s3://bucket/store --master yarn --deploy-mode cluster
parcels submit divide --store /shared/store --master spark://127.0.0.1:7077 --dry-run
parcels submit divide --store s3://b/store --master k8s://https://c:6443 --conf spark.kubernetes.container.image=IMAGE
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("job", metavar="JOB[..JOB]", help="as in `parcels run`")
    add("--store", required=True, help="folder or URI of the store, reachable from every machine")
    add("--master", required=True, help="spark://HOST:PORT, yarn or k8s://…")
    add("--deploy-mode", default="client", choices=("client", "cluster"), help="where the driver runs (default client)")
    add("--archive", default="parcels-environment.tar.gz", metavar="FILE", help="file of the packed environment")
    add("--python", metavar="PROGRAM", help="Python program on the machines (default: python of this version)")
    add("--conf", action="append", default=[], metavar="KEY=VALUE", help="a Spark setting; can be repeated")
    add("--dry-run", action="store_true", help="print the command without packing")
    job_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Pack and submit, or print the command."""
    if args.master.startswith("local"):
        raise ConfigError(
            f"parcels submit needs a cluster, got --master {args.master}. On this machine, use parcels run."
        )
    jobs("run").jobs_of(args.job)
    submitting = jobs("engine.submit")
    archive = Path(args.archive).absolute()
    words = submitting.command(
        args.job, store=args.store, master=args.master, arguments=job_flags(args), archive=archive,
        deploy_mode=args.deploy_mode, conf=args.conf, python=args.python,
    )  # fmt: skip
    if args.dry_run:
        print(submitting.as_text(words))
        return 0
    jobs("engine.masters").check_master(args.master)  # before the slow packing
    submitting.pack(archive)
    return int(submitting.submit(words))


def job_flags(args: argparse.Namespace) -> list[str]:
    """Return the jobs' own flags that differ from their defaults, as words."""
    parser = argparse.ArgumentParser()
    job_arguments(parser)
    words: list[str] = []
    for action in parser._actions:
        value = getattr(args, action.dest, None)
        if action.dest == "help" or value is None or value == action.default:
            continue
        words += [action.option_strings[0]] if value is True else [action.option_strings[0], str(value)]
    return words
