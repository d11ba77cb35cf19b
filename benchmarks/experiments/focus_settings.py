"""How a focused crawl's settings were chosen: recall at a quarter with each university left out in turn.

    python -m benchmarks focus_settings

A setting that was chosen on some universities is fair to measure on another one only where it would have been chosen
without that one too: the columns say so. More crawls than in `focus`: topics with at least 25 reachable pages.
"""

import numpy as np

from benchmarks.experiments.focus import tasks
from benchmarks.experiments.focus_crawl import crawled, focused
from benchmarks.experiments.focus_report import AT, Crawl
from benchmarks.quality.topics_data import UNIVERSITIES, webkb
from crawler.spiders.focused import FocusedLinkPolicy

LEAST_PAGES = 25
REPETITIONS = 3
SETTINGS = (
    {"hubs": 0.5, "explore": 0.05}, {"hubs": 1.0, "explore": 0.05}, {"hubs": 0.5, "explore": 0.02},
    {"hubs": 1.0, "explore": 0.02},
)  # fmt: skip


def main() -> bool:
    found, university = webkb()
    recalls: dict[Crawl, list[float]] = {}
    for name, web, topic, model in tasks(found, university, least=LEAST_PAGES):
        size = len(web.reachable())
        recalls[name, topic] = [
            float(np.mean([
                crawled(web, topic, focused(web, FocusedLinkPolicy(focus))).recall(AT, size)
                for focus in (model.focus(topic, seed=n, **setting) for n in range(REPETITIONS))
            ]))
            for setting in SETTINGS
        ]  # fmt: skip
    print(f"| setting | {' | '.join(f'without {name}' for name in UNIVERSITIES)} | all |")
    print(f"|{'---|' * (len(UNIVERSITIES) + 2)}")
    for n, setting in enumerate(SETTINGS):
        without = [np.mean([r[n] for (name, _), r in recalls.items() if name != out]) for out in UNIVERSITIES]
        cells = [f"{mean:.3f}" for mean in (*without, np.mean([r[n] for r in recalls.values()]))]
        print(f"| {', '.join(f'{key} {value}' for key, value in setting.items())} | {' | '.join(cells)} |")
    return True
