"""Files in deploy/ match the project: the command accepts every command line in them."""

import fnmatch
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
import yaml

from parcels.cli.main import parser_of
from parcels.cli.settings import apply
from parcels.cli.table import COMMANDS
from parcels.config import PREFIX, Config, variable

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
KUBERNETES = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
UNITS = sorted((DEPLOY / "systemd").glob("*.*"))
STARTER = ROOT / "parcels" / "starters" / "news" / "parcels.toml"
NODE = re.compile(r"master|worker spark://[\w-]+:\d+")


def check_parcels(words: list[str], config: Config) -> None:
    """A command line is accepted, with these settings."""
    parser = parser_of(words[0], import_module(COMMANDS[words[0]].module))
    apply(parser, words[0], config)
    parser.parse_args(words[1:])


def known_variables() -> set[str]:
    found = {variable("config")}
    for name, command in COMMANDS.items():
        for action in parser_of(name, import_module(command.module))._actions:
            for flag in action.option_strings:
                found |= {variable(flag.lstrip("-")), variable(flag.lstrip("-"), name)}
    return found


def containers(text: str) -> list[dict]:
    """Every container of a file of manifests."""
    found = []

    def look(node: object) -> None:
        if isinstance(node, dict):
            found.extend(node.get("containers") or ())
            for value in node.values():
                look(value)
        elif isinstance(node, list):
            for value in node:
                look(value)

    for document in yaml.safe_load_all(text):
        look(document)
    return found


@pytest.fixture(scope="module")
def compose() -> dict:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text())


def test_every_service_of_compose_runs_a_command_that_exists(compose):
    ours = {name: one for name, one in compose["services"].items() if one["image"] == "parcels"}
    assert {"crawler", "jobs", "annotate", "spark-master", "spark-worker", "metrics"} == set(ours)
    for service in ours.values():
        if service.get("entrypoint") == ["spark-node"]:
            assert NODE.fullmatch(" ".join(service["command"]))
            continue
        environ = {name: str(value) for name, value in service["environment"].items()}
        assert set(environ) <= known_variables()
        check_parcels(service["command"], Config(environ=environ))


def test_compose_names_only_services_and_volumes_that_it_has(compose):
    for name, service in compose["services"].items():
        assert set(service.get("depends_on", ())) <= set(compose["services"]), name
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            is_file = source.startswith(".")
            assert (DEPLOY / source).exists() if is_file else source.startswith("$") or source in compose["volumes"]


def test_redis_is_durable_wherever_it_is_started(compose):
    started = [compose["services"]["redis"]["command"]]
    started += [one["args"] for path in KUBERNETES for one in containers(path.read_text()) if one["name"] == "redis"]
    assert len(started) == 2
    for words in started:
        pairs = dict(zip(words[1::2], words[2::2], strict=True))
        assert pairs == {
            "--appendonly": "yes",
            "--appendfsync": "always",
            "--save": "",
            "--maxmemory-policy": "noeviction",
        }


@pytest.mark.parametrize("path", KUBERNETES, ids=lambda path: path.name)
def test_every_manifest_is_whole_and_runs_commands_that_exist(path):
    documents = list(yaml.safe_load_all(path.read_text()))
    for document in documents:
        assert {"apiVersion", "kind", "metadata", "spec"} <= set(document)
        if document["kind"] in ("Deployment", "StatefulSet"):
            labels = document["spec"]["template"]["metadata"]["labels"]
            assert document["spec"]["selector"]["matchLabels"].items() <= labels.items()
    for container in containers(path.read_text()):
        assert "limits" in container["resources"], container["name"]
        if container["image"] != "parcels":
            continue
        if container.get("command") == ["spark-node"]:
            assert NODE.fullmatch(" ".join(container["args"]))
            continue
        environ = {one["name"]: one.get("value", "x") for one in container.get("env", ())}
        assert {name for name in environ if name.startswith(PREFIX)} <= known_variables()
        check_parcels(container["args"], Config(environ=environ))


