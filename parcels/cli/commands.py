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
    "segment": Command("parcels.cli.segment", "the parts of a page that readers see, as a tree of segments"),
    "pagetype": Command("parcels.cli.pagetype", "what a page is there for: article, forum, product, listing, ..."),
    "topic": Command("parcels.cli.topic", "what pages are about, by layout, and where their links lead"),
    "learn-topics": Command("parcels.cli.learn_topics", "from a directory of sites to a topic model, in one command"),
    "crawl": Command("parcels.cli.crawl", "crawl into a store; the same command continues"),
    "explain-url": Command("parcels.cli.explain_url", "why a focused crawl went to an address"),
    "frontier": Command("parcels.cli.frontier", "why an address was not crawled; what is queued; rebuild"),
    "import": Command("parcels.cli.import_", "put pages (HTML, WARC) or gold labels into a store without a crawl"),
    "replay": Command("parcels.cli.replay", "answer any host from stored pages, as a proxy on loopback"),
    "train": Command("parcels.cli.train", "make a model from data"),
    "evaluate": Command("parcels.cli.evaluate", "score a model on labelled pages"),
    "run": Command(
        "parcels.cli.run", "jobs over a store: divide, classify, articles, ...; on this machine or a cluster"
    ),
    "submit": Command("parcels.cli.submit", "pack the environment and hand jobs to a cluster"),
    "compact": Command("parcels.cli.compact", "merge the small files of a store"),
    "annotate": Command("parcels.cli.annotate", "label the blocks of stored pages in the browser"),
    "inspect": Command("parcels.cli.inspect", "look at a page in the browser: blocks in colour, and why"),
    "export": Command("parcels.cli.export", "labels by people: JSON Lines, votes, Label Studio, agreement"),
    "report": Command("parcels.cli.report", "one HTML file about a store, with plots"),
    "drift": Command("parcels.cli.drift", "sites whose pages have changed, by the labels of their blocks"),
    "models": Command("parcels.cli.models", "models that are shipped or have rows in a store; choose the current one"),
    "query": Command("parcels.cli.query", "SQL over the tables of a store"),
    "schema": Command("parcels.cli.schema", "the tables, their columns and keys"),
    "forget": Command("parcels.cli.forget", "take addresses or hosts out of every table, for good"),
    "backup": Command("parcels.cli.backup", "copy a crawl's frontier and spool into one file"),
    "restore": Command("parcels.cli.restore", "put a copied frontier and spool back"),
    "migrate": Command("parcels.cli.migrate", "tables of an older version, with the columns of this one"),
    "metrics": Command("parcels.cli.metrics", "numbers of a store for Prometheus"),
    "init": Command("parcels.cli.init", "begin a project: parcels.toml, seeds, README"),
    "config": Command("parcels.cli.config", "the settings of a command, and where each came from"),
    "reference": Command("parcels.cli.reference", "pages of the reference, made from the code"),
    "doctor": Command("parcels.cli.doctor", "check Python, packages, Java, Spark, Redis, Chromium; say the fix"),
    "demo": Command("parcels.cli.demo", "the whole pipeline, offline, on the example web"),
}
