"""Article or index by the address alone: fitted and measured on real addresses, held out by site.

Index pages are wcxb's listings and collections; news-fields and news17 are articles only (without the pages of l3s,
which may not go into what is shipped). Prints the weights that crawler/seeds/article_urls.py carries.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from benchmarks.corpora import folder
from crawler.seeds.article_urls import url_features
from parcels.urls import host_of

CORPORA = ("wcxb", "news-fields", "news17")
INDEX = ("listing", "collection")
FLOOR = 0.9  # area under the curve on wcxb


def rows() -> Iterator[tuple[str, str, str, dict[str, float]]]:
    """Corpus, page type, site and features of every page with an address."""
    for corpus in CORPORA:
        columns = ["page", "url"] + (["page_type"] if corpus == "wcxb" else [])
        for row in pq.read_table(folder() / corpus / "pages.parquet", columns=columns).to_pylist():
            if row["url"] and not row["page"].startswith("l3s"):
                site = ".".join((host_of(row["url"]) or "").split(".")[-2:])
                yield corpus, row.get("page_type") or "article", site, url_features(row["url"])


def held_out(features: Any, is_article: Any, is_used: Any, sites: Any) -> Any:
    """Every page's chance by a model that has not seen its site."""
    from sklearn.model_selection import GroupKFold

    chances = np.zeros(len(features))
    for train, test in GroupKFold(5).split(features, groups=sites):
        train = train[is_used[train]]
        chances[test] = fitted(features[train], is_article[train]).predict_proba(features[test])[:, 1]
    return chances


def fitted(features: Any, is_article: Any) -> Any:
    """The regression; both kinds weigh the same."""
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(class_weight="balanced", max_iter=2000).fit(features, is_article)


def main() -> bool:
    from sklearn.metrics import roc_auc_score

    corpora, types, sites, named = (list(column) for column in zip(*rows(), strict=True))
    names = list(named[0])
    features = np.array([[row[name] for name in names] for row in named])
    corpus, kind = np.array(corpora), np.array(types)
    is_article = kind == "article"
    is_used = is_article | np.isin(kind, INDEX)
    shown = is_used & (corpus == "wcxb")
    chances = held_out(features, is_article, is_used, np.array(sites))
    area = float(roc_auc_score(is_article[shown], chances[shown]))
    print(f"area under the curve on wcxb {area:.3f}")
    for name in CORPORA:
        of_corpus = is_article & (corpus == name)
        print(f"  articles of {name} taken as such: {(chances[of_corpus] >= 0.5).mean():.3f} of {of_corpus.sum()}")
    for name in sorted(set(types) - {"article"}):
        print(f"  {name} not taken as article: {(chances[kind == name] < 0.5).mean():.3f} of {(kind == name).sum()}")
    model = fitted(features[is_used], is_article[is_used])
    weights = ", ".join(f"{name} {weight:.2f}" for name, weight in zip(names, model.coef_[0], strict=True))
    print(f"  weights: intercept {model.intercept_[0]:.2f}, {weights}")
    return area >= FLOOR
