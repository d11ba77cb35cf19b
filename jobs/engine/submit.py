"""Jobs on a cluster: the archive of the environment, and the command line of spark-submit.

`--py-files` does not support compiled packages, so the archive has the installed packages. Spark unpacks it beside each
executor (and beside the driver, if that runs in the cluster) as `./environment`. The machines need the same version of
Python and the same kind of processor; pyspark and Java come with Spark.
"""

import importlib.metadata
import os
import shlex
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from parcels.common import machine
from parcels.common.optional import install_command
from parcels.errors import ConfigError

ENVIRONMENT = "environment"
OURS = ("parcels", "jobs")
NEEDED = (  # packages that jobs import on an executor, by pip's names
    "lxml", "numpy", "pyarrow", "pandas", "python-dateutil", "pytz", "tzdata", "six", "ada-url", "cffi", "pycparser",
    "xxhash", "orjson", "resiliparse", "fastwarc", "scipy", "duckdb",
)  # fmt: skip
DEPLOY_MODES = ("client", "cluster")


def pack(target: Path) -> Path:
    """Write the archive and return its path."""
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name(f"{target.name}.{os.getpid()}.part")
    with tarfile.open(fresh, "w:gz", compresslevel=3) as archive:
        for inside, path in packed_files():
            archive.add(path, inside, recursive=False)
    fresh.replace(target)
    return target


def packed_files() -> Iterator[tuple[str, Path]]:
    """Yield the files of the archive: our packages with their models, and those of NEEDED that are installed."""
    for package in OURS:
        root = Path(str(files(package)))
        for path in sorted(root.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and ".pytest_cache" not in path.parts:
                yield f"{package}/{path.relative_to(root)}", path
    for name in NEEDED:
        try:
            installed = importlib.metadata.files(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        for file in installed:
            path = Path(str(file.locate()))
            if ".." not in file.parts and "__pycache__" not in file.parts and path.is_file():
                yield str(file), path


def command(
    jobs: str, *, store: str, master: str, arguments: Sequence[str], archive: Path, deploy_mode: str = "client",
    conf: Sequence[str] = (), python: str | None = None,
) -> list[str]:  # fmt: skip
    """Return the command line of spark-submit.

    >>> words = command("divide", store="s3://b/s", master="yarn", arguments=[], archive=Path("e.tar.gz"))
    >>> words[1:5]
    ['--master', 'yarn', '--deploy-mode', 'client']
    """
    if deploy_mode not in DEPLOY_MODES:
        raise ConfigError(f"--deploy-mode must be one of {', '.join(DEPLOY_MODES)}, got '{deploy_mode}'.")
    if deploy_mode == "cluster" and master.startswith("spark://"):
        raise ConfigError("a standalone cluster cannot run a Python driver: use --deploy-mode client")
    python = python or f"python{sys.version_info.major}.{sys.version_info.minor}"
    own = [
        "spark.executorEnv.PYTHONPATH=./environment",
        f"spark.pyspark.python={python}",
    ]
    if deploy_mode == "cluster":
        own.append("spark.yarn.appMasterEnv.PYTHONPATH=./environment")
        own.append("spark.kubernetes.driverEnv.PYTHONPATH=./environment")
    else:
        own.append(f"spark.pyspark.driver.python={sys.executable}")
    words = [_spark_submit(), "--master", master, "--deploy-mode", deploy_mode, "--name", f"parcels {jobs}"]
    words += ["--archives", f"{archive}#{ENVIRONMENT}"]
    for pair in [*own, *conf]:
        words += ["--conf", pair]
    return [
        *words,
        str(files("jobs.engine") / "submit_main.py"),
        jobs,
        "--store",
        store,
        "--master",
        master,
        *arguments,
    ]


def _spark_submit() -> str:
    """Return the spark-submit of SPARK_HOME, of the pyspark package, or the one on the path."""
    home = os.environ.get("SPARK_HOME")
    if home is None:
        try:
            import pyspark
        except ModuleNotFoundError:
            return "spark-submit"
        home = str(Path(pyspark.__file__).parent)
    return str(Path(home) / "bin" / "spark-submit")


def submit(words: Sequence[str]) -> int:
    """Run spark-submit and return its exit code."""
    environ: dict[str, Any] = dict(os.environ)
    home = machine.java_home()
    if home is not None:
        environ["JAVA_HOME"] = str(home)
    try:
        return subprocess.run(list(words), env=environ, check=False).returncode
    except FileNotFoundError as error:
        raise ConfigError(f"{words[0]} was not found: set SPARK_HOME, or {install_command('spark')}") from error


def as_text(words: Sequence[str]) -> str:
    """Return the command for a shell, with one option per line."""
    return shlex.join(words).replace(" --", " \\\n  --")
