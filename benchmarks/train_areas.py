"""Learn the weights of header and footer, and write parcels/layout/areas/weights.py.

    python -m benchmarks.train_areas [--dry-run]

The weights start from numbers set by hand (START_*), and are moved only as far as the pages of `segments` ask for: a
logistic regression with a penalty on the distance from the start. There are too few side columns in the gold to learn
from: learned column weights did worse than hand-set ones in cross-validation. Trained on are both renderers' boxes, and
the virtual screen's without the external sheets ("bare"), as pages come from archives. What is printed is
cross-validated, every page being a site of its own.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.area_gold import GoldPage, areas_of, gold_pages
from benchmarks.area_scores import PageScore, score, summary
from parcels.css.cascade import computed_style
from parcels.css.source import SheetSource
from parcels.layout.areas import evidence
from parcels.layout.areas.map import paint
from parcels.layout.boxes import Layout
from parcels.layout.chromium import ChromiumRenderer
from parcels.layout.virtual import render

TARGET = Path(__file__).parents[1] / "parcels" / "layout" / "areas" / "weights.py"
FOLDS = 7
PENALTY = 3.0

START_HEADER = {
    "bias": -4.5, "top_far": 1.5, "top_near": 0.5, "first": 0.7, "early": 0.5, "no_text_before": 0.7,
    "strip_ends_high": 2.0, "strip_above_text": 0.8, "strip_wide": 0.5, "header_tag": 1.5, "header_name": 1.0,
    "header_name x top_far": 1.0, "header_tag x top_far": 1.0, "nav_name": 0.3, "nav_tag": 0.3, "search_name": 0.3,
    "nav_name x strip_ends_high": 1.5, "strip_links x strip_ends_high": 0.7, "main_tag": -1.0, "article_tag": -1.0,
    "content_name": -0.5, "article_name": -0.5, "is_long": -1.0, "inner_header": -0.5, "side_name": -0.7,
    "aside_tag": -0.7, "left_name": -0.3, "right_name": -0.3, "footer_name": -1.0, "footer_tag": -1.5, "down": -1.0,
}  # fmt: skip
START_FOOTER = {
    "bias": -4.5, "bottom_far": 1.5, "bottom_near": 0.5, "last": 0.7, "late": 0.5, "no_text_after": 0.7, "rank": 0.7,
    "down": 0.5, "strip_begins_low": 2.0, "strip_bottom_far": 1.0, "strip_below_text": 0.8, "footer_tag": 1.5,
    "footer_name": 1.5, "footer_name x bottom_far": 1.0, "footer_tag x late": 1.0, "footer_name x late": 0.7,
    "rights": 1.0, "after_rights": 1.0, "strip_legal": 0.8, "strip_links x strip_bottom_far": 0.5, "main_tag": -1.0,
    "article_tag": -1.0, "content_name": -0.5, "article_name": -0.5, "is_long": -0.5, "inner_footer": -0.5,
    "side_name": -0.7, "aside_tag": -0.7, "header_name": -1.0, "header_tag": -1.5,
}  # fmt: skip
COLUMN_WEIGHTS = {
    "bias": -4.5, "stack_high": 2.5, "tall": 1.0, "slim": 0.5, "narrow": 0.7, "outer": 1.0,
    "wide_left": -2.0, "beside_wide": 1.5, "beside_broad": 0.7, "alone": -1.5, "more_outside": -1.0, "equals": -1.0,
    "links": 1.0,
    "long_text": -1.0, "few": -2.0, "ends_high": -1.5, "begins_low": -1.5, "side_name": 1.5, "own_side_name": 1.2,
    "other_side_name": -1.5, "nav_name": 0.8, "nav_tag": 0.5, "header_name": -1.0, "header_tag": -2.0,
    "footer_name": -1.5, "footer_tag": -2.0, "article_tag": -1.0, "main_tag": -0.5, "content_name": -0.5,
}  # fmt: skip

Sample = tuple[Any, ...]


class Trainer:
    """The evidence of every page under every renderer, and the gold."""

    def __init__(self, pages: Sequence[GoldPage], layouts: dict[str, dict[str, Layout]]):
        self.pages, self.layouts = pages, layouts
        self.gold = [areas_of(page, layouts["chromium"][page.raw.name]) for page in pages]
        self.found = {
            renderer: [evidence.evidence_of(page.page, by_name[page.raw.name]) for page in pages]
            for renderer, by_name in layouts.items()
        }
        self.names = list(self.found["chromium"][0][1])
        self.start = np.array([[START_HEADER.get(n, 0.0), START_FOOTER.get(n, 0.0)] for n in self.names])
        self.matrices = {
            renderer: [np.stack([leaves[name] for name in self.names], axis=1) for _, leaves, _ in found]
            for renderer, found in self.found.items()
        }

    def fit(self, pages: Sequence[int]) -> np.ndarray:
        """Weights by name, for header and footer."""
        from scipy.optimize import minimize

        rows, labels, weights = [], [], []
        for matrices in self.matrices.values():
            for number in pages:
                is_scored = self.gold[number] >= 0
                if is_scored.any():
                    rows.append(matrices[number][is_scored])
                    labels.append(np.minimum(self.gold[number][is_scored], 2))
                    weights.append(np.full(is_scored.sum(), is_scored.sum() ** -0.5))
        x, y, w = np.concatenate(rows), np.eye(3)[np.concatenate(labels)], np.concatenate(weights)
        w *= 10 * len(pages) / w.sum()

        def loss(moved: np.ndarray) -> tuple[float, np.ndarray]:
            scores = np.concatenate([x @ (self.start + moved.reshape(self.start.shape)), np.zeros((len(x), 1))], axis=1)
            scores -= scores.max(axis=1, keepdims=True)
            p = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
            value = -(w * np.log((p * y).sum(axis=1) + 1e-12)).sum() + PENALTY / 2 * (moved @ moved)
            return value, (x.T @ (w[:, None] * (p - y))[:, :2]).ravel() + PENALTY * moved

        result = minimize(loss, np.zeros(self.start.size), jac=True, method="L-BFGS-B", options={"maxiter": 200})
        return self.start + result.x.reshape(self.start.shape)

    def areas(self, number: int, weights: np.ndarray, renderer: str) -> np.ndarray:
        """The areas of a page's leaves by these weights."""
        scene, _, columns = self.found[renderer][number]
        side = sum((columns.evidence[name] * weight for name, weight in COLUMN_WEIGHTS.items()), np.zeros(1))
        gains = evidence.advantage(self.matrices[renderer][number] @ weights, side, columns)
        page = self.pages[number].page
        regions, loose = evidence.partition(page, gains, price=evidence.PRICE)
        areas = evidence.with_link_bars(page, scene, paint(page, regions, loose, "evidence"))
        return evidence.with_centre(page, areas).leaves

    def scores(self, splits: Sequence[tuple[Sequence[int], Sequence[int]]], renderer: str) -> dict[int, PageScore]:
        """Every page scored by weights that were learned without it."""
        found = {}
        for learn, check in splits:
            weights = self.fit(learn)
            for number in check:
                found[number] = score(self.gold[number], self.areas(number, weights, renderer))
        return found

    def folds(self) -> list[tuple[list[int], list[int]]]:
        order = np.random.RandomState(0).permutation(len(self.pages)).tolist()
        return [([n for n in order if n not in order[fold::FOLDS]], order[fold::FOLDS]) for fold in range(FOLDS)]

    def halves(self) -> list[tuple[list[int], list[int]]]:
        popular = [n for n, page in enumerate(self.pages) if page.raw.name.startswith("popular-")]
        random = [n for n, page in enumerate(self.pages) if not page.raw.name.startswith("popular-")]
        return [(random, popular), (popular, random)]


