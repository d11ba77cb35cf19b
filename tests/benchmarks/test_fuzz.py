"""The fuzz run finds what it is for: errors planted in a small package, each by the tool that can see it."""

import io
import random
import shutil
from pathlib import Path

import pytest

from benchmarks.fuzz import mutations, pages
from benchmarks.fuzz.build import CannotBuild, build, sanitizer_variables
from benchmarks.fuzz.run import Tally, run
from parcels import example_web
from parcels.errors import SkipRecord

ROOT = Path(__file__).resolve().parents[2]
PLANTED = '''# cython: boundscheck=False, wraparound=False
"""Errors on purpose, chosen by the page."""
import time


def over(const unsigned char[::1] view, Py_ssize_t at):
    return view[at]


cdef int letter(const char* text, Py_ssize_t at):
    return text[at]


cdef int swallowed(list found) noexcept:
    return found[5]


def whole(double number):
    return <int>number


def steps(html, url):
    yield lambda: over(html + b"x", len(html))
    if html == b"index":
        yield lambda: over(html, len(html))
    elif html == b"pointer":
        text = bytes(100)
        yield lambda: letter(text, 4000)
    elif html == b"number":
        yield lambda: whole(1e300)
    elif html == b"noexcept":
        yield lambda: swallowed([])
    elif html == b"python":
        yield lambda: {}["no"]
    elif html == b"slow":
        yield lambda: time.sleep(60)
'''


@pytest.fixture(scope="module")
def sanitized(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A package with planted errors, built with sanitizers."""
    try:
        variables = sanitizer_variables(memory_mb=2000)
    except CannotBuild as error:
        pytest.skip(str(error))
    root, folder = tmp_path_factory.mktemp("project"), tmp_path_factory.mktemp("sanitize")
    (root / "parcels").mkdir()
    for name in ("setup.py", "pyproject.toml", "parcels/compiled.py"):
        shutil.copy(ROOT / name, root / name)
    (root / "parcels" / "__init__.py").touch()
    (root / "parcels" / "compiled.txt").write_text("parcels.planted\n")
    (root / "parcels" / "planted.pyx").write_text(PLANTED)
    build(root, folder / "tree")
    return folder, variables


def tried(sanitized: tuple[Path, dict[str, str]], *names: str) -> tuple[Tally, str]:
    told = io.StringIO()
    chosen = [(pages.FuzzPage(name, name.encode(), "http://a.example/"), 10.0) for name in names]
    folder, variables = sanitized
    return run(chosen, len(chosen), "parcels.planted:steps", folder, variables, workers=1, tell=told), told.getvalue()


def test_every_planted_error_is_reported_with_its_page_and_the_others_are_tried(sanitized) -> None:
    names = ["fine", "index", "number", "noexcept", "python", "pointer", "fine too"]
    tally, told = tried(sanitized, *names)
    kinds = {report.page.name: report.kind for report in tally.reports}
    assert list(kinds) == names[1:-1]
    assert "Out of bounds on buffer access" in kinds["index"]  # ASan cannot see it: bounds checks are on again
    assert "outside the range of representable values of type 'int'" in kinds["number"]
    assert kinds["noexcept"].startswith("IndexError: list index out of range")  # which Python only prints
    assert kinds["python"].startswith("KeyError: 'no'")
    assert "AddressSanitizer: heap-buffer-overflow" in kinds["pointer"]
    assert "letter" in kinds["pointer"]
    assert tally.outcomes == {"ok": 2, "report": 4, "died": 1}
    assert told.count("sanitize: ") == 5
    saved = {path.read_bytes().decode() for path in (sanitized[0] / "reports").glob("*.html")}
    assert saved == set(names[1:-1])


def test_a_page_that_takes_too_long_is_reported(sanitized) -> None:
    folder, variables = sanitized
    chosen = [(pages.FuzzPage(name, name.encode(), ""), 1.0) for name in ("fine", "slow", "fine")]
    tally = run(chosen, 3, "parcels.planted:steps", folder, variables, workers=1, tell=io.StringIO())
    assert [report.kind for report in tally.reports] == ["too slow"]
    assert tally.outcomes == {"ok": 2, "too slow": 1}


def test_the_real_package_is_tried_step_by_step() -> None:
    from benchmarks.fuzz.target import steps

    done = [step() for step in steps(b"<h1>Fire at the pier</h1><p>Nobody was hurt.", pages.URL)]
    assert len(done) == 8
    read = next(steps(b"", pages.URL))
    with pytest.raises(SkipRecord, match="empty"):
        read()


def test_a_number_stands_for_one_mutated_page() -> None:
    real = [
        pages.Seed(url, example_web.fetch(url).body, url) for url in example_web.article_urls(example_web.hosts()[0])
    ]
    first = [pages.mutated(number, real) for number in range(40)]
    assert first == [pages.mutated(number, real) for number in range(40)]
    assert len({page.html for page in first}) == 40
    sizes = [pages.SIZES[number % len(pages.SIZES)] for number in pages.by_size(100)]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize("mutator", mutations.MUTATORS, ids=lambda mutator: mutator.__name__)
def test_every_mutation_takes_any_page(mutator) -> None:
    for seed, html in enumerate([b"", b"<", b"<p class='a b'>1 <b>2</b>", b"\xff\xfe<\x00p\x00>\x00", b"<p>" * 100]):
        assert isinstance(mutator(html, random.Random(seed)), bytes)


def test_the_pages_of_the_tests_are_found_in_files_literals_and_tables() -> None:
    found = list(pages.of_tests())
    texts = {page.html for page in found}
    assert len(texts) == len(found)
    assert {path.read_bytes() for path in (ROOT / "tests" / "pages").rglob("*.html")} <= texts
    assert b"<b>" * 250_000 + b"x" in texts  # a product in test_hostile_pages.py
    assert b"<p>x" * 8_000 in texts  # of a table in test_linear_time.py
    assert any(page.html.startswith(b"<h1>Fire</h1><p>By Monday Monday ") for page in found)  # made by its function
    assert any(b":not(" * 5000 in page.html and b"<style>" in page.html for page in found)  # a style sheet
