"""Imports point one way, and one page needs nothing heavy."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HEAVY = {"pyspark", "scrapy", "nltk", "sklearn", "pandas", "playwright", "twisted", "redis"}
MAY_NOT_IMPORT = {
    "parcels": {"crawler", "jobs", "pyspark", "scrapy", "tests", "benchmarks"},
    "crawler": {"jobs", "pyspark", "tests", "benchmarks"},
    "jobs": {"crawler", "scrapy", "tests", "benchmarks"},
}


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize("package", MAY_NOT_IMPORT)
def test_imports_point_one_way(package):
    files = list((ROOT / package).rglob("*.py"))
    assert files
    wrong = {str(path.relative_to(ROOT)): bad for path in files if (bad := imports(path) & MAY_NOT_IMPORT[package])}
    assert not wrong


def test_the_core_has_no_relative_import_and_no_star():
    for path in (ROOT / "parcels").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                assert not node.level, path
                assert all(name.name != "*" for name in node.names), path


def loaded_by(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\nprint(*{{name.split('.')[0] for name in sys.modules}})"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_one_page_needs_nothing_heavy():
    loaded = loaded_by("import parcels; parcels.blocks('<p>x')")
    assert not loaded & (HEAVY | {"pyarrow", "duckdb"})


def test_the_help_text_loads_next_to_nothing():
    loaded = loaded_by("from parcels.cli import main; main(['--help'])")
    assert not loaded & (HEAVY | {"numpy", "lxml", "pyarrow", "duckdb"})


def test_jobs_on_one_machine_load_no_spark():
    assert not loaded_by("import jobs.run, jobs.engine.engine_choice, jobs.engine.workers") & {
        "pyspark",
        "py4j",
        "pandas",
    }


def test_no_machine_path_or_shared_folder_in_the_product():
    for package in ("parcels", "crawler", "jobs"):
        for path in (ROOT / package).rglob("*.py"):
            text = path.read_text()
            assert "../shared" not in text, path
            assert not re.search(r"[\"' ]/(home|root|work|Users)/", text), path
