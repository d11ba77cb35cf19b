"""Page types on wcxb by four folds of sites: ours, the paper's positions alone, names alone, text only, one segment."""

import time

import pyarrow.parquet as pq

from benchmarks.corpora import fingerprint, folder
from parcels.pagetypes.examples import read_typed
from parcels.pagetypes.training import METHODS, OWN, cross_validated, interval, type_scores

F1, ACCURACY = 0.75, 0.85
WORKERS = 2


def main() -> bool:
    started = time.process_time()
    found, lost = read_typed(folder() / "wcxb", workers=WORKERS)
    print(f"-- wcxb ({fingerprint('wcxb')}): {len(found)} pages, not read: {len(lost)}")
    rows = pq.read_table(folder() / "wcxb" / "pages.parquet", columns=["page_type"]).num_rows
    print(f"{rows} rows, {time.process_time() - started:.0f} s of processor time in this process")
    answers = cross_validated(found, tell=print)
    gold = [page.page_type for page in found]
    for method in METHODS:
        own = type_scores(gold, answers[method])
        low, high = interval(found, answers[method], None, "f1")
        print(
            f"{method:10} accuracy {own.accuracy:.3f}  macro precision {own.precision:.3f} recall {own.recall:.3f} "
            f"F1 {own.f1:.3f} ({low:.3f} to {high:.3f})"
        )
        print("           " + ", ".join(f"{name} {value:.2f}" for name, value in own.by_type.items()))
    low, high = interval(found, answers[OWN], answers["text"], "f1")
    print(f"{OWN} less text only, macro F1: {low:+.3f} to {high:+.3f} (95 % over sites)")
    own = type_scores(gold, answers[OWN])
    return own.f1 >= F1 and own.accuracy >= ACCURACY and low > 0