def test_every_yaml_file_is_well_formed():
    rules = "{extends: relaxed, rules: {line-length: {max: 140}}}"
    command = [sys.executable, "-m", "yamllint", "--strict", "-d", rules, str(DEPLOY)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(shutil.which("kubernetes-validate") is None, reason="no kubernetes-validate here")
def test_kubernetes_would_take_every_manifest():
    words = ["kubernetes-validate", "--strict", *map(str, KUBERNETES)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(shutil.which("docker-compose") is None, reason="no docker-compose here")
def test_compose_reads_its_file(tmp_path):
    for path in ("grafana", "prometheus.yml", "compose.yaml"):
        source = DEPLOY / path
        (shutil.copytree if source.is_dir() else shutil.copy)(source, tmp_path / path)
    file = tmp_path / "compose.yaml"
    file.write_text(file.read_text().replace("name: parcels\n", ""))  # which version 1 of compose does not know
    words = ["docker-compose", "-f", str(file), "--profile", "watch", "config", "--services"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert {"redis", "crawler", "jobs", "grafana"} <= set(done.stdout.split())


def test_what_pods_mount_and_ask_is_declared():
    documents = [one for path in KUBERNETES for one in yaml.safe_load_all(path.read_text())]
    claims = {one["metadata"]["name"] for one in documents if one["kind"] == "PersistentVolumeClaim"}
    services = {one["metadata"]["name"] for one in documents if one["kind"] == "Service"}
    text = "\n".join(path.read_text() for path in KUBERNETES)
    assert set(re.findall(r"claimName: (\w+)", text)) <= claims
    assert set(re.findall(r"(?:redis|spark)://([\w-]+):", text)) <= services


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_every_unit_starts_commands_that_exist(path):
    lines = path.read_text().splitlines()
    assert "[Unit]" in lines
    starts = [line.partition("=")[2] for line in lines if line.startswith("ExecStart=")]
    assert starts if path.suffix == ".service" else not starts
    for start in starts:
        program, *words = shlex.split(start)
        assert program == "/opt/parcels/bin/parcels"
        check_parcels(words, Config(STARTER, tomllib.loads(STARTER.read_text()), {}))


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd-analyze here")
def test_systemd_reads_the_units():
    words = ["systemd-analyze", "verify", "--man=no", *map(str, UNITS)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    said = [line for line in done.stderr.splitlines() if "deploy/systemd" in line or "parcels-" in line]
    # /opt/parcels is the user's to make
    assert [line for line in said if "/opt/parcels/bin/parcels" not in line] == []


def test_the_image_is_made_of_what_is_there():
    text = (DEPLOY / "Dockerfile").read_text()
    kept = [line[1:] for line in (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines() if line.startswith("!")]
    sources = [word for line in re.findall(r"^COPY (.*) \S+$", text, re.M) for word in line.split()]
    assert len(sources) >= 5
    for source in sources:
        assert (ROOT / source).exists(), source
        assert any(source == name or source.startswith(f"{name}/") for name in kept), f"{source} is ignored"
    asked = set(re.search(r'"\.\[(.*?)\]"', text)[1].split(","))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert asked <= set(project["optional-dependencies"])
    entry = json.loads(re.search(r"^ENTRYPOINT (.*)$", text, re.M)[1])
    assert entry[0] in project["scripts"]


def test_what_the_image_does_works_in_a_clean_environment(tmp_path):
    """The Dockerfile's steps: the project as an installed package, and its entry point. Other packages are borrowed."""
    page = tmp_path / "page.html"
    page.write_text("<title>T</title><h1>Ferry runs aground</h1><p>Nobody was hurt when the ferry ran aground.</p>")
    borrowed = {
        "PYTHON": sys.executable, "PIP_FLAGS": "--no-deps",
        "BORROW": sysconfig.get_paths()["purelib"],
        "COMMANDS": f"--version\nblocks {page}\nextract {page} --format text\nrun --help\ncrawl --help\ninit news here",
    }  # fmt: skip
    done = subprocess.run(
        [DEPLOY / "try-image", tmp_path / "image"], env=os.environ | borrowed, capture_output=True, text=True,
        check=False, cwd=tmp_path,
    )  # fmt: skip
    if "setuptools" in done.stderr and "No matching distribution" in done.stderr:
        pytest.skip("a wheel is built with setuptools from the package index, which cannot be reached")
    assert done.returncode == 0, done.stdout + done.stderr
    assert '"label":"title"' in done.stdout.replace(" ", "")
    assert "Nobody was hurt when the ferry ran aground." in done.stdout.splitlines()
    installed = list((tmp_path / "image" / "venv").rglob("site-packages/parcels/models/news/model.json"))
    assert len(installed) == 1
    assert (tmp_path / "image" / "project" / "here" / "parcels.toml").is_file()


def test_every_data_file_is_packed():
    """An installed package has what the folder has: models, starters, scripts of the frontier."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    patterns = told["package-data"]["*"]
    files = [
        path
        for package in ("parcels", "crawler", "jobs")
        for path in (ROOT / package).rglob("*")
        if path.is_file()
        and path.suffix not in (".py", ".pyc", ".so")
        and not {"__pycache__", ".pytest_cache"} & {*path.parts}
    ]
    assert STARTER in files
    missing = [path for path in files if not any(fnmatch.fnmatch(path.name, pattern) for pattern in patterns)]
    assert not missing


@pytest.mark.parametrize("name", ["spark-node", "local-cluster", "setup.sh", "try-image"])
def test_the_scripts_are_shell_and_can_be_run(name):
    path = DEPLOY / name
    assert path.stat().st_mode & 0o111
    shell = path.read_text().splitlines()[0].split()[-1].rpartition("/")[2]
    assert subprocess.run([shell, "-n", str(path)], check=False).returncode == 0


def test_the_dashboard_shows_only_what_is_measured(tmp_path):
    from parcels.operations.metrics import families
    from parcels.store import open_store

    known = {family.name for family in families(open_store(tmp_path / "store", create=True))}
    live = re.findall(r"\"(parcels_crawl\w*)\"", (ROOT / "crawler" / "metrics.py").read_text())
    known |= {name if name.count("_") > 1 else f"{name}_total" for name in live}
    shown = set(re.findall(r"parcels_\w+", (DEPLOY / "grafana" / "parcels.json").read_text()))
    assert len(shown) >= 8
    assert shown <= known


def test_the_table_of_sizes_is_what_the_script_reckons():
    done = subprocess.run([sys.executable, DEPLOY / "sizes.py"], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout in (DEPLOY / "README.md").read_text()
    dearer = subprocess.run(
        [sys.executable, DEPLOY / "sizes.py", "--core-hour", "0.4"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    cheap, dear = (text.splitlines()[2].split("|") for text in (done.stdout, dearer.stdout))
    assert float(dear[7]) == pytest.approx(10 * float(cheap[7]), rel=0.01)
    assert dear[8:10] == cheap[8:10]
