"""Entry point: find the command, parse its arguments, run it, turn errors into messages and exit codes."""

import argparse
import gc
import importlib
import os
import re
import sys
import traceback
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, NoReturn

from parcels import compiled
from parcels.cli.table import COMMANDS
from parcels.common.suggestions import did_you_mean
from parcels.errors import ParcelsError

if TYPE_CHECKING:
    from parcels.cli.log import JsonLog

BUG, USAGE, INTERRUPTED = 1, 2, 130


class Parser(argparse.ArgumentParser):
    """An argparse parser whose errors suggest the nearest known flag or choice."""

    def error(self, message: str) -> NoReturn:
        """Print the message with a suggestion and exit with the code for wrong usage."""
        print(f"{self.prog}: {message}{self._hint(message)}\nSee: {self.prog} --help", file=sys.stderr)
        raise SystemExit(USAGE)

    def _hint(self, message: str) -> str:
        known = [flag for action in self._actions for flag in action.option_strings]
        wrong = message.split(":", 1)[1].split() if message.startswith("unrecognized arguments:") else []
        hints = [did_you_mean(word.split("=")[0], known) for word in wrong if word.startswith("-")]
        choice = re.search(r"invalid choice: '([^']*)' \(choose from (.*)\)", message)
        if choice:
            hints.append(did_you_mean(choice[1], re.findall(r"[\w.-]+", choice[2])))
        return next((f"\n{hint.strip()}" for hint in hints if hint), "")


def overview() -> str:
    """Return the text of `parcels --help`."""
    width = max(map(len, COMMANDS))
    lines = [
        "usage: parcels COMMAND ...",
        "",
        "Crawl news sites, divide every page into fine blocks, label each block, query the results in Parquet.",
        "",
        "commands:",
    ]
    lines += [f"  {name:<{width}}  {command.help}" for name, command in COMMANDS.items()]
    lines += [
        "",
        "`parcels COMMAND --help` shows the arguments and an example, `parcels --version` the version.",
        "example:",
        "  parcels blocks page.html",
    ]
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code."""
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
        hint = did_you_mean(name, COMMANDS)
        print(f"parcels: Unknown command '{name}'.{hint}\nSee: parcels --help", file=sys.stderr)
        return USAGE
    if name != "train":  # a page's matrices are small: threads would wait longer than they work
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    return _run(name, command.module, rest)


def _run(name: str, module_name: str, words: list[str]) -> int:
    log: JsonLog | None = None
    code: int = BUG
    store: str | None = None
    stderr = sys.stderr
    try:
        from parcels.cli.settings import apply, config_in, settled
        from parcels.config import Config

        module = _imported(module_name)
        parser = parser_of(name, module)
        config = Config.open(config_in(words), os.environ)
        config.check_sections(COMMANDS)
        settings = apply(parser, name, config)
        args = parser.parse_args(words)
        if args.log == "json":
            log = _json_log(name)
            sys.stderr = log
            log.start(settled(settings, args))
        if name != "doctor":  # it reports the compiled modules itself
            compiled.warn_once(lambda text: print(f"parcels: warning: {text}", file=sys.stderr))
        store = getattr(args, "store", None)
        code = int(module.run(args) or 0)
        sys.stdout.flush()
    except ParcelsError as error:
        print(f"parcels: {error}", file=sys.stderr)
        code = error.exit_code
    except KeyboardInterrupt:
        print("parcels: stopped", file=sys.stderr)
        code = INTERRUPTED
    except BrokenPipeError:
        # The reader (head, less) has exited. Discard the rest, so that the interpreter does not fail at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else USAGE
    except Exception:  # noqa: BLE001 - any other exception is a bug, reported with its traceback
        traceback.print_exc()
        print(f"parcels {name}: This is a bug. Please report it with the lines above.", file=sys.stderr)
    finally:
        sys.stderr = stderr
        if log is not None:
            log.end(code, store)
    return code


def _imported(name: str) -> ModuleType:
    """Import a command's module with the garbage collector off: imported objects stay."""
    gc.disable()
    try:
        return importlib.import_module(name)
    finally:
        gc.enable()


def _json_log(command: str) -> "JsonLog":
    from parcels.cli.log import JsonLog

    return JsonLog(sys.stderr, command)


def parser_of(name: str, module: ModuleType) -> Parser:
    """Return the parser of a command, with the flags that all commands have."""
    from parcels.cli.settings import add_common_arguments

    parser = Parser(
        prog=f"parcels {name}",
        description=module.HELP,
        epilog="example:\n" + "\n".join(f"  {line}" for line in module.EXAMPLE.strip().splitlines()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    module.arguments(parser)
    add_common_arguments(parser)
    return parser
