"""The compiled modules: one list, one source each, and never silently missing or stale."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import warnings
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from parcels import compiled, example_web
from parcels.cli import main
from parcels.cli.commands import doctor

ROOT = Path(__file__).resolve().parents[2]
HOSTS = example_web.hosts()[:3]
DIRECTIVES = re.compile(r"# cython: ?\w+ ?=")
# An editable install hands out the compiled modules of its own folder where a copy lacks them: it is not asked.
WITHOUT_EDITABLE = "sys.meta_path[:] = [f for f in sys.meta_path if 'editable' not in getattr(f, '__module__', '')]"
RUN = f"""
import sys
{WITHOUT_EDITABLE}
from parcels.cli import main
code = main(sys.argv[1:])
print(sum((vars(m).get("__file__") or "").endswith(".so") for n, m in sys.modules.items() if n.startswith("parcels.")),
      file=sys.stderr)
sys.exit(code)
"""


def test_the_list_names_every_module_with_c_types_once_and_no_other() -> None:
    listed = compiled.names()
    assert listed == sorted(set(listed))
    assert [module.name for module in compiled.modules()] == listed  # each has a source
    package = ROOT / "parcels"
    typed = {path.with_suffix("") for path in package.rglob("*.pyx")}
    typed |= {path.with_suffix("") for path in package.rglob("*.pxd") if path.with_suffix(".py").is_file()}
    typed |= {path.with_suffix("") for path in package.rglob("*.py") if DIRECTIVES.match(path.read_text("utf-8"))}
    found = {".".join(path.relative_to(ROOT).parts) for path in typed}
    assert found <= set(listed), f"add to parcels/compiled.txt: {sorted(found - set(listed))}"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Two listed modules, one of them compiled, as setup.py leaves them."""
    for name in ("hot.py", "hot.pxd", "deep.pyx", "not_listed.py", f"hot{compiled.EXTENSION_SUFFIXES[0]}"):
        (tmp_path / name).touch()
    (tmp_path / compiled.LIST).write_text("# a comment\nparcels.deep\n\nparcels.hot  # why\n")
    found = compiled.digests([tmp_path / "hot.py", tmp_path / "hot.pxd"], tmp_path)
    record = "".join(f"{digest}  {path}\n" for path, digest in found.items())
    (tmp_path / compiled.RECORD).write_text(f"# setup.py 0\n{record}")
    return tmp_path


def test_listed_modules_are_found_with_their_binaries(package: Path) -> None:
    found = [(module.source.name, module.binary and module.binary.suffix) for module in compiled.modules(package)]
    assert found == [("deep.pyx", None), ("hot.py", ".so")]
    (package / "deep.pyx").unlink()
    with pytest.raises(FileNotFoundError, match=r"lists parcels\.deep, but there is no .*deep\.py or \.pyx: remove"):
        list(compiled.modules(package))


@pytest.mark.parametrize("name", ["hot.py", "hot.pxd"])
def test_a_module_is_stale_by_contents_not_by_time(package: Path, name: str) -> None:
    os.utime(package / name, (time.time() + 1000,) * 2)  # as a checkout or an installer leaves it
    assert compiled.faults(package) == (["parcels.deep"], [])
    (package / name).write_text("# changed")
    os.utime(package / name, (0, 0))
    assert compiled.faults(package) == (["parcels.deep"], ["parcels.hot"])
    (package / compiled.RECORD).unlink()
    assert compiled.faults(package).stale == ["parcels.hot"]


