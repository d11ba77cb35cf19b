"""The table of commands: name, module, one line. Data only, so that `parcels --help` imports nothing else."""

from typing import NamedTuple


class Command(NamedTuple):
    """Where a command lives and what it does in one line."""

    module: str
    help: str


COMMANDS = {
    "blocks": Command("parcels.cli.blocks", "divide pages into blocks and label them"),
    "extract": Command("parcels.cli.extract", "the article: title, date, authors, text, images"),
    "explain": Command("parcels.cli.explain", "why a block has its label"),
    "layout": Command("parcels.cli.layout", "boxes on a screen and areas: header, footer, left, right, centre"),
    "crawl": Command("parcels.cli.crawl", "crawl into a store; the same command continues"),
    "frontier": Command("parcels.cli.frontier", "why an address was not crawled; what is queued; rebuild"),
    "import": Command("parcels.cli.import_", "put pages (HTML, WARC) or gold labels into a store without a crawl"),
    "replay": Command("parcels.cli.replay", "answer any host from stored pages, as a proxy on loopback"),
    "train": Command("parcels.cli.train", "make a model from data"),
    "evaluate": Command("parcels.cli.evaluate", "score a model on labelled pages"),
    "run": Command("parcels.cli.run", "jobs over a store: divide, featurize, cotrain, classify; local or a cluster"),
    "submit": Command("parcels.cli.submit", "pack the environment and hand jobs to a cluster"),
    "compact": Command("parcels.cli.compact", "merge the small files of a store"),
    "query": Command("parcels.cli.query", "SQL over the tables of a store"),
    "schema": Command("parcels.cli.schema", "the tables, their columns and keys"),
    "doctor": Command("parcels.cli.doctor", "check Python, packages, Java, Spark, Redis, Chromium; say the fix"),
    "demo": Command("parcels.cli.demo", "the whole pipeline, offline, on the example web"),
}
