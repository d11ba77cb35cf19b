"""The report about a store as one self-contained HTML file."""

import datetime as dt

import parcels
from parcels.report import crawled, harvest, labelled
from parcels.report.data import Data
from parcels.report.html import document
from parcels.report.quality import judge
from parcels.store import Store


def report(store: Store, *, crawl: str | None = None, model: str | None = None) -> str:
    """Return the HTML of the report."""
    data = Data(store, crawl=crawl, model=model)
    try:
        quality = judge(store, data.model, crawl=crawl) if data.model else None
        sections = [
            ("", crawled.overview(data)),
            ("Labels per site", crawled.labels_by_site(data)),
            ("Error and F1", labelled.scores(data, quality)),
            ("Confusion", labelled.confusion(data, quality)),
            ("Calibration", labelled.calibration(data, quality)),
            ("Co-training", labelled.cotraining(data)),
            ("Annotators", labelled.people(data)),
            ("Crawl progress and harvest", crawled.progress(data)),
            (harvest.TITLE, harvest.focused(data)),
            ("Layout changes", crawled.layouts(data)),
            ("Rejects", crawled.rejects(data)),
            ("Worst pages", labelled.worst(data, quality)),
            ("Latest runs", crawled.runs(data)),
        ]
    finally:
        data.close()
    now = dt.datetime.now(dt.UTC)
    what = f"crawl {crawl} of {store.location.uri}" if crawl else store.location.uri
    shown = f"labels by {data.model}, " if data.model else ""
    about = f"{what}; {shown}{now:%Y-%m-%d %H:%M} UTC, parcels {parcels.__version__}"
    return document("PARCELS report", about, sections)
