"""`parcels init news`: create a project, explained in its own files."""

import argparse
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from parcels.common.suggestions import did_you_mean
from parcels.errors import ConfigError, InputMissing

HELP = (
    "Create a project: parcels.toml with explained settings, seeds, a page to try. Existing files are not overwritten."
)
EXAMPLE = """
parcels init news
parcels init news my-corpus
"""
STARTERS = "starters"
PAGE, PAGE_HOST = "page.html", "lumen.example"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("kind", metavar="KIND", help=f"kind of project: {', '.join(sorted(kinds()))}")
    parser.add_argument(
        "folder",
        nargs="?",
        default=".",
        metavar="FOLDER",
        help="folder of the project (default: the working directory)",
    )


def run(args: argparse.Namespace) -> int:
    """Write the files."""
    known = kinds()
    if args.kind not in known:
        raise ConfigError(
            f"Unknown kind of project '{args.kind}'.{did_you_mean(args.kind, known)} Known: {', '.join(known)}."
        )
    folder = Path(args.folder)
    contents = {file.name: file.read_bytes() for file in known[args.kind].iterdir()} | {PAGE: _example_page()}
    existing = [name for name in contents if (folder / name).exists()]
    if existing:
        raise ConfigError(
            f"{folder} already has {', '.join(existing)}, and files are not overwritten. Name another folder."
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in contents.items():
            (folder / name).write_bytes(content)
    except OSError as error:
        raise InputMissing(f"Cannot write to {folder}: {error.strerror}") from error
    print(f"wrote {', '.join(sorted(contents))} to {folder.resolve()}")
    print("Next: parcels crawl (the bundled example web, without a network). For your own sites, edit parcels.toml.")
    return 0


def _example_page() -> bytes:
    """Return an article of the example web: a page to try commands on."""
    from parcels import example_web

    return example_web.fetch(example_web.article_urls(PAGE_HOST)[0]).body


def kinds() -> dict[str, Traversable]:
    """Return the kinds of projects, each a folder of files."""
    return {
        entry.name: entry
        for entry in (resources.files("parcels") / STARTERS).iterdir()
        if (entry / "parcels.toml").is_file()
    }
