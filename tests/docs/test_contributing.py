"""Every recipe in CONTRIBUTING.md is applied to a copy of the project, and the result works."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parents[2]
PAGE = "<title>Ferry</title><h1>Ferry runs aground</h1><p>Nobody was hurt.</p>"
RECIPE = re.compile(r"^### How to add (?:a|an) (\w+)\n(.*?)(?=^##)", re.M | re.S)
BLOCK = re.compile(r"^```(?:py|toml)\n# ([\w./]+)(?:, (after|before): ([^\n]+))?\n(.*?)^```", re.M | re.S)
RECIPES = dict(RECIPE.findall((ROOT / "CONTRIBUTING.md").read_text("utf-8")))


class Copy:
    """A copy of the project in which recipes are applied."""

    def __init__(self, folder: Path):
        self.folder = folder
        for name in ("parcels", "crawler", "jobs", "tests"):
            shutil.copytree(
                ROOT / name, folder / name, copy_function=link, ignore=shutil.ignore_patterns("__pycache__")
            )
        link(ROOT / "pyproject.toml", folder / "pyproject.toml")

    def apply(self, recipe: str) -> None:
        """Apply the blocks of a recipe; a compiled module that changes runs from its source."""
        blocks = BLOCK.findall(RECIPES[recipe])
        assert blocks, f"the recipe for a {recipe} has no blocks"
        for name, place, line, code in blocks:
            path = self.folder / name
            old = path.read_text("utf-8") if path.exists() else ""
            path.unlink(missing_ok=True)
            path.write_text(inserted(old, code, place, line), "utf-8")
            for binary in path.parent.glob(f"{path.stem}.*.so"):
                binary.unlink()

    def run(self, *words: str) -> str:
        """Run a Python command in the copy and return its standard output."""
        own = os.environ | {"PYTHONPATH": str(self.folder), "PYTHONWARNINGS": "ignore", "PARCELS_CONFIG": "none"}
        done = subprocess.run(
            [sys.executable, *words], cwd=self.folder, env=own, capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def parcels(self, *words: str) -> str:
        """Run a command of parcels in the copy."""
        return self.run("-m", "parcels.cli", *words)


def link(source: Path | str, target: Path | str) -> None:
    """Link a file, or copy it to another filesystem."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def inserted(old: str, code: str, place: str, line: str) -> str:
    """Return a text with code after or before its first such line, or at its end."""
    if not place:
        return old + code
    assert old.count(f"\n{line}\n") >= 1, f"no line {line!r}"
    new = f"{line}\n{code}" if place == "after" else f"{code}{line}\n"
    return old.replace(f"\n{line}\n", f"\n{new}", 1)


@pytest.fixture
def copy(tmp_path) -> Copy:
    return Copy(tmp_path / "copy")


@pytest.fixture
def store(copy, tmp_path) -> str:
    (tmp_path / "page.html").write_text(PAGE)
    copy.parcels("import", "html", str(tmp_path / "page.html"), "--url", "http://a.example/", "--store",
                 str(tmp_path / "store"), "--no-progress")  # fmt: skip
    return str(tmp_path / "store")


def test_every_recipe_is_tested():
    assert set(RECIPES) == {"label", "feature", "divider", "job", "frontier", "command"}


def test_a_new_label_is_in_the_reference(copy):
    copy.apply("label")
    assert "`correction`" in copy.parcels("reference", "labels")


def test_a_new_feature_is_in_the_reference_and_fills_its_column(copy):
    copy.apply("feature")
    assert "`is_single_link@1`" in copy.parcels("reference", "features")
    namespace: dict[str, object] = {"feature": lambda **_: lambda function: function}
    code = next(code for name, _, _, code in BLOCK.findall(RECIPES["feature"]))
    exec("from __future__ import annotations\nimport cython\n" + code, namespace)  # noqa: S102 - the recipe's own code
    column = [0.0, 0.0]
    namespace["is_single_link"](SimpleNamespace(count=2, links=[1, 3]), column)  # type: ignore[operator]
    assert column == [1.0, 0.0]


def test_a_new_divider_passes_the_shared_test(copy, tmp_path):
    copy.apply("divider")
    (tmp_path / "page.html").write_text(PAGE)
    line = copy.parcels("blocks", str(tmp_path / "page.html"), "--divider", "paragraphs", "--no-layout")
    assert line.count('"tag_path"') == 2
    copy.run("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/divide/test_dividers.py", "-k", "example_web")


def test_a_new_job_writes_its_table(copy, tmp_path):
    copy.apply("job")
    (tmp_path / "page.html").write_text(PAGE)
    where = ["--store", str(tmp_path / "store"), "--no-progress"]
    copy.parcels("import", "html", str(tmp_path / "page.html"), *where)
    copy.parcels("run", "words", "--engine", "local", "--workers", "1", *where)
    rows = copy.parcels("query", "SELECT word_count FROM word_counts", "--format", "csv", *where)
    assert rows.split() == ["word_count", "6"]


def test_a_new_frontier_passes_the_shared_tests(copy):
    copy.apply("frontier")
    done = copy.run("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/frontier/test_frontier.py", "-k", "counting")
    assert re.search(r"[3-9]\d passed", done), done


def test_a_new_command_has_help_and_works(copy, store):
    copy.apply("command")
    assert "Print the number of pages per host" in copy.parcels("hosts", "--help")
    assert copy.parcels("hosts", "--store", store) == "a.example: 1\n"
    assert "PARCELS_HOSTS_LIMIT" in copy.parcels("reference", "settings")
