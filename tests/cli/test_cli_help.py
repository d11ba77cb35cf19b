"""Every command explains itself, and what is mistyped is answered with the nearest known name."""

import importlib
import re
import shlex

import pytest

from parcels.cli.main import main, parser_of
from parcels.cli.table import COMMANDS


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_has_an_example_that_the_command_accepts(name, capsys):
    assert main([name, "--help"]) == 0
    said = capsys.readouterr().out
    examples = said.split("\nexample:\n")[1].splitlines()
    assert any(f"parcels {name} " in line or line.strip() == f"parcels {name}" for line in examples)
    parser = parser_of(name, importlib.import_module(COMMANDS[name].module))
    for line in examples:
        for part in re.split(r"\s(?:&&|\||>)\s", line):
            words = shlex.split(part, comments=True)
            if words[:2] == ["parcels", name]:
                parser.parse_args(words[2:])


@pytest.mark.parametrize("name", COMMANDS)
def test_every_argument_is_explained(name):
    parser = parser_of(name, importlib.import_module(COMMANDS[name].module))
    assert [action.dest for action in parser._actions if not action.help] == []


def test_every_command_is_in_the_overview(capsys):
    assert main([]) == 0
    said = capsys.readouterr().out
    assert all(f"  {name} " in said for name in COMMANDS)


@pytest.mark.parametrize(
    "words, message",
    [
        (["blokcs"], "Did you mean 'blocks'?"),
        (["crawl", "--spidr", "news", "--store", "x"], "Did you mean '--spider'?"),
        (["crawl", "--dealy=3", "--store", "x"], "Did you mean '--delay'?"),
        (["blocks", "page.html", "--fomat", "table"], "Did you mean '--format'?"),
        (["query", "SELECT 1", "--forma", "csv", "--store", "x"], "Did you mean '--format'?"),
        (["crawl", "--spider", "newz", "--store", "x"], "Did you mean 'news'?"),
        (["run", "clasify", "--store", "x"], "Did you mean 'classify'?"),
        (["run", "divide..artices", "--store", "x"], "Did you mean 'articles'?"),
        (["schema", "pagess"], "Did you mean 'pages'?"),
        (["init", "newss"], "Did you mean 'news'?"),
    ],
)
def test_what_is_mistyped_names_the_nearest(words, message, capsys):
    assert main(words) == 2
    assert message in capsys.readouterr().err


def test_a_flag_that_is_far_from_all_others_gets_no_hint(capsys):
    assert main(["layout", "page.html", "--fomat", "table"]) == 2
    assert "Did you mean" not in capsys.readouterr().err
