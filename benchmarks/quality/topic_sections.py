"""Pages with topics: pages that their site files under one of a few sections, by address or by what the page states.

    python -m benchmarks.quality.topic_sections build/sections
    parcels train layout-mixture --data build/sections --out parcels/models/news_topics

Nobody has labelled these pages by hand. A page is taken where the folders of its address, the `article:section` of its
meta tags and the `articleSection` of its linked data that name a section all name the same one. A page that occurs in
several corpora is taken once.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks import corpora

CORPORA = ("news-fields", "wcxb", "news17", "news-unlabelled", "multilingual", "news-pool")
FREE = ("Apache-2.0", "MIT")  # of corpora whose rows state a licence, those of these
LEAVE_OUT = ("l3s-",)  # research use
SECTIONS = {
    "business": "business economy economic finance financial money market companies economics stock industry investing "
    "banking retail cryptocurrency bitcoin earnings startups entrepreneurs marketing",
    "entertainment": "entertainment arts art culture music movie film tv television celebrity celebrities showbiz "
    "tvshowbiz popculture theatre theater book hollywood comic tvandshowbiz",
    "health": "health healthcare wellness medical medicine nutrition fitness wellbeing diet",
    "politics": "politics political election policy parliament congress",
    "sport": "sport football nfl nba soccer cricket baseball hockey mlb golf tennis rugby basketball nhl mls ncaa "
    "olympics wrestling mma boxing ufc",
    "technology": "technology tech computing ai gaming game gadget software internet cybersecurity mobile phone "
    "smartphone computer laptop android apple windows programming",
}
TOPIC_OF = {word: topic for topic, words in SECTIONS.items() for word in words.split()}
MOST_WORDS = 3  # of a section's name: what is longer is the name of a story
HEAD_BYTES = 300_000
META = re.compile(rb"<meta[^>]+(?:property|name)=[\"']?(?:article:section|og:section|section)[\"']?[^>]*>", re.I)
CONTENT = re.compile(rb"content=[\"']([^\"']{2,60})", re.I)
LINKED = re.compile(rb"\"articleSection\"\s*:\s*\[?\s*\"([^\"]{2,60})\"")
LANGUAGE = re.compile(rb"<html[^>]*\slang=[\"']?([a-z]{2})", re.I)


def topic_of_name(name: str) -> str | None:
    """Return the topic of a section's name; None where it names none, or several.

    >>> topic_of_name("us-sports"), topic_of_name("Business & Technology"), topic_of_name("local")
    ('sport', None, None)
    """
    words = re.findall(r"[a-z]+", name.lower())
    if not 0 < len(words) <= MOST_WORDS:
        return None
    found = {TOPIC_OF[one] for word in words for one in (word, word.removesuffix("s")) if one in TOPIC_OF}
    return found.pop() if len(found) == 1 else None


def topic_of(url: str, html: bytes) -> str | None:
    """Return the topic under which a page is filed; None where that is not stated, or stated differently."""
    address = urlsplit(url)
    names = [(address.hostname or "").partition(".")[0], *address.path.split("/")[:-1]]
    head = html[:HEAD_BYTES]
    names += [found[1].decode("utf-8", "replace") for meta in META.findall(head) if (found := CONTENT.search(meta))]
    names += [found.decode("utf-8", "replace") for found in LINKED.findall(head)]
    topics = {topic for name in names if (topic := topic_of_name(name))}
    return topics.pop() if len(topics) == 1 else None


def is_english(row: dict[str, Any]) -> bool:
    """Return whether a page is in English, as far as the corpus or the page states it."""
    stated = LANGUAGE.search(row["html"][:5000])
    language = row.get("language") or (stated[1].decode().lower() if stated else "en")
    return str(language).startswith("en")


def rows(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the pages of the corpora that have a topic."""
    seen: set[str] = set()
    for corpus in CORPORA:
        file = pq.ParquetFile(folder / corpus / "pages.parquet")
        wanted = [name for name in ("page", "url", "html", "language", "licence") if name in file.schema_arrow.names]
        for batch in file.iter_batches(batch_size=64, columns=wanted):
            for row in batch.to_pylist():
                url = row["url"] or ""
                is_free = row.get("licence") is None or str(row["licence"]).startswith(FREE)
                if not row["html"] or url in seen or str(row["page"]).startswith(LEAVE_OUT) or not is_free:
                    continue
                topic = topic_of(url, row["html"])
                if topic is not None and is_english(row):
                    seen.add(url)
                    yield {"page": f"{corpus}/{row['page']}", "url": url, "html": row["html"], "topic": topic}


def main(out: Path) -> None:
    """Write pages.parquet."""
    found = list(rows(corpora.folder()))
    out.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(found), out / "pages.parquet")
    print(f"{len(found)} pages: {dict(Counter(row['topic'] for row in found))}")
    print(f"by corpus: {dict(Counter(row['page'].partition('/')[0] for row in found))}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
