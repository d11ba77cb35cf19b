"""`parcels config show`: every setting of a command with its source."""

import argparse
import importlib
import os
from collections.abc import Iterator

from parcels.cli.settings import APART, apply, config_in, settable, shown
from parcels.cli.table import COMMANDS
from parcels.common.suggestions import did_you_mean
from parcels.config import SHARED_SECTION, Config, variable
from parcels.errors import ConfigError

HELP = "Show the settings of a command with their sources: a flag, the environment, parcels.toml or the default."
EXAMPLE = """
parcels config show
parcels config show crawl
parcels config show crawl --delay 3
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("action", choices=("show",), help="the action")
    parser.add_argument("words", nargs=argparse.REMAINDER, metavar="COMMAND ...", help="a command, and its flags")


def run(args: argparse.Namespace) -> int:
    """Print the settings."""
    words = list(args.words)
    config = Config.open(args.config or config_in(words), os.environ)
    config.check_sections(COMMANDS)
    print(f"file: {config.path or 'none'}")
    if not words or words[0].startswith("-"):
        lines = [line for command in COMMANDS for line in _lines(command, [], config, only_set=True)]
        _print(
            list(dict.fromkeys(lines)),
            "All other settings have their defaults. To show them: parcels config show COMMAND",
        )
        return 0
    if words[0] not in COMMANDS:
        raise ConfigError(f"Unknown command '{words[0]}'.{did_you_mean(words[0], COMMANDS)} See: parcels --help")
    _print(list(_lines(words[0], words[1:], config, only_set=False)), "")
    return 0


def _print(lines: list[tuple[str, str, str]], last: str) -> None:
    widths = [max((len(line[n]) for line in lines), default=0) for n in (0, 1)]
    for key, value, source in lines:
        print(f"{key:<{widths[0]}}  {value:<{widths[1]}}  {source}")
    if last:
        print(last)


def _lines(command: str, words: list[str], config: Config, *, only_set: bool) -> Iterator[tuple[str, str, str]]:
    """Yield key, value and source of the settings of a command."""
    from parcels.cli.main import parser_of

    if command in APART:
        return
    module = importlib.import_module(COMMANDS[command].module)
    parser = parser_of(command, module)
    settings = apply(parser, command, config)
    flags = {}
    if words:
        bare = parser_of(command, module)
        for action in settable(bare).values():
            action.default, action.required = argparse.SUPPRESS, False
            if not action.option_strings:
                action.nargs = "*"
        flags = vars(bare.parse_args(words))
    for one in settings:
        dest = settable(parser)[one.key].dest
        value, source = (flags[dest], "flag") if dest in flags else (one.value, one.source)
        if not only_set or source != "default":
            section = SHARED_SECTION if is_shared(one.key, source) else command
            yield f"[{section}] {one.key}" if only_set else one.key, shown(one.key, value), source


def is_shared(key: str, source: str) -> bool:
    """Return whether a value was set for all commands rather than for one."""
    return source.endswith(f"[{SHARED_SECTION}]") or source == f"environment {variable(key)}"
