"""`parcels submit`: the environment packed, the jobs handed to a cluster."""

import argparse
from pathlib import Path

from parcels.cli.commands.run import job_arguments, jobs
from parcels.errors import ConfigError

HELP = "Pack the environment and hand jobs to a cluster (standalone, YARN, Kubernetes) by spark-submit."
EXAMPLE = """
parcels submit divide..classify --store s3://bucket/store --master yarn --deploy-mode cluster
parcels submit divide --store /shared/store --master spark://127.0.0.1:7077 --dry-run
parcels submit divide --store s3://b/store --master k8s://https://c:6443 --conf spark.kubernetes.container.image=IMAGE
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("job", metavar="JOB[..JOB]", help="as in `parcels run`")
    add("--store", required=True, help="folder or URI that every machine reaches")
    add("--master", required=True, help="spark://HOST:PORT, yarn or k8s://…")
    add("--deploy-mode", default="client", choices=("client", "cluster"), help="where the driver runs (default client)")
    add("--archive", default="parcels-environment.tar.gz", metavar="FILE", help="the packed environment")
    add("--python", metavar="PROGRAM", help="Python on the machines (default: this version by name)")
    add("--conf", action="append", default=[], metavar="KEY=VALUE", help="a setting of Spark; may be given again")
    add("--dry-run", action="store_true", help="pack nothing, print the command")
    job_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Pack and submit, or say how."""
    if args.master.startswith("local"):
        raise ConfigError("submit is for clusters: on this machine use parcels run")
    jobs("run").jobs_of(args.job)
    submitting = jobs("engine.submit")
    archive = Path(args.archive).absolute()
    words = submitting.command(
        args.job, store=args.store, master=args.master, arguments=handed_on(args), archive=archive,
        deploy_mode=args.deploy_mode, conf=args.conf, python=args.python,
    )  # fmt: skip
    if args.dry_run:
        print(submitting.as_text(words))
        return 0
    jobs("engine.masters").check_master(args.master)  # packing takes a while
    submitting.pack(archive)
    return int(submitting.submit(words))


def handed_on(args: argparse.Namespace) -> list[str]:
    """The job's own arguments that were given, as words."""
    parser = argparse.ArgumentParser()
    job_arguments(parser)
    words: list[str] = []
    for action in parser._actions:
        value = getattr(args, action.dest, None)
        if action.dest == "help" or value is None or value == action.default:
            continue
        words += [action.option_strings[0]] if value is True else [action.option_strings[0], str(value)]
    return words
