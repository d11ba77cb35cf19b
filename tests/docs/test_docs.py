"""Every example in the documents runs, and every link inside them leads somewhere."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.M | re.S)
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#]+)")
RUN = {"sh", "python"}


@pytest.fixture
def world(tmp_path) -> Path:
    """A folder with what the examples name."""
    from parcels import example_web

    url = example_web.article_urls("lumen.example")[0]
    body = example_web.fetch(url).body
    (tmp_path / "page.html").write_bytes(body)
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "one.html").write_bytes(body)
    (tmp_path / "gold").mkdir()
    (tmp_path / "gold" / "one.json").write_text('{"leaves": [{"i": 0, "kind": "text", "text": "x", "label": "title"}]}')
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>archived"
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2024-05-01T12:00:00Z\r\n"
    head += f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    (tmp_path / "archive.warc").write_bytes(head.encode() + http + b"\r\n\r\n")
    return tmp_path


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_the_examples_run(path, world):
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    for language, code in FENCE.findall(path.read_text()):
        if language not in RUN:
            continue
        command = ["bash", "-euo", "pipefail", "-c", code] if language == "sh" else [sys.executable, "-c", code]
        done = subprocess.run(
            command, cwd=world, env=environment, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, f"{code}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_the_links_lead_somewhere(path):
    for target in LINK.findall(path.read_text()):
        assert (path.parent / target).exists(), f"{path.name} links to {target}"


def test_the_examples_in_the_help_texts_parse():
    import argparse
    import importlib

    from parcels.cli.main import Parser
    from parcels.cli.table import COMMANDS

    checked = 0
    for name, command in COMMANDS.items():
        module = importlib.import_module(command.module)
        parser = Parser(prog=name)
        module.arguments(parser)
        for line in module.EXAMPLE.strip().splitlines():
            for part in re.split(r"\s(?:&&|\||>)\s", line):
                words = shlex.split(part, comments=True)
                if words[:2] == ["parcels", name]:
                    assert isinstance(parser.parse_args(words[2:]), argparse.Namespace)
                    checked += 1
    assert checked >= len(COMMANDS)
