"""The pages of a fuzz run: real ones, mutated by number, and those of the tests as they are."""

import ast
import importlib.util
import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from benchmarks.fuzz.mutations import cropped, mutate

ROOT = Path(__file__).resolve().parents[2]
SEEDS_PER_CORPUS = 120
LARGEST_SEED = 400_000  # bytes
LARGEST_TEST_PAGE = 1_500_000
SIZES = [6_000] * 5 + [20_000] * 7 + [60_000] * 6 + [200_000] * 2  # bytes that are left of a page, by its number
MODULES = ("*hostile*.py", "test_linear_time.py")  # tests whose pages are made by code
URL = "http://news.example.org/2024/05/17/a-story.html"
CONSTANTS = (ast.Constant, ast.BinOp, ast.Add, ast.Mult, ast.UnaryOp, ast.USub, ast.expr_context)


class FuzzPage(NamedTuple):
    """A page to try: `name` says how to get it again."""

    name: str
    html: bytes
    url: str


class Seed(NamedTuple):
    """A real page."""

    name: str
    html: bytes
    url: str


def corpora_folder() -> Path:
    """Return where the corpora are, if they are there."""
    return Path(os.environ.get("PARCELS_CORPORA") or ROOT.parent / "shared" / "data")


def seeds() -> list[Seed]:
    """Return real pages of every corpus, or those of the example web where there are no corpora."""
    return [seed for path in sorted(corpora_folder().glob("*/pages.parquet")) for seed in _of_corpus(path)] or [
        *_of_example_web()
    ]


def _of_corpus(path: Path) -> Iterator[Seed]:
    import pyarrow.parquet

    file = pyarrow.parquet.ParquetFile(path)
    columns = [name for name in ("html", "url", "css") if name in file.schema_arrow.names]
    every, row = max(1, file.metadata.num_rows // SEEDS_PER_CORPUS), -1
    for batch in file.iter_batches(batch_size=64, columns=columns):
        for page in batch.to_pylist():
            row += 1
            if row % every or not page["html"]:
                continue
            html = page["html"] if isinstance(page["html"], bytes) else page["html"].encode()
            css = page.get("css") or ()
            sheets = b"".join(b"<style>%s</style>" % _bytes(sheet) for _, sheet in dict(css).items())
            if len(html) + len(sheets) <= LARGEST_SEED:
                yield Seed(f"{path.parent.name}/{row}", sheets + html, page.get("url") or URL)


def _bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "replace")


def _of_example_web() -> Iterator[Seed]:
    from parcels import example_web

    for host in example_web.hosts():
        for url in example_web.article_urls(host):
            yield Seed(url, example_web.fetch(url).body, url)


def mutated(number: int, real: list[Seed]) -> FuzzPage:
    """Return the mutated page of a number: the same for the same corpora."""
    rng = random.Random(number)
    seed = rng.choice(real)
    html = mutate(cropped(seed.html, SIZES[number % len(SIZES)], rng), rng)
    return FuzzPage(f"mutated {number} of {seed.name}", html, seed.url)


def by_size(count: int) -> list[int]:
    """Return the numbers of pages, those of small pages first."""
    return sorted(range(count), key=lambda number: SIZES[number % len(SIZES)])


def of_tests(folder: Path = ROOT / "tests") -> Iterator[FuzzPage]:
    """Yield every page of the tests once: files, literals, and what the modules of hostile pages make."""
    seen: set[bytes] = set()
    for name, html in (*_files(folder), *_literals(folder), *_made(folder)):
        if html not in seen and len(html) <= LARGEST_TEST_PAGE:
            seen.add(html)
            yield FuzzPage(name, html, URL)


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*.html")):
        yield str(path.relative_to(folder)), path.read_bytes()


def _literals(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the pages that stand in the tests as constants, also those of sums and products of constants."""
    for path in sorted(folder.rglob("*.py")):
        for node in _largest_constants(ast.parse(path.read_bytes())):
            value = eval(compile(ast.Expression(node), path.name, "eval"), {})  # noqa: S307 - constants, + and *
            if isinstance(value, str | bytes):
                html = _bytes(value)
                if b"<" in html or "hostile" in path.name:
                    yield f"{path.name}:{node.lineno}", _as_page(html)


def _largest_constants(tree: ast.AST) -> Iterator[ast.expr]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Constant | ast.BinOp) and all(isinstance(part, CONSTANTS) for part in ast.walk(node)):
            if any(isinstance(getattr(part, "value", None), str | bytes) for part in ast.walk(node)):
                yield node
        else:
            yield from _largest_constants(node)


def _as_page(text: bytes) -> bytes:
    """Return a page: text without a tag may be a style sheet."""
    return text if b"<" in text else b"<style>%s</style><div id=x class='a b c'><p class=a>one <a href=y>two</a>" % text


def _made(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the pages in the tables and the parameters of tests of hostile pages."""
    for pattern in MODULES:
        for path in sorted(folder.glob(pattern)):
            module = _imported(path)
            for name, value in vars(module).items():
                for text in _strings(value) if name.isupper() else _parameters(value):
                    yield f"{path.name} {name}", _as_page(text)
            if path.name == "test_linear_time.py":
                yield from _linear(module)


def _imported(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"fuzz_{path.stem}", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _strings(value: object) -> Iterator[bytes]:
    if isinstance(value, str | bytes):
        yield _bytes(value)
    elif isinstance(value, dict | list | tuple):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)


def _parameters(value: object) -> Iterator[bytes]:
    for mark in getattr(value, "pytestmark", ()):
        if mark.name == "parametrize":
            yield from _strings(mark.args[1])


def _linear(module: ModuleType) -> Iterator[tuple[str, bytes]]:
    """Yield the pages that tests/html/test_linear_time.py makes of its texts."""
    story = "<h1>Fire at the pier</h1><p>By Ann Lee<p>Nobody was hurt."
    for text in module.TEXTS.values():
        repeated = module.repeated(text)
        yield f"linear {text!r}", f"<h1>Fire</h1><p>By {repeated}".encode()
        for name, head in module.HEADS.items():
            yield f"linear {text!r} in {name}", (head.format(f"x{repeated}x") + story).encode()
