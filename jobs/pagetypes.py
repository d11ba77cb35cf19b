"""pagetypes: `pages` and a page-type model in, `page_types` out, one row per page. A new model is a new partition."""

from jobs.engine.model_step import ModelArchive, ModelStep
from jobs.engine.page import Rows, StoredPage
from parcels.pagetypes.model import PageTypeModel, open_page_types

STEP = "pagetypes"


def page_types(model: ModelArchive) -> ModelStep:
    """Return the job with a model."""
    return ModelStep(STEP, "page_types", open_page_types, type_rows, model)


def type_rows(page: StoredPage, model: PageTypeModel, name: str) -> Rows:
    """Return the row of a page. Raise SkipRecord if nothing is visible."""
    page.require_leaves()
    scores = model.of_page(page.layout)
    row = {
        "page_id": page.page_id,
        "page_type": max(scores, key=scores.__getitem__),
        "scores": [{"page_type": kind, "score": score} for kind, score in scores.items()],
        "model": name,
    }
    return [row]
