"""pagetypes: `pages` and a page-type model in, `page_types` out, a row a page; a new model is a new partition."""

from jobs.engine.model_step import ModelStep, SentModel
from jobs.engine.page import PageWork, Rows
from parcels.pagetypes.model import PageTypeModel, open_page_types

STEP = "pagetypes"


def page_types(model: SentModel) -> ModelStep:
    """The job with a model."""
    return ModelStep(STEP, "page_types", open_page_types, type_rows, model)


def type_rows(work: PageWork, model: PageTypeModel, name: str) -> Rows:
    """One row; a page without visible leaves is left out."""
    scores = model.of_page(work.seen)
    row = {
        "page_id": work.page_id,
        "page_type": max(scores, key=scores.__getitem__),
        "scores": [{"page_type": kind, "score": score} for kind, score in scores.items()],
        "model": name,
    }
    return [row]
