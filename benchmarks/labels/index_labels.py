"""Answers for 756 pages of news-pool, read for this project by the rubric: article, index or other.

`index_labels.jsonl` has one line per page: corpus, page, address, SHA-256 of the bytes and the answer; no text. Half of
the pages were drawn at random, half among those on which an earlier model was unsure; at most two pages are of one
site. None of them is in varied_labels.jsonl. The corpus' own answers were not read.
"""

import json
from pathlib import Path

LABELS = Path(__file__).with_suffix(".jsonl")


def answers() -> dict[str, str]:
    """Return the answer of each page, by its name in news-pool."""
    return {row["page"]: row["answer"] for row in map(json.loads, LABELS.read_text("utf-8").splitlines())}
