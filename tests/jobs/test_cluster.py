"""The whole chain on a loopback cluster, a worker killed on the way: the tables of local mode."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from jobs_world import make_store, rows_of

from jobs.engine.submit import command, pack
from parcels.common import machine

pytestmark = pytest.mark.spark
ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "deploy" / "local-cluster"
JOBS = "divide..featurize"
MOST_SECONDS = 1200.0
TABLES = ("blocks", "features", "site_blocks", "document_frequencies", "rejects")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """The folder of a master and two workers."""
    folder = tmp_path_factory.mktemp("cluster")
    environment = os.environ | {"PYTHON": sys.executable, "START_SECONDS": "600"}
    started = subprocess.run([SCRIPT, "up", folder], env=environment, capture_output=True, text=True, check=False)
    assert started.returncode == 0, started.stderr
    yield folder
    subprocess.run([SCRIPT, "down", folder], env=environment, check=True)


def finished(process: "subprocess.Popen[str]") -> str:
    out, _ = process.communicate(timeout=MOST_SECONDS)
    assert process.returncode == 0, out
    return out


def test_a_cluster_that_loses_a_worker_writes_the_tables_of_local_mode(cluster, tmp_path):
    local, remote = make_store(tmp_path / "local", each_site=12), make_store(tmp_path / "remote", each_site=12)
    words = [sys.executable, "-m", "parcels.cli", "run", JOBS, "--store", local.location.uri, "--no-progress"]
    finished(
        subprocess.Popen([*words, "--master", "local[2]"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    )
    master = (cluster / "master.url").read_text().strip()
    archive = pack(tmp_path / "environment.tar.gz")
    sent = command(
        JOBS, store=remote.location.uri, master=master, arguments=["--no-progress"], archive=archive,
        python=sys.executable, conf=["spark.ui.enabled=false"],
    )  # fmt: skip
    environment = os.environ | {"JAVA_HOME": str(machine.java_home()), "SPARK_LOCAL_IP": "127.0.0.1"}
    process = subprocess.Popen(sent, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    ends = time.monotonic() + MOST_SECONDS
    while not remote.files("blocks") and process.poll() is None and time.monotonic() < ends:
        time.sleep(0.2)
    os.kill(int((cluster / "worker-2.pid").read_text()), signal.SIGKILL)
    finished(process)
    for table in TABLES:
        assert rows_of(remote, table) == rows_of(local, table), table
