"""`python -m benchmarks [NAME…]`: run the benchmarks (all of the quick ones where none is named)."""

import importlib
import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the commands do: threads that wait for work burn CPU
os.environ.setdefault("OMP_NUM_THREADS", "1")

from parcels.errors import ParcelsError

QUICK = ["divide", "blocks_folder"]
GROUPS = {
    "speed": [
        "annotate",
        "blocks_folder",
        "blocks_speed",
        "crawl",
        "crawl_kill",
        "crawl_soak",
        "crawl_webkb",
        "divide",
        "learners",
        "library",
        "replay",
        "scale",
        "scale_pool",
        "scale_same",
        "seeds",
    ],
    "quality": [
        "annotate_hint",
        "article_urls",
        "articles",
        "content_svm",
        "css",
        "dates",
        "index_pages",
        "layout",
        "mutations",
        "nlp",
        "pagetypes",
        "segments",
        "topics",
    ],
    "experiments": [
        "blocks",
        "cotrain_course",
        "focus",
        "focus_real",
        "focus_settings",
    ],
}
ALL = {name: f"benchmarks.{group}.{name}" for group, names in GROUPS.items() for name in names}


def main(names: list[str]) -> int:
    unknown = set(names) - ALL.keys()
    if unknown:
        print(f"no benchmark {', '.join(sorted(unknown))}; there are: {' '.join(ALL)}", file=sys.stderr)
        return 2
    missed = []
    for name in names or QUICK:
        print(f"== {name}")
        try:
            is_reached = importlib.import_module(ALL[name]).main()
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
