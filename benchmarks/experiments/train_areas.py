"""Learn the weights of the areas, and write parcels/layout/areas/weights.py.

    python -m benchmarks.experiments.train_areas [--dry-run]

The weights start from numbers set by hand (START_*), and are moved only as far as the pages of `segments` ask for:
logistic regressions with a penalty on the distance from the start. Learned from are both renderers' boxes, for header
and footer also the virtual screen's without the external sheets ("bare"), as pages come from archives. What is printed
is cross-validated, every page being a site of its own.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.quality.area_gold import GoldPage, areas_of, gold_pages
from benchmarks.quality.area_scores import PageScore, Summary, score, summary
from parcels.css.cascade import computed_style
from parcels.css.sheets.source import SheetSource
from parcels.layout.areas import evidence
from parcels.layout.areas.column_evidence import COLUMN_NAMES
from parcels.layout.areas.evidence import ColumnCandidates
from parcels.layout.areas.geometry import PageGeometry
from parcels.layout.areas.leaf_evidence import LEAF_NAMES
from parcels.layout.areas.map import LEFT, RIGHT
from parcels.layout.boxes import Layout
from parcels.layout.boxes.virtual import render
from parcels.layout.chromium.renderer import ChromiumRenderer

TARGET = Path(__file__).parents[2] / "parcels" / "layout" / "areas" / "weights.py"
FOLDS, DRAWS = 7, 5
PENALTY = 3.0  # on the squared distance from the start
TAG_PENALTY = 60.0  # of what tags and roles say: most of these pages are older than <header> and <footer>
LEAF_MASS, COLUMN_MASS = 5.0, 4.0  # what a page weighs against the penalty
MOST_LEAVES = 40  # of a candidate count

START_HEADER = {
    "bias": -4.5, "top_far": 1.5, "top_near": 0.5, "first": 0.7, "early": 0.5, "no_text_before": 0.7,
    "strip_ends_high": 2.0, "strip_above_text": 0.8, "strip_wide": 0.5, "header_tag": 1.5, "header_name": 1.0,
    "header_name x top_far": 1.0, "header_tag x top_far": 1.0, "nav_name": 0.3, "nav_tag": 0.3, "search_name": 0.3,
    "nav_name x strip_ends_high": 1.5, "strip_links x strip_ends_high": 0.7, "main_tag": -1.0, "article_tag": -1.0,
    "content_name": -0.5, "article_name": -0.5, "is_long": -1.0, "inner_header": -0.5, "side_name": -0.7,
    "aside_tag": -0.7, "left_name": -0.3, "right_name": -0.3, "footer_name": -1.0, "footer_tag": -1.5, "down": -1.0,
    "ad_name": -2.0,
}  # fmt: skip
START_FOOTER = {
    "bias": -4.5, "bottom_far": 1.5, "bottom_near": 0.5, "last": 0.7, "late": 0.5, "no_text_after": 0.7, "rank": 0.7,
    "down": 0.5, "strip_begins_low": 2.0, "strip_bottom_far": 1.0, "strip_below_text": 0.8, "footer_tag": 1.5,
    "footer_name": 1.5, "footer_ends_low": 1.7, "footer_tag x late": 1.0, "strip_mute": -2.0,
    "rights": 1.0, "after_rights": 1.0, "strip_legal": 0.8, "strip_links x strip_bottom_far": 0.5, "main_tag": -1.0,
    "article_tag": -1.0, "content_name": -0.5, "article_name": -0.5, "is_long": -0.5, "inner_footer": -0.5,
    "side_name": -0.7, "aside_tag": -0.7, "header_name": -1.0, "header_tag": -1.5, "ad_name": -2.0,
}  # fmt: skip
START_COLUMN = {
    "bias": -4.5, "run_high": 2.5, "tall": 1.0, "slim": 0.5, "narrow": 0.7, "outer": 1.0, "wide_left": -2.0,
    "beside_wide": 1.5, "beside_broad": 0.7, "alone": -1.5, "more_outside": -1.0, "links": 1.0, "sibling_wide": 0.7,
    "sibling_equal": -0.7,
    "long_text": -1.0, "few": -2.0, "ends_high": -1.5, "begins_low": -1.5, "side_name": 1.5, "own_side_name": 1.2,
    "other_side_name": -1.5, "nav_name": 0.8, "nav_tag": 0.5, "header_name": -1.0, "header_tag": -2.0,
    "footer_name": -1.5, "footer_tag": -2.0, "article_tag": -1.0, "main_tag": -0.5, "content_name": -0.5,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Weights:
    """By name: of leaves for header and footer, of candidates for a side."""

    leaf: np.ndarray
    column: np.ndarray


@dataclass(frozen=True, slots=True)
class Sample:
    """The evidence of one page on one screen, as matrices, and what the gold says of it."""

    geometry: PageGeometry
    columns: ColumnCandidates
    leaf: np.ndarray
    column: np.ndarray
    is_side: np.ndarray  # for each candidate whether most of its scored leaves are on its side
    column_mass: np.ndarray


class Trainer:
    """The evidence of every page under every renderer, and the gold."""

    def __init__(self, pages: Sequence[GoldPage], layouts: dict[str, dict[str, Layout]]):
        self.pages, self.layouts = pages, layouts
        self.learned: dict[tuple[int, ...], Weights] = {}  # by the pages learned from; every renderer asks for the same
        self.gold = [areas_of(page, layouts["chromium"][page.raw.name]) for page in pages]
        self.leaf_names, self.column_names = list(LEAF_NAMES), list(COLUMN_NAMES)
        self.samples = {
            renderer: [
                self._sample(page, by_name[page.raw.name], gold) for page, gold in zip(pages, self.gold, strict=True)
            ]
            for renderer, by_name in layouts.items()
        }

    def _sample(self, page: GoldPage, layout: Layout, gold: np.ndarray) -> Sample:
        geometry, leaves, columns = evidence.evidence_of(page.page, layout)
        is_side, mass = [], []
        for part, is_right in zip(columns.part.tolist(), columns.is_right.tolist(), strict=True):
            inside = gold[geometry.parts.first_leaf[part] : geometry.parts.end_leaf[part]]
            scored = inside[inside >= 0]
            mass.append(float(min(len(scored), MOST_LEAVES)) ** 0.5)
            is_side.append(bool(len(scored)) and float(np.mean(scored == (RIGHT if is_right else LEFT))) > 0.5)
        return Sample(
            geometry,
            columns,
            leaves,
            columns.evidence,
            np.array(is_side, float),
            np.array(mass),
        )

    def fit(self, pages: Sequence[int]) -> Weights:
        """Weights by name, learned from these pages."""
        key = tuple(sorted(pages))
        if key not in self.learned:
            self.learned[key] = Weights(self._fit_leaves(pages), self._fit_columns(pages))
        return self.learned[key]

    def _fit_leaves(self, pages: Sequence[int]) -> np.ndarray:
        rows, labels, mass = [], [], []
        for samples in self.samples.values():
            for number in pages:
                is_scored = self.gold[number] >= 0
                if is_scored.any():
                    rows.append(samples[number].leaf[is_scored])
                    labels.append(np.minimum(self.gold[number][is_scored], 2))
                    mass.append(np.full(is_scored.sum(), is_scored.sum() ** -0.5))
        start = np.array([[START_HEADER.get(n, 0.0), START_FOOTER.get(n, 0.0)] for n in self.leaf_names])
        mass_of = np.concatenate(mass)
        return moved(
            start,
            np.concatenate(rows),
            np.eye(3)[np.concatenate(labels)],
            mass_of * LEAF_MASS * len(pages) / mass_of.sum(),
            penalties(self.leaf_names),
        )

    def _fit_columns(self, pages: Sequence[int]) -> np.ndarray:
        samples = [self.samples[renderer][number] for renderer in ("chromium", "virtual") for number in pages]
        is_side = np.concatenate([sample.is_side for sample in samples])
        mass = np.concatenate([sample.column_mass for sample in samples])
        start = np.array([[START_COLUMN.get(name, 0.0)] for name in self.column_names])
        rows = np.concatenate([sample.column for sample in samples])
        labels = np.stack([is_side, 1 - is_side], axis=1)
        return moved(start, rows, labels, mass * COLUMN_MASS * len(pages) / mass.sum(), penalties(self.column_names))[
            :, 0
        ]

    def areas(self, number: int, weights: Weights, renderer: str) -> np.ndarray:
        """The areas of a page's leaves by these weights."""
        sample = self.samples[renderer][number]
        gains = evidence.gains_of(sample.leaf @ weights.leaf, sample.column @ weights.column, sample.columns)
        return evidence.area_map_of(sample.geometry, gains).leaves

    def scores(self, splits: Sequence[tuple[Sequence[int], Sequence[int]]], renderer: str) -> dict[int, PageScore]:
        """Every page scored by weights that were learned without it."""
        found = {}
        for learn, check in splits:
            weights = self.fit(learn)
            for number in check:
                found[number] = score(self.gold[number], self.areas(number, weights, renderer))
        return found

    def folds(self, seed: int = 0) -> list[tuple[list[int], list[int]]]:
        order = np.random.RandomState(seed).permutation(len(self.pages)).tolist()
        return [([n for n in order if n not in order[fold::FOLDS]], order[fold::FOLDS]) for fold in range(FOLDS)]

    def draws(self, renderer: str) -> list[Summary]:
        """The scores by several draws of the folds: what one draw shows is partly luck."""
        return [summary(list(self.scores(self.folds(seed), renderer).values())) for seed in range(DRAWS)]

    def halves(self) -> list[tuple[list[int], list[int]]]:
        popular = [n for n, page in enumerate(self.pages) if page.raw.name.startswith("popular-")]
        random = [n for n, page in enumerate(self.pages) if not page.raw.name.startswith("popular-")]
        return [(random, popular), (popular, random)]


