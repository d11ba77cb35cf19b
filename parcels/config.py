"""Where settings come from: flags win over the environment, that wins over parcels.toml, and that over the defaults.

    [all]               what every command takes that knows it: store, crawl, ...
    store = "store"
    [crawl]             what `parcels crawl` takes; a key is the name of a flag without its dashes
    delay = 2.0

The same in the environment is PARCELS_STORE and PARCELS_CRAWL_DELAY. A relative path in the file is meant as on the
command line: from the folder in which the command runs.
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
    """A value that somebody set, and where."""

    value: Any
    source: str
    is_text: bool  # from the environment: everything is text there


def key_of(name: str) -> str:
    """A key as flags are spelt.

    >>> key_of("--no_progress"), key_of("per-host")
    ('no-progress', 'per-host')
    """
    return name.lstrip("-").replace("_", "-")


def variable(key: str, command: str | None = None) -> str:
    """The environment variable of a key.

    >>> variable("delay", "crawl"), variable("no-progress")
    ('PARCELS_CRAWL_DELAY', 'PARCELS_NO_PROGRESS')
    """
    return PREFIX + "_".join(part for part in (command, key) if part).replace("-", "_").upper()


@dataclass(frozen=True)
class Config:
    """What the file and the environment say, before any command has looked at it."""

    path: Path | None = None
    sections: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    environ: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def open(cls, given: str | None, environ: Mapping[str, str], *, folder: Path | None = None) -> "Config":
        """The named file (`none`: no file), else that of PARCELS_CONFIG, else parcels.toml of the folder, if any."""
        named = given or environ.get(WHICH_FILE)
        if named == NO_FILE:
            return cls(environ=environ)
        path = Path(named) if named else (folder or Path()) / FILE
        if not named and not path.is_file():
            return cls(environ=environ)
        return cls(path, _sections(path), environ)

    def check_sections(self, commands: Collection[str]) -> None:
        """Every section is that of a command, or [all]."""
        for name in self.sections:
            if name != SHARED_SECTION and name not in commands:
                hint = did_you_mean(name, [*commands, SHARED_SECTION])
                raise ConfigError(f"{self.path}: there is no command '{name}' for the section [{name}].{hint}")

    def check_keys(self, section: str, known: Collection[str]) -> None:
        """Every key of a section is known."""
        for name in self.sections.get(section, {}):
            if key_of(name) not in known:
                hint = did_you_mean(key_of(name), known)
                raise ConfigError(
                    f"{self.path}: [{section}] has the unknown key '{name}'.{hint}\nKnown: {', '.join(sorted(known))}"
                )

    def get(self, command: str, key: str) -> Given | None:
        """What was set for a key of a command; None where nothing was."""
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
    """The sections of a file."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ConfigError(f"{path} has more than {MAX_BYTES:,} bytes: that is no file of settings")
        told = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InputMissing(f"{path} cannot be read: {error.strerror}. `parcels init news` makes one.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(f"{path} is not TOML: {error}") from error
    for name, value in told.items():
        if not isinstance(value, dict):
            where = f"[{SHARED_SECTION}]" if key_of(name) in SHARED else "the section of its command, such as [crawl]"
            raise ConfigError(f"{path}: '{name}' stands outside every section: put it below {where}")
    return told
