"""`parcels init news`: a project to begin with, explained in its own files."""

import argparse
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from parcels.errors import ConfigError, InputMissing
from parcels.nearest import did_you_mean

HELP = "Begin a project: parcels.toml with every setting explained, seeds, and a README. Nothing is overwritten."
EXAMPLE = """
parcels init news
parcels init news my-corpus
"""
STARTERS = "starters"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("kind", metavar="KIND", help=f"what for: {', '.join(sorted(kinds()))}")
    parser.add_argument("folder", nargs="?", default=".", metavar="FOLDER", help="where (default: here)")


def run(args: argparse.Namespace) -> int:
    """Write the files."""
    known = kinds()
    if args.kind not in known:
        raise ConfigError(
            f"there is no kind of project '{args.kind}'.{did_you_mean(args.kind, known)} Known: {', '.join(known)}"
        )
    folder = Path(args.folder)
    files = sorted(known[args.kind].iterdir(), key=lambda file: file.name)
    there = [file.name for file in files if (folder / file.name).exists()]
    if there:
        raise ConfigError(f"{folder} has {', '.join(there)} already, and nothing is overwritten: name another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in files:
            (folder / file.name).write_bytes(file.read_bytes())
    except OSError as error:
        raise InputMissing(f"cannot write to {folder}: {error.strerror}") from error
    print(f"wrote {', '.join(file.name for file in files)} to {folder.resolve()}")
    print("Put your sites into seeds.txt, then: parcels crawl")
    return 0


def kinds() -> dict[str, Traversable]:
    """The kinds of project, each a folder of files."""
    return {
        entry.name: entry
        for entry in (resources.files("parcels") / STARTERS).iterdir()
        if (entry / "parcels.toml").is_file()
    }
