"""The table of commands. Data only, so that `parcels --help` imports nothing else."""

from typing import NamedTuple


class Command(NamedTuple):
    """The module of a command in parcels.cli.commands, and its one-line help."""

    name: str
    help: str

    @property
    def module(self) -> str:
        """Return the full name of the module."""
        return f"parcels.cli.commands.{self.name}"


COMMANDS = {
    "blocks": Command("blocks", "divide pages into blocks and label them"),
    "extract": Command("extract", "extract the article: title, date, authors, text, images"),
    "explain": Command("explain", "explain why a block has its label"),
    "layout": Command("layout", "lay pages out: boxes on a screen, and areas (header, footer, left, right, centre)"),
    "segment": Command("segment", "segment pages into the parts that readers see"),
    "pagetype": Command("pagetype", "predict the type of a page: article, forum, product, listing, ..."),
    "topic": Command("topic", "predict the topic of a page, and of the pages behind its links"),
    "learn-topics": Command("learn_topics", "crawl a directory of sites and train a topic model"),
    "crawl": Command("crawl", "crawl into a store; the same command continues a crawl"),
    "explain-url": Command("explain_url", "explain why a focused crawl fetched an address"),
    "frontier": Command("frontier", "inspect, retry or rebuild the queue of a crawl"),
    "import": Command("import_", "import pages (HTML, WARC) or gold labels into a store"),
    "replay": Command("replay", "serve stored pages as an HTTP proxy on this machine"),
    "train": Command("train", "train a model"),
    "evaluate": Command("evaluate", "evaluate a model on labelled pages"),
    "run": Command("run", "run jobs over a store (divide, classify, articles, ...), here or on a cluster"),
    "submit": Command("submit", "submit jobs to a cluster, with the packed environment"),
    "compact": Command("compact", "merge the small files of a store"),
    "annotate": Command("annotate", "label the blocks of stored pages in the browser"),
    "inspect": Command("inspect", "show pages in the browser: blocks in colour, with explanations"),
    "export": Command("export", "export labels by people: JSON Lines, votes, Label Studio, agreement"),
    "report": Command("report", "write a report about a store as one HTML file"),
    "drift": Command("drift", "list sites whose labels have changed over time"),
    "models": Command("models", "list models, and choose the current one of a store"),
    "query": Command("query", "query the tables of a store with SQL"),
    "schema": Command("schema", "show the tables with their columns and keys"),
    "forget": Command("forget", "remove addresses or hosts from every table"),
    "backup": Command("backup", "back up a crawl's frontier and spool into one file"),
    "restore": Command("restore", "restore a frontier and spool from a backup"),
    "migrate": Command("migrate", "migrate tables of an older version to the current columns"),
    "metrics": Command("metrics", "print or serve metrics of a store for Prometheus"),
    "init": Command("init", "create a project: parcels.toml, seeds, README"),
    "config": Command("config", "show the settings of a command with their sources"),
    "reference": Command("reference", "print a page of the reference documentation"),
    "doctor": Command("doctor", "check Python, packages, Java, Redis, Chromium, with fixes"),
    "demo": Command("demo", "run the whole pipeline offline on the example web"),
}
