"""A store with one labelled page, for the tests of SQL."""

from example_rows import page

from parcels.urls import block_id

MODEL = "news@1"


def rows_of(connection, sql):
    return connection.execute(sql).fetchall()


def fill(store, crawl="news"):
    """One page with two labelled blocks."""
    row = page(1, crawl=crawl)
    blocks = [
        {
            "block_id": block_id(row["page_id"], n, "fine@1"), "page_id": row["page_id"], "n": n, "divider": "fine@1",
            "leaves": [{"n": n, "kind": "text", "text": text, "is_link": False, "hidden_reason": None}],
            "tag_path": "html/body", "text": text, "area": "centre",
            "box": {"x_px": 1.5, "y_px": 0, "width_px": 9, "height_px": 2},
        }
        for n, text in enumerate(["Fire at the pier", "Nobody was hurt."])
    ]  # fmt: skip
    labels = [
        {
            "block_id": block["block_id"], "page_id": row["page_id"], "n": block["n"], "label": label,
            "confidence": 0.75, "views": [{"view": "lexical", "label": label, "confidence": 0.5}], "leaves": [],
            "spans": [], "importance": 3,
        }
        for block, label in zip(blocks, ["title", "maincontent"], strict=True)
    ]  # fmt: skip
    store.write("pages", [row])
    store.write("blocks", blocks, crawl=crawl)
    store.write("labels", labels, crawl=crawl, model=MODEL)
