"""Sources of settings: flags win over the environment, the environment over parcels.toml, the file over defaults.

    [all]               settings of every command that has them: store, crawl, ...
    store = "store"
    [crawl]             settings of `parcels crawl`; a key is the name of a flag without dashes
    delay = 2.0

The environment variables are PARCELS_STORE and PARCELS_CRAWL_DELAY. A relative path in the file is relative to the
working directory, as on the command line.
"""

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from parcels.common.suggestions import did_you_mean
from parcels.errors import ConfigError, InputMissing

FILE = "parcels.toml"
SHARED_SECTION = "all"
SHARED = ("store", "crawl", "frontier", "state", "log", "no-progress")
NO_FILE = "none"
PREFIX = "PARCELS_"
WHICH_FILE = f"{PREFIX}CONFIG"
MAX_BYTES = 1 << 20


class Given(NamedTuple):
    """A value that was set, and its source."""

    value: Any
    source: str
    is_text: bool  # from the environment, where every value is text


def key_of(name: str) -> str:
    """Return a key in the spelling of flags.

    >>> key_of("--no_progress"), key_of("per-host")
    ('no-progress', 'per-host')
    """
    return name.lstrip("-").replace("_", "-")


def variable(key: str, command: str | None = None) -> str:
    """Return the environment variable of a key.

    >>> variable("delay", "crawl"), variable("no-progress")
    ('PARCELS_CRAWL_DELAY', 'PARCELS_NO_PROGRESS')
    """
    return PREFIX + "_".join(part for part in (command, key) if part).replace("-", "_").upper()


@dataclass(frozen=True)
class Config:
    """The settings of the file and the environment."""

    path: Path | None = None
    sections: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    environ: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def open(cls, given: str | None, environ: Mapping[str, str], *, folder: Path | None = None) -> "Config":
        """Read the given file (`none`: no file), else that of PARCELS_CONFIG, else parcels.toml, if any."""
        named = given or environ.get(WHICH_FILE)
        if named == NO_FILE:
            return cls(environ=environ)
        path = Path(named) if named else (folder or Path()) / FILE
        if not named and not path.is_file():
            return cls(environ=environ)
        return cls(path, _sections(path), environ)

    def check_sections(self, commands: Collection[str]) -> None:
        """Raise ConfigError for a section that is neither a command's nor [all]."""
        for name in self.sections:
            if name != SHARED_SECTION and name not in commands:
                hint = did_you_mean(name, [*commands, SHARED_SECTION])
                raise ConfigError(
                    f"{self.path}: Unknown section [{name}].{hint} Name a command, or [{SHARED_SECTION}]."
                )

    def check_keys(self, section: str, known: Collection[str]) -> None:
        """Raise ConfigError for an unknown key in a section."""
        for name in self.sections.get(section, {}):
            if key_of(name) not in known:
                hint = did_you_mean(key_of(name), known)
                raise ConfigError(
                    f"{self.path}: Unknown key '{name}' in [{section}].{hint}\nKnown: {', '.join(sorted(known))}"
                )

    def get(self, command: str, key: str) -> Given | None:
        """Return the value set for a key of a command; None if there is none."""
        is_shared = key in SHARED
        for name in (variable(key, command), *([variable(key)] if is_shared else [])):
            if self.environ.get(name):
                return Given(self.environ[name], f"environment {name}", True)
        for section in (command, *([SHARED_SECTION] if is_shared else [])):
            for name, value in self.sections.get(section, {}).items():
                if key_of(name) == key:
                    return Given(value, f"{self.path} [{section}]", False)
        return None


def _sections(path: Path) -> dict[str, dict[str, Any]]:
    """Return the sections of a file."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ConfigError(f"{path} is larger than {MAX_BYTES:,} bytes, so it is not a settings file.")
        sections = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InputMissing(f"Cannot read {path}: {error.strerror}. To create one: parcels init news") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error
    for name, value in sections.items():
        if not isinstance(value, dict):
            where = f"[{SHARED_SECTION}]" if key_of(name) in SHARED else "the section of its command, such as [crawl]"
            raise ConfigError(f"{path}: The key '{name}' is outside every section. Move it below {where}.")
    return sections
