"""Documents: no dead link or anchor, no command or flag that does not exist, reference pages as the code has them."""

import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest

from parcels.cli.commands.reference import PAGES, page
from parcels.cli.main import main, parser_of
from parcels.cli.settings import settable
from parcels.cli.table import COMMANDS

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(
    path
    for pattern in ("*.md", "docs/*.md", "deploy/**/*.md", "benchmarks/*.md", "parcels/starters/**/*.md")
    for path in ROOT.glob(pattern)
)
LINK = re.compile(r"\[[^\]]*\]\((?!https?:|mailto:)([^)\s]+)\)")
FENCE = re.compile(r"^```\w*\n(.*?)^```|^( {4}\S.*(?:\n {4}.*)*)", re.M | re.S)
WRITTEN = re.compile(r"`(parcels [a-z]+[^`\n]*)`")


def anchors(path: Path) -> set[str]:
    """The headings of a document as links name them."""
    heads = re.findall(r"^#+ (.*)$", path.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_and_anchor_leads_somewhere(path):
    for target in LINK.findall(path.read_text()):
        file, _, anchor = target.partition("#")
        found = (path.parent / file).resolve() if file else path
        assert found.exists(), f"{path.name} links to {target}"
        if anchor:
            assert anchor in anchors(found), f"{path.name} links to {target}"


def command_lines(text: str) -> list[str]:
    """The lines of code fences that call parcels, with what a backslash continues."""
    lines = []
    for fence, indented in FENCE.findall(text):
        for line in re.sub(r"\\\n\s*", " ", fence or indented).splitlines():
            found = re.match(r"\s*(?:\$ |(?:timeout|sudo)\b.*? (?=parcels |/opt))?(?:\S*/)?parcels ([a-z]+\b.*)", line)
            if found and found[1].split()[0] in COMMANDS:
                lines.append(found[1])
    return lines


def check(line: str, *, is_whole: bool) -> None:
    """A written command has only flags that exist; a whole one is accepted."""
    words = shlex.split(re.split(r"\s(?:&&|\||>|2>|&|;|#)(?:\s|$)|\s{3,}[a-zA-Z]", line)[0])
    parser = parser_of(words[0], import_module(COMMANDS[words[0]].module))
    known = {flag for action in parser._actions for flag in action.option_strings}
    if words[0] == "config":
        known = {
            flag
            for name in COMMANDS
            for action in settable(parser_of(name, import_module(COMMANDS[name].module))).values()
            for flag in action.option_strings
        }
    unknown = [word for word in words[1:] if word.startswith("--") and word.split("=")[0].rstrip("…,.") not in known]
    assert not unknown, line
    if is_whole and "…" not in line and "..." not in line.replace("..", "", 1):
        for action in parser._actions:
            if action.dest in ("store", "job", "pages"):  # they may come from parcels.toml
                action.required = False
                action.nargs = "*" if not action.option_strings else action.nargs
        parser.parse_args(words[1:])


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_command_in_a_document_exists_with_its_flags(path):
    text = path.read_text()
    for line in command_lines(text):
        check(line, is_whole=True)
    for line in WRITTEN.findall(FENCE.sub("", text)):
        words = line.split()
        if words[1] in COMMANDS:
            flags = [word for word in words[2:] if word.startswith("--")]
            check(" ".join([words[1], *flags]), is_whole=False)


def test_the_command_checker_finds_what_is_wrong():
    assert command_lines("```\nparcels crawl x --store s\n```\n    parcels report\n") == ["crawl x --store s", "report"]
    with pytest.raises(AssertionError):
        check("crawl x --stoer s", is_whole=False)
    with pytest.raises(SystemExit):
        check("frontier whence x", is_whole=True)


@pytest.mark.parametrize("name", PAGES)
def test_the_reference_is_what_the_code_says(name):
    written = (ROOT / "docs" / f"reference-{name}.md").read_text()
    assert written == page(name), f"docs/reference-{name}.md is out of date: make docs"


def test_the_schema_is_what_the_code_says(capsys):
    assert main(["schema", "--format", "markdown"]) == 0
    assert capsys.readouterr().out == (ROOT / "docs" / "schema.md").read_text(), (
        "docs/schema.md is out of date: make docs"
    )


def test_every_document_is_linked_from_the_readme_or_a_page_that_is():
    seen, waiting = set(), [ROOT / "README.md"]
    while waiting:
        path = waiting.pop()
        if path in seen or path.suffix != ".md" or not path.exists():
            continue
        seen.add(path)
        waiting += [(path.parent / target.partition("#")[0]).resolve() for target in LINK.findall(path.read_text())]
    assert {path for path in DOCUMENTS if path.parent == ROOT / "docs"} <= seen


def test_the_architecture_names_only_what_is_there():
    text = (ROOT / "docs" / "architecture.md").read_text()
    named = set(re.findall(r"`([\w/]+(?:/|\.py))`", text))
    assert len(named) >= 25
    missing = [
        name
        for name in named
        if not any((base / name).exists() for base in (ROOT, ROOT / "parcels", ROOT / "parcels" / "divide"))
    ]
    assert not missing


def test_every_room_of_the_core_is_in_the_architecture():
    text = (ROOT / "docs" / "architecture.md").read_text()
    rooms = [path.parent.name for path in (ROOT / "parcels").glob("*/__init__.py")]
    apart = {"importing", "labels", "models", "starters"}  # data, and what brings it into a store
    assert [room for room in rooms if f"`{room}/`" not in text and room not in apart] == []
