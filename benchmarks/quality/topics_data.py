"""The pages of webkb and wcxb as the topic benchmarks need them, and the graph between webkb's pages."""

import sys
from dataclasses import dataclass, replace

import pyarrow.parquet as pq

from benchmarks.corpora import folder
from benchmarks.quality.topics_cache import cached_examples
from parcels.topics.examples import TopicExample

UNIVERSITIES = ("cornell", "texas", "washington")  # each whole; `misc` is many others, a few pages each
OTHER = "other"  # webkb's topic for what is none
LEAST_REACHABLE = 50  # pages of a topic, for a crawl to be measured


@dataclass(frozen=True)
class Web:
    """One university's pages by address, and where a crawl of them begins."""

    pages: dict[str, TopicExample]
    seed: str

    def reachable(self) -> set[str]:
        """Return the addresses that links reach from the seed, over stored pages."""
        reached, queue = {self.seed}, [self.seed]
        for url in queue:
            for link in self.pages[url].page.links:
                if link.target in self.pages and link.target not in reached:
                    reached.add(link.target)
                    queue.append(link.target)
        return reached


def webkb() -> tuple[list[TopicExample], dict[str, str]]:
    """All pages, the university in place of the site (that of `misc` is its site), and the university of each."""
    names = pq.read_table(folder() / "webkb" / "pages.parquet", columns=["page", "university"]).to_pylist()
    university = {row["page"]: row["university"] for row in names}
    read, left_out = cached_examples("webkb")
    found = [
        replace(example, site=example.site if university[example.name] == "misc" else university[example.name])
        for example in read
    ]
    print(f"webkb: {len(found):,} pages; left out: {dict(left_out)}", file=sys.stderr, flush=True)
    return found, university


def web_of(found: list[TopicExample], university: dict[str, str], name: str) -> Web:
    """A university's own web; its department's page is where a crawl begins."""
    pages: dict[str, TopicExample] = {}
    for example in found:
        if university[example.name] == name and example.page.url:
            pages.setdefault(example.page.url, example)
    seed = min(url for url, example in pages.items() if example.topic == "department")
    return Web(pages, seed)
