"""`python -m benchmarks [NAME…]`: run the benchmarks (all of the quick ones where none is named)."""

import importlib
import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the commands do: threads that wait for work burn CPU
os.environ.setdefault("OMP_NUM_THREADS", "1")

from parcels.errors import ParcelsError

QUICK = ["divide", "blocks_folder"]
ALL = [
    "divide",
    "blocks_speed",
    "blocks_folder",
    "library",
    "mutations",
    "learners",
    "blocks",
    "articles",
    "content_svm",
    "cotrain_course",
    "nlp",
    "css",
    "layout",
    "article_urls",
    "segments",
    "pagetypes",
    "topics",
    "focus",
    "focus_real",
    "focus_settings",
    "seeds",
    "replay",
    "annotate",
    "annotate_hint",
    "crawl",
    "crawl_kill",
    "crawl_soak",
    "crawl_webkb",
    "scale",
    "scale_pool",
    "scale_same",
]


def main(names: list[str]) -> int:
    unknown = set(names) - set(ALL)
    if unknown:
        print(f"no benchmark {', '.join(sorted(unknown))}; there are: {' '.join(ALL)}", file=sys.stderr)
        return 2
    missed = []
    for name in names or QUICK:
        print(f"== {name}")
        try:
            is_reached = importlib.import_module(f"benchmarks.{name}").main()
        except ParcelsError as error:
            print(f"benchmarks: {error}", file=sys.stderr)
            return error.exit_code
        if not is_reached:
            missed.append(name)
    if missed:
        print(f"below its mark: {', '.join(missed)}")
    return 4 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
