"""Messages name this distribution and its extras: the import name belongs to another project on the package index."""

import re
import tomllib
from importlib import metadata
from pathlib import Path

from parcels.common.optional import DISTRIBUTION, install_command

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
ADVICE = re.compile(r"pip\s+install\s+['\"`]?parcels\b(?!-web)|['\"`]parcels\[")
CALL = re.compile(r"extra=\"(\w+)\"")


def test_the_installed_distribution_has_the_name_and_the_extras_of_the_project():
    assert PROJECT["name"] == DISTRIBUTION
    installed = metadata.metadata(DISTRIBUTION)
    assert set(installed.get_all("Provides-Extra")) == set(PROJECT["optional-dependencies"])
    assert metadata.entry_points(group="console_scripts", name="parcels")


def test_no_message_or_document_advises_to_install_the_other_project():
    texts = [*ROOT.glob("*.md"), *(path for folder in ("docs", "deploy") for path in (ROOT / folder).rglob("*.md"))]
    texts += [path for package in ("parcels", "crawler", "jobs") for path in (ROOT / package).rglob("*.py")]
    assert len(texts) > 300
    wrong = [str(path.relative_to(ROOT)) for path in texts if ADVICE.search(path.read_text())]
    assert wrong == []


def test_every_extra_that_a_message_names_exists():
    named = {
        extra
        for package in ("parcels", "crawler", "jobs")
        for path in (ROOT / package).rglob("*.py")
        for extra in CALL.findall(path.read_text())
    }
    assert {"spark", "crawl", "learn", "ui", "browser"} <= named <= set(PROJECT["optional-dependencies"])
    assert install_command("spark") == f"pip install '{DISTRIBUTION}[spark]'"
