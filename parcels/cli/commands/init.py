"""`parcels init news`: a project to begin with, explained in its own files."""

import argparse
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from parcels.common.suggestions import did_you_mean
from parcels.errors import ConfigError, InputMissing

HELP = "Begin a project: parcels.toml with every setting explained, seeds, a page to try. Nothing is overwritten."
EXAMPLE = """
parcels init news
parcels init news my-corpus
"""
STARTERS = "starters"
PAGE, PAGE_HOST = "page.html", "lumen.example"


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
    contents = {file.name: file.read_bytes() for file in known[args.kind].iterdir()} | {PAGE: _example_page()}
    there = [name for name in contents if (folder / name).exists()]
    if there:
        raise ConfigError(f"{folder} has {', '.join(there)} already, and nothing is overwritten: name another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in contents.items():
            (folder / name).write_bytes(content)
    except OSError as error:
        raise InputMissing(f"cannot write to {folder}: {error.strerror}") from error
    print(f"wrote {', '.join(sorted(contents))} to {folder.resolve()}")
    print("Next, without a network: parcels crawl (of the bundled example web). Your own sites: see parcels.toml.")
    return 0


def _example_page() -> bytes:
    """Return an article of the example web: a page to try commands on."""
    from parcels import example_web

    return example_web.fetch(example_web.article_urls(PAGE_HOST)[0]).body


def kinds() -> dict[str, Traversable]:
    """The kinds of project, each a folder of files."""
    return {
        entry.name: entry
        for entry in (resources.files("parcels") / STARTERS).iterdir()
        if (entry / "parcels.toml").is_file()
    }
