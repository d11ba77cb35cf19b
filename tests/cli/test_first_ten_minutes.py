"""The tutorial, as a new user types it: install is done, everything after it runs in one shell, offline."""

import contextlib
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from parcels.query.sql import connect
from parcels.store import open_store

pytestmark = pytest.mark.spark

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 2400  # for a machine that is busy with other things; it ends a shell that hangs, no more
STEP = re.compile(r"^```bash\n(.*?)^```", re.M | re.S)


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of the new project, and what was said."""
    folder = tmp_path_factory.mktemp("ten-minutes")
    steps = STEP.findall((ROOT / "docs" / "tutorial.md").read_text())
    assert len(steps) == 8
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PARCELS_")}
    environ |= {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    words = ["bash", "-euo", "pipefail", "-c", "\n".join(steps)]
    shell = subprocess.Popen(
        words,
        cwd=folder,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        said, warned = shell.communicate(timeout=PATIENCE_SECONDS)
    finally:  # the example web and Spark must not outlive the shell that started them
        with contextlib.suppress(ProcessLookupError):
            os.killpg(shell.pid, signal.SIGKILL)
    assert shell.returncode == 0, f"{said[-3000:]}\n{warned[-3000:]}"
    return folder / "my-corpus", said


def test_every_step_of_the_tutorial_says_what_it_did(typed):
    said = typed[1]
    assert "Ready." in said
    assert "[crawl] delay" in said
    assert "lumen.example" in said
    assert "maincontent" in said
    assert re.search(r"^open http://127\.0\.0\.1:\d+", said, re.M)
    assert "report.html" in said


def test_the_project_has_pages_labels_and_articles(typed):
    connection = connect(open_store(typed[0] / "store"))
    counted = {
        table: connection.execute(f"SELECT count(*) FROM {table} WHERE crawl = 'news'").fetchone()[0]
        for table in ("pages", "blocks", "labels", "articles")
    }
    assert counted["pages"] >= 60
    assert counted["labels"] == counted["blocks"] > 1000
    assert counted["articles"] >= 50
    assert "<svg" in (typed[0] / "report.html").read_text()