def test_missing_and_stale_modules_are_one_warning_that_names_the_fix(
    package: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (package / "hot.py").write_text("# changed")
    found = compiled.faults(package)
    monkeypatch.setattr(compiled, "faults", lambda: found)
    monkeypatch.setattr(compiled, "_has_warned", False)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        compiled.warn_once()
        compiled.warn_once()
    (warning,) = seen
    assert warning.category is compiled.CompiledWarning
    assert "1 module is not compiled, so pages take many times longer (parcels.deep)" in str(warning.message)
    assert "1 module is compiled from an older source" in str(warning.message)
    assert "Fix: run make setup" in str(warning.message)

    monkeypatch.setattr(compiled, "_has_warned", False)
    assert main(["schema"]) == 0
    assert main(["schema"]) == 0
    said = capsys.readouterr().err.splitlines()
    assert len([line for line in said if line.startswith("parcels: warning: 1 module is not compiled")]) == 1

    part = doctor.compiled_modules()
    assert (part.status, part.fix) == ("missing", compiled.FIX)
    assert "parcels.hot" in part.note
    monkeypatch.setattr(compiled, "faults", lambda: compiled.Faults([], ["parcels.hot"]))
    assert doctor.compiled_modules().status == "old"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of two modules, compiled in place by the real setup.py."""
    root = tmp_path_factory.mktemp("project")
    (root / "parcels").mkdir()
    for name in ("setup.py", "parcels/compiled.py"):
        shutil.copy(ROOT / name, root / name)
    (root / "parcels" / "__init__.py").touch()
    (root / "parcels" / "hot.py").write_text(
        "# cython: annotation_typing=True\nimport cython\ndef twice(x: cython.int):\n    return 2 * x\n"
    )
    (root / "parcels" / "deep.pyx").write_text("def half(double x):\n    return x / 2\n")
    (root / "parcels" / "compiled.txt").write_text("parcels.deep\nparcels.hot\n")
    build(root, "--inplace")
    return root


def build(root: Path, *words: str) -> None:
    command = [sys.executable, "setup.py", "--quiet", "build_ext", *words]
    done = subprocess.run(
        command, cwd=root, env=os.environ | {"PARCELS_COMPILE": "yes"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def asked(root: Path, code: str) -> str:
    """Return the output of a program that can import only this project."""
    words = [sys.executable, "-c", f"import sys; sys.path.insert(0, '.'); {WITHOUT_EDITABLE}; {code}"]
    return subprocess.run(words, cwd=root, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here")
def test_a_build_compiles_what_has_changed_and_elsewhere_copies_what_has_not(project: Path) -> None:
    def times() -> dict[str, int]:
        return {path.name.partition(".")[0]: path.stat().st_mtime_ns for path in (project / "parcels").glob("*.so")}

    code = "from parcels import hot, deep; print(hot.__file__[-3:], hot.twice(21), deep.half(3))"
    assert asked(project, code) == ".so 42 1.5"
    first = times()
    assert first.keys() == {"_cyutility", "deep", "hot"}

    build(project, "--build-lib", "wheel")
    assert times() == first
    assert {path.name for path in (project / "wheel" / "parcels").iterdir()} == {
        compiled.RECORD,
        *(path.name for path in (project / "parcels").glob("*.so")),
    }
    assert compiled.faults(project / "parcels") == ([], [])

    source = project / "parcels" / "hot.py"
    source.write_text(source.read_text().replace("2 * x", "3 * x"))
    build(project, "--inplace")
    assert asked(project, code) == ".so 63 1.5"
    assert {name for name, at in times().items() if at != first[name]} == {"hot"}

    source.write_text(source.read_text().replace("3 * x", "4 * x"))
    os.utime(source, (0, 0))  # older than the binary, and yet another source
    assert compiled.faults(project / "parcels").stale == ["parcels.hot"]
    build(project, "--inplace")
    assert asked(project, code) == ".so 84 1.5"


def answers(root: Path, pages: Path, command: str) -> tuple[bytes, int, int]:
    """Return the command line's output for pages, its warnings, and the number of compiled modules it used."""
    words = [sys.executable, "-c", RUN, command, str(pages), "--no-progress"]
    environ = os.environ | {"PYTHONPATH": str(root)}
    ran = subprocess.run(words, cwd=root, env=environ, capture_output=True, check=True, timeout=300)
    warned = ran.stderr.count(b"parcels: warning: ")
    return ran.stdout, warned, int(ran.stderr.split()[-1])


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


def without_confidences(lines: bytes) -> list[Any]:
    """Return the output without confidences, since sums may be computed in another order."""
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
    if compiled.faults().missing:
        pytest.skip("not everything is compiled here: make setup")
    slow, warned, count = answers(interpreted, pages, command)
    assert (warned, count) == (1, 0)
    assert slow.count(b"\n") == len(list(pages.iterdir()))
    fast, _, count = answers(ROOT, pages, command)
    assert count
    assert without_confidences(fast) == without_confidences(slow)
    for one, two in zip(confidences(fast), confidences(slow), strict=True):
        assert one == pytest.approx(two, abs=2e-4)


def test_a_compiled_module_that_cannot_be_loaded_is_reported_by_the_doctor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "parcels_built_elsewhere"
    (tmp_path / f"{name}.py").write_text("raise ValueError('lxml.etree._Element size changed')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    other = compiled.Module(name, tmp_path / f"{name}.pyx", tmp_path / f"{name}.so")
    absent = compiled.Module("parcels_never_built", tmp_path / "parcels_never_built.pyx", None)
    assert compiled.unloadable([other, absent]) == {name: "ValueError: lxml.etree._Element size changed"}
    assert compiled.import_compiled(name) is None

    monkeypatch.setattr(compiled, "modules", lambda: iter([other]))
    monkeypatch.setattr(compiled, "faults", lambda: compiled.Faults([], []))
    part = doctor.compiled_modules()
    assert part.status == "failed"
    assert name in part.note
    assert "size changed" in part.note
