"""Settings of a command: every flag is a key of parcels.toml and a variable of the environment too."""

import argparse
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from parcels.common.suggestions import did_you_mean
from parcels.config import SHARED, SHARED_SECTION, Config, Given, key_of
from parcels.errors import ConfigError

APART = ("init", "config", "demo", "doctor", "schema", "reference")  # they take nothing from a file
NOT_SETTINGS = ("help", "config")
TRUE, FALSE = ("1", "true", "yes", "on"), ("0", "false", "no", "off")
HIDDEN = ("token",)


class Setting(NamedTuple):
    """The value of a key, and where it came from."""

    key: str
    value: Any
    source: str


def add_common_arguments(parser: argparse.ArgumentParser) -> None:
    """The flags that every command has."""
    group = parser.add_argument_group("of all commands")
    group.add_argument("--config", metavar="FILE", help="settings (default: parcels.toml, where there is one; or none)")
    group.add_argument("--log", choices=("text", "json"), default="text", help="talk as text, or as JSON lines (text)")


def config_in(words: Sequence[str]) -> str | None:
    """The value of --config, which is needed before anything else is parsed.

    >>> config_in(["--config", "a.toml"]), config_in(["--config=b.toml"]), config_in(["x"]), config_in([])
    ('a.toml', 'b.toml', None, None)
    """
    found = None
    for word, following in zip(words, [*words[1:], ""], strict=False):
        if word == "--":
            break
        if word == "--config":
            found = following or None
        elif word.startswith("--config="):
            found = word.partition("=")[2]
    return found


def settable(parser: argparse.ArgumentParser) -> dict[str, argparse.Action]:
    """The arguments that are settings, by key."""
    found = {}
    for action in parser._actions:
        names = [name for name in action.option_strings if name.startswith("--")]
        key = key_of(names[0] if names else action.dest)
        if key not in NOT_SETTINGS:
            found[key] = action
    return found


def apply(parser: argparse.ArgumentParser, command: str, config: Config) -> list[Setting]:
    """Make what was set the defaults of a parser; returns every setting with its source."""
    if command in APART:
        return []
    actions = settable(parser)
    config.check_keys(command, actions)
    config.check_keys(SHARED_SECTION, SHARED)
    settings = []
    for key, action in actions.items():
        given = config.get(command, key)
        if given is None:
            settings.append(Setting(key, action.default, "default"))
            continue
        action.default = converted(action, key, given)
        action.required = False
        if not action.option_strings and action.nargs in (None, "+"):
            action.nargs = "?" if action.nargs is None else "*"
        settings.append(Setting(key, action.default, given.source))
    return settings


def settled(settings: Sequence[Setting], args: argparse.Namespace) -> list[Setting]:
    """The settings after the flags were read: what a flag changed says so."""
    found = []
    for one in settings:
        value = getattr(args, one.key.replace("-", "_"), one.value)
        found.append(one if value == one.value else Setting(one.key, value, "flag"))
    return found


def converted(action: argparse.Action, key: str, given: Given) -> Any:
    """A value as the flag would have it; one of the wrong kind is told with its place."""
    value = given.value
    if action.nargs == 0:
        return _flag(key, given)
    if _is_list(action):
        values = value.split() if given.is_text else value if isinstance(value, list) else [value]
        return [_one(action, key, given._replace(value=one)) for one in values]
    return _one(action, key, given)


def _is_list(action: argparse.Action) -> bool:
    return action.nargs in ("*", "+") or isinstance(action, argparse._AppendAction)


def _flag(key: str, given: Given) -> bool:
    if isinstance(given.value, bool):
        return given.value
    if given.is_text and given.value.lower() in TRUE + FALSE:
        return given.value.lower() in TRUE
    raise ConfigError(f"{given.source}: {key} = {given.value!r}: write true or false")


def _one(action: argparse.Action, key: str, given: Given) -> Any:
    value, kind = given.value, action.type
    if kind is None:
        if not isinstance(value, str):
            raise ConfigError(f"{given.source}: {key} = {value!r}: write a text in quotation marks")
        found: Any = value
    else:
        if isinstance(value, (list, dict)):
            raise ConfigError(f"{given.source}: {key} = {value!r}: write one value")
        try:
            found = kind(str(value)) if callable(kind) else value
        except (ValueError, TypeError, argparse.ArgumentTypeError) as error:
            raise ConfigError(f"{given.source}: {key} = {value!r} is not what --{key} takes: {action.help}") from error
    if action.choices is not None and found not in action.choices:
        hint = did_you_mean(str(found), map(str, action.choices))
        raise ConfigError(f"{given.source}: {key} = {found!r} is none of {', '.join(map(str, action.choices))}.{hint}")
    return found


def shown(key: str, value: object) -> str:
    """A value as it may be printed: passwords are not.

    >>> shown("frontier", "redis://me:secret@127.0.0.1/0"), shown("token", "x"), shown("limit", None)
    ('redis://***@127.0.0.1/0', '***', '-')
    """
    if value is None:
        return "-"
    if key in HIDDEN:
        return "***"
    if isinstance(value, (list, tuple)):
        return " ".join(shown(key, one) for one in value) or "-"
    return re.sub(r"//[^/@\s]*@", "//***@", str(value))