def penalties(names: Sequence[str]) -> np.ndarray:
    """Return the penalty on each weight's distance from its initial value."""
    return np.array([[TAG_PENALTY if "_tag" in name else PENALTY] for name in names])


def moved(start: np.ndarray, rows: np.ndarray, labels: np.ndarray, mass: np.ndarray, penalty: np.ndarray) -> np.ndarray:
    """Weights of all classes but the last, whose score is 0: logistic regression, penalised by the way from `start`."""
    from scipy.optimize import minimize

    costs = np.broadcast_to(penalty, start.shape).ravel()

    def loss(step: np.ndarray) -> tuple[float, np.ndarray]:
        scores = np.concatenate([rows @ (start + step.reshape(start.shape)), np.zeros((len(rows), 1))], axis=1)
        scores -= scores.max(axis=1, keepdims=True)
        p = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        value = -(mass * np.log((p * labels).sum(axis=1) + 1e-12)).sum() + (costs * step) @ step / 2
        return value, (rows.T @ (mass[:, None] * (p - labels))[:, :-1]).ravel() + costs * step

    result = minimize(loss, np.zeros(start.size), jac=True, method="L-BFGS-B", options={"maxiter": 200})
    return start + result.x.reshape(start.shape)


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


def write(trainer: Trainer, weights: Weights) -> None:
    """The module with the numbers."""
    leaf, column = zip(trainer.leaf_names, weights.leaf, strict=True), weights.column.tolist()
    lines = [
        '"""Weights of the evidence, written by `python -m benchmarks.experiments.train_areas`."""',
        "",
        "# For the header and for the footer, against everything else: learned from Kreuzer's pages.",
        "LEAF_WEIGHTS: dict[str, tuple[float, float]] = {",
        *(f'    "{name}": ({header:.3f}, {footer:.3f}),' for name, (header, footer) in leaf),
        "}",
        "",
        "# For a side column, against text: likewise.",
        "COLUMN_WEIGHTS: dict[str, float] = {",
        *(f'    "{name}": {weight:.3f},' for name, weight in zip(trainer.column_names, column, strict=True)),
        "}",
        "",
    ]
    TARGET.write_text("\n".join(lines))


def main() -> None:
    pages = gold_pages()
    trainer = Trainer(pages, layouts_of(pages))
    for name, splits in (("cross-validated", trainer.folds()), ("other half held out", trainer.halves())):
        for renderer in trainer.layouts:
            found = summary(list(trainer.scores(splits, renderer).values()))
            f1 = " ".join(f"{area} {value:.2f}" for area, value in found.f1.items())
            print(f"{name}, {renderer} boxes: macro F1 {found.macro_f1:.3f} ({f1}), good or excellent {found.good:.0%}")
    for renderer in trainer.layouts:
        draws = trainer.draws(renderer)
        f1, good = [draw.macro_f1 for draw in draws], [draw.good for draw in draws]
        print(
            f"{DRAWS} draws of folds, {renderer} boxes: macro F1 {np.mean(f1):.3f} ({min(f1):.3f} to {max(f1):.3f}), "
            f"good or excellent {np.mean(good):.1%} ({min(good):.0%} to {max(good):.0%})"
        )
    if "--dry-run" not in sys.argv:
        write(trainer, trainer.fit(range(len(pages))))
        print(f"written: {TARGET}")


if __name__ == "__main__":
    main()
