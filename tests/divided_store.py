"""Dividing the pages of a store in this process."""

from collections import Counter

from jobs.divide import Divide
from jobs.engine.local_units import local_plan
from jobs.engine.page_pass import PagePass
from parcels.store import Store
from parcels.urls import new_run_id


def divide(store: Store, *, crawl: str) -> Counter[str]:
    """Divide the pages of a crawl as a task does; return its counts."""
    steps, run_id = (Divide(),), new_run_id()
    counts: Counter[str] = Counter()
    for number, units in enumerate(local_plan(store, crawl, steps, workers=1).units):
        job = PagePass(store.location.uri, crawl, (run_id,), steps)
        counts.update(job.process(units, commit_id=f"{run_id}-{number:06d}"))
    return counts
