"""Find the command, parse its arguments, run it, turn errors into messages and exit codes."""

import argparse
import difflib
import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from typing import NoReturn

from parcels.cli.commands import COMMANDS
from parcels.errors import ParcelsError

BUG, USAGE, INTERRUPTED = 1, 2, 130


class Parser(argparse.ArgumentParser):
    """An argparse parser whose complaint about an unknown flag names the nearest known one."""

    def error(self, message: str) -> NoReturn:
        """Print the message with a hint and exit with the code for wrong usage."""
        hint = ""
        if message.startswith("unrecognized arguments:"):
            known = [flag for action in self._actions for flag in action.option_strings]
            for word in message.split(":", 1)[1].split():
                near = difflib.get_close_matches(word.split("=")[0], known, n=1, cutoff=0.5)
                if near:
                    hint = f"\nDid you mean {near[0]}?"
                    break
        print(f"{self.prog}: {message}{hint}\nSee: {self.prog} --help", file=sys.stderr)
        raise SystemExit(USAGE)


def overview() -> str:
    """The text of `parcels --help`."""
    width = max(map(len, COMMANDS))
    lines = [
        "usage: parcels COMMAND ...",
        "",
        "Crawl news sites, divide every page into fine blocks, label each block, query them in Parquet.",
        "",
        "commands:",
    ]
    lines += [f"  {name:<{width}}  {command.help}" for name, command in COMMANDS.items()]
    lines += [
        "",
        "`parcels COMMAND --help` tells more, with an example; `parcels --version` the version.",
        "example:",
        "  parcels blocks page.html",
    ]
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    if not words or words[0] in ("-h", "--help", "help"):
        print(overview())
        return 0
    if words[0] in ("-V", "--version"):
        import parcels

        print(f"parcels {parcels.__version__}")
        return 0
    name, rest = words[0], words[1:]
    command = COMMANDS.get(name)
    if command is None:
        near = difflib.get_close_matches(name, COMMANDS, n=1)
        hint = f" Did you mean '{near[0]}'?" if near else ""
        print(f"parcels: there is no command '{name}'.{hint}\nSee: parcels --help", file=sys.stderr)
        return USAGE
    if name != "train":  # a page's matrices are small: threads would wait for each other longer than they work
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    return _run(name, command.module, rest)


def _run(name: str, module_name: str, words: list[str]) -> int:
    try:
        module = importlib.import_module(module_name)
        parser = Parser(
            prog=f"parcels {name}",
            description=module.HELP,
            epilog="example:\n" + "\n".join(f"  {line}" for line in module.EXAMPLE.strip().splitlines()),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        module.arguments(parser)
        args = parser.parse_args(words)
        code = int(module.run(args) or 0)
        sys.stdout.flush()
        return code
    except ParcelsError as error:
        print(f"parcels: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("parcels: stopped", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader (head, less) has gone; nothing is left to say, and the interpreter must not say it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else USAGE
    except Exception:  # noqa: BLE001 - the last net: a bug is told as one, with all that a report needs
        traceback.print_exc()
        print(f"parcels {name}: this is a bug. Please report it with the lines above.", file=sys.stderr)
        return BUG