def layouts_of(pages: Sequence[GoldPage]) -> dict[str, dict[str, Layout]]:
    """The boxes of all pages by both renderers, and without external sheets."""
    found: dict[str, dict[str, Layout]] = {"chromium": {}, "virtual": {}, "bare": {}}
    with ChromiumRenderer() as browser:
        for page in pages:
            sheets = SheetSource.of(page.raw)
            found["chromium"][page.raw.name] = browser.render(page.page, sheets)
            found["virtual"][page.raw.name] = render(page.page, computed_style(page.page, sheets))
            found["bare"][page.raw.name] = render(page.page, computed_style(page.page))
    return found


def write(names: Sequence[str], weights: np.ndarray) -> None:
    """The module with the numbers."""
    lines = ['"""Weights of the evidence, written by `python -m benchmarks.train_areas`: plain numbers to read."""', ""]
    lines += ["# For the header and for the footer, against everything else: learned from Kreuzer's pages."]
    lines += ["LEAF_WEIGHTS: dict[str, tuple[float, float]] = {"]
    lines += [f'    "{n}": ({header:.3f}, {footer:.3f}),' for n, (header, footer) in zip(names, weights, strict=True)]
    lines += ["}", "", "# For a side column, against text: set by hand.", "COLUMN_WEIGHTS: dict[str, float] = {"]
    lines += [f'    "{name}": {weight},' for name, weight in COLUMN_WEIGHTS.items()]
    TARGET.write_text("\n".join([*lines, "}", ""]))


def main() -> None:
    pages = gold_pages()
    trainer = Trainer(pages, layouts_of(pages))
    for name, splits in (("cross-validated", trainer.folds()), ("other half held out", trainer.halves())):
        for renderer in trainer.layouts:
            found = summary(list(trainer.scores(splits, renderer).values()))
            f1 = " ".join(f"{area} {value:.2f}" for area, value in found.f1.items())
            print(f"{name}, {renderer} boxes: macro F1 {found.macro_f1:.3f} ({f1}), good or excellent {found.good:.0%}")
    if "--dry-run" not in sys.argv:
        write(trainer.names, trainer.fit(range(len(pages))))
        print(f"written: {TARGET}")


if __name__ == "__main__":
    main()
