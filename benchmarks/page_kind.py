"""Article or index page: fitted and measured on real pages, held out by site.

Index pages are wcxb's listings and collections; news-fields and news17 are articles only (without the pages of l3s,
which may not go into what is shipped). Prints the weights that crawler/seeds/page_kind.py carries.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from benchmarks.corpora import folder
from crawler.seeds.page_kind import page_features
from parcels.errors import SkipRecord
from parcels.page import read_page
from parcels.urls import host_of

CORPORA = ("wcxb", "news-fields", "news17")
INDEX = ("listing", "collection")
FLOOR = 0.95  # area under the curve on wcxb


def rows() -> Iterator[tuple[str, str, str, dict[str, float]]]:
    """Corpus, page type, site and features of every page with an address."""
    for corpus in CORPORA:
        for row in pq.read_table(folder() / corpus / "pages.parquet").to_pylist():
            if not row["url"] or row["page"].startswith("l3s"):
                continue
            try:
                page = read_page(row["html"], row["url"])
            except SkipRecord:
                continue
            site = ".".join((host_of(row["url"]) or "").split(".")[-2:])
            yield corpus, row.get("page_type") or "article", site, page_features(row["url"], page)


def held_out(features: Any, is_article: Any, is_used: Any, sites: Any) -> Any:
    """Every page's chance by a model that has not seen its site."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold

    chances = np.zeros(len(features))
    for train, test in GroupKFold(5).split(features, groups=sites):
        train = train[is_used[train]]
        model = LogisticRegression(class_weight="balanced", max_iter=2000).fit(features[train], is_article[train])
        chances[test] = model.predict_proba(features[test])[:, 1]
    return chances


def main() -> bool:
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score

    corpora, types, sites, named = (list(column) for column in zip(*rows(), strict=True))
    names = list(named[0])
    features = np.array([[row[name] for name in names] for row in named])
    corpus, kind = np.array(corpora), np.array(types)
    is_article = kind == "article"
    is_used = is_article | np.isin(kind, INDEX)
    by_url = [n for n, name in enumerate(names) if name.startswith("url_")]
    shown = is_used & (corpus == "wcxb")
    for what, columns in (("page", list(range(len(names)))), ("url", by_url)):
        chances = held_out(features[:, columns], is_article, is_used, np.array(sites))
        area = float(roc_auc_score(is_article[shown], chances[shown]))
        print(f"{what}: area under the curve on wcxb {area:.3f}")
        for name in CORPORA:
            of_corpus = is_article & (corpus == name)
            print(f"  articles of {name} taken as such: {(chances[of_corpus] >= 0.5).mean():.3f} of {of_corpus.sum()}")
        for name in sorted(set(types) - {"article"}):
            print(
                f"  {name} not taken as article: {(chances[kind == name] < 0.5).mean():.3f} of {(kind == name).sum()}"
            )
        model = LogisticRegression(class_weight="balanced", max_iter=2000)
        model.fit(features[is_used][:, columns], is_article[is_used])
        weights = zip([names[n] for n in columns], model.coef_[0], strict=True)
        print(f"  weights: intercept {model.intercept_[0]:.2f}, " + ", ".join(f"{name} {w:.2f}" for name, w in weights))
        if what == "page":
            page_area = area
    return page_area >= FLOOR
