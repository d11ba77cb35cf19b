"""`parcels reference`: pages of the documentation that are generated from the code."""

import argparse
import importlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from parcels.cli.table import COMMANDS

HELP = "Print a page of the reference as Markdown, generated from the code: commands, settings, labels or features."
EXAMPLE = """
parcels reference commands
parcels reference labels > docs/reference-labels.md
"""
PAGES = ("commands", "settings", "labels", "features")
GENERATED = "Generated from the code by `parcels reference {page}` (`make docs`). Do not edit this page."

EVERY = """
Every command also has the flags `--config FILE`, `--log text|json` and `--help`. Every flag can be set in
[parcels.toml](reference-settings.md). Exit codes: 0 done, 1 bug, 2 usage or configuration, 3 input missing,
4 below a quality floor, 130 interrupted by Ctrl-C. Results go to standard output, messages to standard error.
"""
SETTINGS = """
Flags win over the environment, the environment over the file, the file over the defaults. The file is the one named by
`--config` or PARCELS_CONFIG, else `parcels.toml` in the working directory; `--config none` reads no file. A key is the
name of a flag without dashes, in the section of its command; `_` and `-` are equivalent. Unknown keys and sections are
errors that suggest the nearest name. `parcels config show COMMAND` shows the source of each value. Switches are `true`
or `false`. Flags that can be repeated are lists; in the environment, spaces separate the items of a list.
"""
FEATURES = """
One number per block and feature, in the order of the vectors. Models record the versions of features and refuse to run
with another version. Two more views contain words: `terms` (stems of the block's own text) and `names` (words of ids,
classes, headings above, addresses of links, files of images).
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("page", choices=PAGES, help="the page")


def run(args: argparse.Namespace) -> int:
    """Print the page."""
    print(page(args.page), end="")
    return 0


def page(name: str) -> str:
    """Return one page as Markdown."""
    makers: dict[str, Callable[[], Iterator[str]]] = {
        "commands": _commands, "settings": _settings, "labels": _labels, "features": _features,
    }  # fmt: skip
    return "\n".join(makers[name]()) + "\n"


def _parser(name: str) -> argparse.ArgumentParser:
    from parcels.cli.main import parser_of

    return parser_of(name, importlib.import_module(COMMANDS[name].module))


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|').replace(chr(10), ' ') for cell in row)} |"


def _commands() -> Iterator[str]:
    yield from ("# Commands", "", GENERATED.format(page="commands"), "")
    yield EVERY.strip()
    for name, command in COMMANDS.items():
        parser = _parser(name)
        module: Any = importlib.import_module(command.module)
        yield from ("", f"## parcels {name}", "", str(module.HELP)[:1].upper() + str(module.HELP)[1:], "")
        yield from _table(("argument", "meaning"), map(_argument, _own(parser)))
        yield from ("", "```", *str(module.EXAMPLE).strip().splitlines(), "```")


def _own(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return [action for action in parser._actions if action.dest not in ("help", "config", "log")]


def _argument(action: argparse.Action) -> tuple[str, str]:
    name = action.option_strings[-1] if action.option_strings else str(action.metavar or action.dest)
    value = "" if action.nargs == 0 or not action.option_strings else f" {action.metavar or _choices(action)}"
    needed = " Required." if action.required and action.option_strings else ""
    meaning = action.help or ""
    if action.choices and not action.option_strings:
        meaning += f": {', '.join(map(str, action.choices))}"
    return f"`{name}{value}`", meaning + needed


def _choices(action: argparse.Action) -> str:
    return "|".join(map(str, action.choices)) if action.choices else action.dest.upper()


def _settings() -> Iterator[str]:
    from parcels.cli.settings import APART, settable
    from parcels.config import SHARED, variable

    yield from ("# Settings", "", GENERATED.format(page="settings"), "")
    yield SETTINGS.strip()
    yield from ("", "## [all]", "", "Settings of every command with such a flag. The section of a command wins.", "")
    yield from _table(("key", "variable"), ((f"`{key}`", f"`{variable(key)}`") for key in SHARED))
    for name in COMMANDS:
        if name in APART:
            continue
        yield from ("", f"## [{name}]", "")
        rows = (
            (f"`{key}`", f"`{variable(key, name)}`", _default(action))
            for key, action in settable(_parser(name)).items()
        )
        yield from _table(("key", "variable", "default"), rows)


def _default(action: argparse.Action) -> str:
    if action.nargs == 0:
        return "false"
    return "" if action.default in (None, [], "") else f"`{action.default}`"


def _labels() -> Iterator[str]:
    from parcels.labels import label_set

    labels = label_set()
    yield from ("# Labels", "", GENERATED.format(page="labels"), "")
    yield f"{labels.title}: label set `{labels.name}@{labels.version}`, fingerprint `{labels.fingerprint}`."
    yield "Importance: 3 the article, 2 about the article, 1 the rest. A model without a label gives that in *merge*."
    yield ""
    rows = ((f"`{one.name}`", one.key, str(one.importance), f"`{one.merge}`", one.rubric) for one in labels.labels)
    yield from _table(("label", "key", "importance", "merge", "rubric"), rows)
    for one in labels.labels:
        yield from ("", f"## {one.name}", "", one.rubric, "", *(f"- Yes: {text}" for text in one.like))
        yield from (f"- No: {text}" for text in one.unlike)


def _features() -> Iterator[str]:
    from parcels.features import site
    from parcels.features.registry import VIEWS

    yield from ("# Features", "", GENERATED.format(page="features"), "")
    yield FEATURES.strip()
    for view, features in VIEWS.items():
        yield from ("", f"## {view} ({len(features)})", "")
        rows = ((f"`{of}`", f"{of.low:g} to {of.high:g}", of.meaning) for of in features)
        yield from _table(("feature", "range", "meaning"), rows)
    yield from ("", f"## site ({len(site.NAMES)})", "", "Zeros if no other page of the host is available:")
    yield ", ".join(f"`{name}`" for name in site.NAMES) + "."
