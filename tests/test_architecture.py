"""Imports point one way, and one page needs nothing heavy."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
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
    packages = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            packages |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            packages.add(node.module.split(".")[0])
    return packages


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


def modules_imported_by(path: Path, modules: set[str]) -> set[str]:
    """Return the modules of the project that a file imports when it is imported itself, not in its functions."""
    imported = set()
    for node in top_level(ast.parse(path.read_text()).body):
        if isinstance(node, ast.Import):
            imported |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{name.name}" for name in node.names}
            imported |= (names & modules) or {node.module}
    return imported & modules


def top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that run on import; types for a type checker are not imported."""
    for node in body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield from top_level(node.orelse)
        elif isinstance(node, ast.If | ast.Try | ast.With | ast.ClassDef):
            for block in ("body", "orelse", "finalbody"):
                yield from top_level(getattr(node, block, []))
            for handler in getattr(node, "handlers", []):
                yield from top_level(handler.body)
        else:
            yield node


def product_modules() -> dict[str, Path]:
    files = [path for package in MAY_NOT_IMPORT for path in (ROOT / package).rglob("*.py")]
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in files]
    return dict(zip(names, files, strict=True))


def cycle(graph: dict[str, set[str]]) -> list[str]:
    """Return the nodes of one cycle of a graph, in order, or an empty list."""
    done: set[str] = set()

    def visit(node: str, path: list[str]) -> list[str]:
        if node in path:
            return path[path.index(node) :]
        if node not in done:
            for after in sorted(graph[node]):
                if closed := visit(after, [*path, node]):
                    return closed
            done.add(node)
        return []

    return next((closed for node in sorted(graph) if (closed := visit(node, []))), [])


def test_a_cycle_is_detected():
    assert cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c"]
    assert cycle({"a": {"b"}, "b": set()}) == []


def test_modules_do_not_import_each_other_in_a_cycle():
    modules = product_modules()
    graph = {name: modules_imported_by(path, set(modules)) - {name} for name, path in modules.items()}
    assert sum(map(len, graph.values())) > 1000
    assert cycle(graph) == []


def test_only_the_command_line_imports_the_command_line():
    importing = {
        name
        for name, path in product_modules().items()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        and "parcels.cli" in ast.unparse(node)
        and not name.startswith("parcels.cli")
    }
    assert importing == {"jobs.engine.submit_main"}  # the program that spark-submit starts: it runs a command


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
