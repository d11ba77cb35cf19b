"""Read pages from stdin with the sanitized package, and report what became of each.

    python -m benchmarks.fuzz.worker MODULE:FUNCTION

A page is one line of JSON (`size`, `url`) and its bytes; the answer is one line of JSON (`outcome`, `errors`). The
sanitizers write to stderr.
"""

import importlib
import json
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any

Step = Callable[[], object]
Target = Callable[[bytes, str], Iterator[Step]]


def main(target: str) -> None:
    """Answer for each page until stdin ends."""
    module, _, name = target.partition(":")
    steps: Target = getattr(importlib.import_module(module), name)
    errors: list[str] = []
    sys.unraisablehook = lambda args: errors.append(_unraisable(args))
    answers = sys.stdout
    sys.stdout = sys.stderr  # nothing else may write between the answers
    while line := sys.stdin.buffer.readline():
        page = json.loads(line)
        outcome = "ok"
        for step in steps(sys.stdin.buffer.read(page["size"]), page["url"]):
            try:
                step()
            except Exception as error:  # noqa: BLE001 - this is what the run looks for; the other steps follow
                if isinstance(reason := getattr(error, "reason", None), str):  # SkipRecord: the page is refused
                    outcome = reason
                else:
                    errors.append(traceback.format_exc())
        print(json.dumps({"outcome": outcome, "errors": errors}), file=answers, flush=True)
        errors.clear()


def _unraisable(args: Any) -> str:
    lines = traceback.format_exception(args.exc_type, args.exc_value, args.exc_traceback)
    return f"Exception that was swallowed in {args.object!r}:\n{''.join(lines)}"


if __name__ == "__main__":
    main(sys.argv[1])
