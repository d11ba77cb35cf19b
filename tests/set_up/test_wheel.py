"""A wheel, installed into an environment of its own without a compiler: what a user of `pip install` gets."""

import importlib.util
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from parcels import compiled

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("setup.py", "pyproject.toml", "README.md", "LICENSE", "parcels", "crawler", "jobs")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that PARCELS_WHEEL names (`make wheel`), or one of the modules that are compiled here already."""
    if given := os.environ.get("PARCELS_WHEEL"):
        return ROOT / given
    if any(compiled.faults()):
        pytest.skip("the modules are not compiled, or stale: make setup")
    folder = tmp_path_factory.mktemp("wheel")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder)
    words = ["wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", "dist", "."]
    environ = os.environ | {"PARCELS_COMPILE": "yes"}
    run([sys.executable, "-m", "pip", *words], environ, folder)
    assert not list(folder.rglob("*.o")), "the modules were compiled again"
    (built,) = (folder / "dist").glob("*.whl")
    return built


def run(words: list[str], environ: dict[str, str], folder: Path) -> str:
    done = subprocess.run(words, env=environ, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_holds_every_compiled_module_and_what_it_was_built_from(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    suffix = compiled.EXTENSION_SUFFIXES[0]
    wanted = {f"{name.replace('.', '/')}{suffix}" for name in [*compiled.names(), "parcels._cyutility"]}
    assert wanted <= names
    assert {f"parcels/{compiled.LIST}", f"parcels/{compiled.RECORD}"} <= names
    assert {name for name in names if name.endswith(".so")} == wanted  # none of a module that is gone
    assert "-none-any" not in wheel.name


def test_an_installed_wheel_extracts_and_labels_without_a_compiler(wheel: Path, tmp_path: Path) -> None:
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("PARCELS_", "PYTHONPATH"))}
    run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv")], environ, tmp_path)
    python = str(tmp_path / "venv" / "bin" / "python")
    uv = Path(sys.executable).with_name("uv")
    words = ["pip", "install", "--quiet", "--python", python, str(wheel)]
    if uv.exists():
        run([str(uv), *words], environ | uv_settings(), tmp_path)
    else:
        run([sys.executable, "-m", "pip", "--python", python, "install", "--quiet", str(wheel)], environ, tmp_path)
    said = run([python, str(ROOT / "deploy" / "try_wheel.py")], environ, tmp_path)
    assert f"{len(compiled.names())} modules compiled" in said


def uv_settings() -> dict[str, str]:
    """The indexes and certificates that pip is configured with, as the set-up hands them to uv."""
    spec = importlib.util.spec_from_file_location("deploy_setup", ROOT / "deploy" / "setup.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return dict(module.uv_settings())
