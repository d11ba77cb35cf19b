"""Hot modules compiled and interpreted: one source, the same results."""

import json
import os
import shutil
import subprocess
import sys
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from parcels import compiled, example_web
from parcels.cli import doctor

ROOT = Path(__file__).resolve().parent.parent
HOSTS = example_web.hosts()[:3]


def test_modules_are_found_with_their_twins(tmp_path):
    for name in ("hot.pxd", "hot.py", "only.pxd", "deep.pyx"):
        (tmp_path / name).touch()
    assert [(module.source.name, module.twin) for module in compiled.modules(tmp_path)] == [
        ("deep.pyx", None),
        ("hot.py", None),
    ]
    twin = tmp_path / f"hot{compiled.EXTENSION_SUFFIXES[0]}"
    twin.touch()
    assert [module.twin for module in compiled.modules(tmp_path)] == [None, twin]


# An editable install hands out the compiled modules of its own folder where the copy lacks them: it is not asked.
RUN = """
import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if "editable" not in getattr(finder, "__module__", "")]
from parcels.cli import main
code = main(sys.argv[1:])
print(sum((vars(m).get("__file__") or "").endswith(".so") for n, m in sys.modules.items() if n.startswith("parcels.")),
      file=sys.stderr)
sys.exit(code)
"""


def answers(root: Path, pages: Path, command: str) -> tuple[bytes, int]:
    """What the command line of the sources in a folder prints of pages, and how many compiled modules it used."""
    words = [sys.executable, "-c", RUN, command, str(pages), "--no-progress"]
    environ = os.environ | {"PYTHONPATH": str(root)}
    ran = subprocess.run(words, cwd=root, env=environ, capture_output=True, check=True, timeout=300)
    return ran.stdout, int(ran.stderr.split()[-1])


@pytest.fixture(scope="module")
def interpreted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources without anything compiled."""
    root = tmp_path_factory.mktemp("interpreted")
    shutil.copytree(ROOT / "parcels", root / "parcels", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    return root


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Articles of the example web, and the pages that other tests use."""
    folder = tmp_path_factory.mktemp("pages")
    for host in HOSTS:
        for n, url in enumerate(example_web.article_urls(host)[::6]):
            (folder / f"{host}-{n}.html").write_bytes(example_web.fetch(url).body)
    for n, path in enumerate(sorted((ROOT / "tests" / "pages").rglob("*.html"))):
        shutil.copy(path, folder / f"test-{n}.html")
    return folder


def told(lines: bytes) -> list[Any]:
    """What was printed, without the confidence of blocks: the compiled network adds in another order than NumPy."""
    pages = [json.loads(line) for line in lines.splitlines()]
    for block in chain.from_iterable(page.get("blocks", ()) for page in pages):
        block.pop("confidence", None)
    return pages


def confidences(lines: bytes) -> list[float]:
    """The confidences of all blocks."""
    pages = [json.loads(line) for line in lines.splitlines()]
    return [block["confidence"] for page in pages for block in page.get("blocks", ()) if "confidence" in block]


@pytest.mark.parametrize("command", ["blocks", "layout"])
def test_compiled_and_interpreted_give_the_same(interpreted: Path, pages: Path, command: str) -> None:
    if not any(module.twin for module in compiled.modules()):
        pytest.skip("nothing is compiled here: make setup")
    plain, count = answers(interpreted, pages, command)
    assert not count
    assert plain.count(b"\n") == len(list(pages.iterdir()))
    fast, count = answers(ROOT, pages, command)
    assert count
    assert told(fast) == told(plain)
    for one, two in zip(confidences(fast), confidences(plain), strict=True):
        assert one == pytest.approx(two, abs=2e-4)


def test_a_compiled_module_that_cannot_be_loaded_is_told_by_the_doctor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "parcels_built_elsewhere"
    (tmp_path / f"{name}.py").write_text("raise ValueError('lxml.etree._Element size changed')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    other = compiled.Module(name, tmp_path / f"{name}.pyx", tmp_path / f"{name}.so")
    absent = compiled.Module("parcels_never_built", tmp_path / "parcels_never_built.pyx", None)
    assert compiled.faults([other, absent]) == {name: "ValueError: lxml.etree._Element size changed"}
    assert compiled.loaded(name) is None

    monkeypatch.setattr(compiled, "modules", lambda: iter([other]))
    part = doctor.hot_modules()
    assert part.status == "failed"
    assert name in part.note
    assert "size changed" in part.note
