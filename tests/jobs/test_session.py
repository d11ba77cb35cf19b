"""Starting Spark: a master that does not answer is named, and nothing is printed that nobody asked for."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from jobs_world import make_store

from jobs.engine.masters import check_master
from parcels.cli.main import main
from parcels.errors import ConfigError, InputMissing

ROOT = Path(__file__).parents[2]


@pytest.fixture
def silent():
    """An address at which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    return f"127.0.0.1:{port}"


def test_a_master_that_listens_is_fine_and_so_is_one_of_two():
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        check_master(f"spark://{address}")
        check_master(f"k8s://https://{address}")
        check_master(f"spark://127.0.0.1:1,{address}")
    for without_address in ("local", "local[*]", "local[2,8]", "yarn"):
        check_master(without_address)


def test_a_master_that_is_silent_or_none_is_named(silent):
    for master in (f"spark://{silent}", f"k8s://{silent}"):
        with pytest.raises(InputMissing, match=silent):
            check_master(master)
    for wrong in ("127.0.0.1:7077", "spark://127.0.0.1", "spark://a:port", "cluster", "local:7077"):
        with pytest.raises(ConfigError, match=wrong):
            check_master(wrong)


def test_commands_name_a_silent_master_before_java_starts(silent, tmp_path, monkeypatch, capsys):
    store, archive = make_store(tmp_path / "store", each_site=1).location.uri, tmp_path / "environment.tar.gz"
    monkeypatch.setenv("JAVA_HOME", "")
    monkeypatch.setenv("PATH", "")
    at = ["--store", store, "--master", f"spark://{silent}"]
    for words in (
        ["run", "divide", *at],
        ["query", "SELECT 1", "--engine", "spark", *at],
        ["submit", "divide", "--archive", str(archive), *at],
    ):
        assert main(words) == 3, words
        lines = capsys.readouterr().err
        assert f"No Spark master answers at spark://{silent}" in lines
        assert "Traceback" not in lines
    assert not archive.exists()
    assert main(["run", "divide", "--store", store, "--master", "here"]) == 2
    assert "'here' is not a Spark master" in capsys.readouterr().err


@pytest.mark.spark
def test_spark_starts_quietly_and_tells_what_fails_on_an_executor(tmp_path):
    store = make_store(tmp_path / "store", each_site=1)
    command = [sys.executable, "-m", "parcels.cli", "run", "divide", "--store", store.location.uri, "--no-progress"]
    environment = {**os.environ, "PARCELS_CONFIG": "none"}
    words = [*command, "--engine", "spark", "--conf", "spark.ui.enabled=false"]
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "divide: 3 pages" in done.stdout
    (Path(store.location.root) / "rejects").rename(tmp_path / "moved")
    (Path(store.location.root) / "rejects").write_text("a file where a folder should be")
    failed = subprocess.run(
        [*words, "--divider", "coarse"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert failed.returncode != 0
    assert failed.stderr
