"""The table of commands: name, module, one line. Data only, so that `parcels --help` imports nothing else."""

from typing import NamedTuple


class Command(NamedTuple):
    """The module of a command in parcels.cli.commands, and what it does in one line."""

    name: str
    help: str

    @property
    def module(self) -> str:
        """The name of the module."""
        return f"parcels.cli.commands.{self.name}"


COMMANDS = {
    "blocks": Command("blocks", "divide pages into blocks and label them"),
    "extract": Command("extract", "the article: title, date, authors, text, images"),
    "explain": Command("explain", "why a block has its label"),
    "layout": Command("layout", "boxes on a screen and areas: header, footer, left, right, centre"),
    "segment": Command("segment", "the parts of a page that readers see, as a tree of segments"),
    "pagetype": Command("pagetype", "what a page is there for: article, forum, product, listing, ..."),
    "topic": Command("topic", "what pages are about, by layout, and where their links lead"),
    "learn-topics": Command("learn_topics", "from a directory of sites to a topic model, in one command"),
    "crawl": Command("crawl", "crawl into a store; the same command continues"),
    "explain-url": Command("explain_url", "why a focused crawl went to an address"),
    "frontier": Command("frontier", "why an address was not crawled; what is queued; rebuild"),
    "import": Command("import_", "put pages (HTML, WARC) or gold labels into a store without a crawl"),
    "replay": Command("replay", "answer any host from stored pages, as a proxy on loopback"),
    "train": Command("train", "make a model from data"),
    "evaluate": Command("evaluate", "score a model on labelled pages"),
    "run": Command("run", "jobs over a store: divide, classify, articles, ...; on this machine or a cluster"),
    "submit": Command("submit", "pack the environment and hand jobs to a cluster"),
    "compact": Command("compact", "merge the small files of a store"),
    "annotate": Command("annotate", "label the blocks of stored pages in the browser"),
    "inspect": Command("inspect", "look at a page in the browser: blocks in colour, and why"),
    "export": Command("export", "labels by people: JSON Lines, votes, Label Studio, agreement"),
    "report": Command("report", "one HTML file about a store, with plots"),
    "drift": Command("drift", "sites whose pages have changed, by the labels of their blocks"),
    "models": Command("models", "models that are shipped or have rows in a store; choose the current one"),
    "query": Command("query", "SQL over the tables of a store"),
    "schema": Command("schema", "the tables, their columns and keys"),
    "forget": Command("forget", "take addresses or hosts out of every table, for good"),
    "backup": Command("backup", "copy a crawl's frontier and spool into one file"),
    "restore": Command("restore", "put a copied frontier and spool back"),
    "migrate": Command("migrate", "tables of an older version, with the columns of this one"),
    "metrics": Command("metrics", "numbers of a store for Prometheus"),
    "init": Command("init", "begin a project: parcels.toml, seeds, README"),
    "config": Command("config", "the settings of a command, and where each came from"),
    "reference": Command("reference", "pages of the reference, made from the code"),
    "doctor": Command("doctor", "check Python, packages, Java, Spark, Redis, Chromium; say the fix"),
    "demo": Command("demo", "the whole pipeline, offline, on the example web"),
}
