"""Settings of a command: every flag is also a key of parcels.toml and an environment variable."""

import argparse
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from parcels.common.suggestions import did_you_mean
from parcels.config import SHARED, SHARED_SECTION, Config, Given, key_of
from parcels.errors import ConfigError

APART = ("init", "config", "demo", "doctor", "schema", "reference")  # commands without settings in files
NOT_SETTINGS = ("help", "config")
TRUE, FALSE = ("1", "true", "yes", "on"), ("0", "false", "no", "off")
HIDDEN = ("token",)


class Setting(NamedTuple):
    """The value of a key, and its source."""

    key: str
    value: Any
    source: str


def add_common_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags that every command has."""
    group = parser.add_argument_group("all commands")
    group.add_argument("--config", metavar="FILE", help="settings file, or none (default: parcels.toml, if it exists)")
    group.add_argument(
        "--log", choices=("text", "json"), default="text", help="format of messages on standard error (default: text)"
    )


def config_in(words: Sequence[str]) -> str | None:
    """Return the value of --config, which is needed before the other arguments are parsed.

    >>> config_in(["--config", "a.toml"]), config_in(["--config=b.toml"]), config_in(["x"]), config_in([])
    ('a.toml', 'b.toml', None, None)
    """
    path = None
    for word, following in zip(words, [*words[1:], ""], strict=False):
        if word == "--":
            break
        if word == "--config":
            path = following or None
        elif word.startswith("--config="):
            path = word.partition("=")[2]
    return path


def settable(parser: argparse.ArgumentParser) -> dict[str, argparse.Action]:
    """Return the arguments that are settings, by key."""
    actions = {}
    for action in parser._actions:
        names = [name for name in action.option_strings if name.startswith("--")]
        key = key_of(names[0] if names else action.dest)
        if key not in NOT_SETTINGS:
            actions[key] = action
    return actions


def apply(parser: argparse.ArgumentParser, command: str, config: Config) -> list[Setting]:
    """Make the configured values the defaults of a parser; return every setting with its source."""
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
    """Return the settings after the flags were parsed; values changed by a flag have the source `flag`."""
    result = []
    for setting in settings:
        value = getattr(args, setting.key.replace("-", "_"), setting.value)
        result.append(setting if value == setting.value else Setting(setting.key, value, "flag"))
    return result


def converted(action: argparse.Action, key: str, given: Given) -> Any:
    """Return a configured value as the flag would parse it; raise ConfigError with its source if invalid."""
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
    raise ConfigError(f"{given.source}: {key} must be true or false, got {given.value!r}.")


def _one(action: argparse.Action, key: str, given: Given) -> Any:
    value, kind = given.value, action.type
    if kind is None:
        if not isinstance(value, str):
            raise ConfigError(f"{given.source}: {key} must be a string in quotation marks, got {value!r}.")
        converted_: Any = value
    else:
        if isinstance(value, (list, dict)):
            raise ConfigError(f"{given.source}: {key} must be a single value, got {value!r}.")
        try:
            converted_ = kind(str(value)) if callable(kind) else value
        except argparse.ArgumentTypeError as error:
            raise ConfigError(f"{given.source}: {key} {error}.") from error
        except (ValueError, TypeError) as error:
            raise ConfigError(f"{given.source}: Invalid value {value!r} for {key}. --{key}: {action.help}") from error
    if action.choices is not None and converted_ not in action.choices:
        hint = did_you_mean(str(converted_), map(str, action.choices))
        raise ConfigError(
            f"{given.source}: {key} = {converted_!r} is not one of {', '.join(map(str, action.choices))}.{hint}"
        )
    return converted_


def shown(key: str, value: object) -> str:
    """Return a value for printing, without passwords.

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
