"""The table of commands: name, module, one line. Data only, so that `parcels --help` imports nothing else."""

from typing import NamedTuple


class Command(NamedTuple):
    """Where a command lives and what it does in one line."""

    module: str
    help: str


COMMANDS = {
    "blocks": Command("parcels.cli.blocks", "divide pages into fine blocks"),
    "layout": Command("parcels.cli.layout", "boxes on a screen and areas: header, footer, left, right, centre"),
    "import": Command("parcels.cli.import_", "put pages (HTML, WARC) or gold labels into a store without a crawl"),
    "train": Command("parcels.cli.train", "make a model from data"),
    "query": Command("parcels.cli.query", "SQL over the tables of a store"),
    "schema": Command("parcels.cli.schema", "the tables, their columns and keys"),
    "doctor": Command("parcels.cli.doctor", "check Python, packages, Java, Spark, Redis, Chromium; say the fix"),
    "demo": Command("parcels.cli.demo", "the whole pipeline, offline, on the example web"),
}
