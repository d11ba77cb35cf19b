"""The tables of a store, each declared once: columns, types, meaning, key, partitions.

docs/schema.md is generated from this module. Objects with free names are lists of structs, since Spark cannot compare
maps and lists keep the order. Integers are signed, since Spark has no unsigned ones.
"""

from dataclasses import replace

import pyarrow as pa

from parcels.query.schema import CRAWL, FETCHED_DATE, MODEL, Column, Table

TEXT, BYTES, FLAG = pa.string(), pa.binary(), pa.bool_()
INT, LONG, SHARE = pa.int32(), pa.int64(), pa.float32()
TIME = pa.timestamp("us", tz="UTC")
TEXTS = pa.list_(TEXT)
BOX = pa.struct({"x_px": SHARE, "y_px": SHARE, "width_px": SHARE, "height_px": SHARE})
LEAVES = pa.list_(pa.struct({"n": INT, "kind": TEXT, "text": TEXT, "is_link": FLAG, "hidden_reason": TEXT}))
VOTES = pa.list_(pa.struct({"view": TEXT, "label": TEXT, "confidence": SHARE}))
LEAF_LABELS = pa.list_(pa.struct({"n": INT, "label": TEXT}))
SPANS = pa.list_(pa.struct({"label": TEXT, "start": INT, "end": INT, "confidence": SHARE}))

PAGE_ID = Column("page_id", TEXT, "Hash of canonical address, crawl and visit (32 hex digits).")
BLOCK_ID = Column("block_id", TEXT, "page_id, hash of the divider, ordinal (46 hex digits).")
RUN_ID = Column("run_id", TEXT, "The run that wrote the row (32 hex digits, sorts by start).", nullable=True)
CONTENT_TYPE = Column("content_type", TEXT, "Media type of the HTTP header, lower case, bare.", nullable=True)
CHARSET = Column("charset", TEXT, "Charset that the HTTP header declares, lower case.", nullable=True)
FETCHED_AT = Column("fetched_at", TIME, "When the server answered; null for files of unknown date.", nullable=True)
STATUS = Column("status", INT, "HTTP status; null for files.", nullable=True)
HASH = Column("content_hash", TEXT, "Hash of the bytes (32 hex digits).")
SOURCE = Column("source", TEXT, "Source of the row: `crawl`, or the imported file.")
DIVIDER = Column("divider", TEXT, "Name and version of the divider: `fine@1`.")
AREA = Column("area", TEXT, "header, footer, left, right or centre of the virtual screen.", nullable=True)
PLACE = Column("box", BOX, "Place on the virtual screen.", nullable=True)
CONFIDENCE = Column("confidence", SHARE, "From 0 to 1.", nullable=True)

BY_DATE, BY_CRAWL, BY_MODEL = (CRAWL, FETCHED_DATE), (CRAWL,), (CRAWL, MODEL)


def _table(
    name: str, key: str, by: tuple[str, ...], written_by: str, doc: str, *columns: Column, version: int = 1
) -> Table:
    return Table(name, tuple(key.split()), by, tuple(written_by.split()), doc, columns, version)


def _null(name: str, kind: pa.DataType, doc: str, *, is_heavy: bool = False) -> Column:
    return Column(name, kind, doc, nullable=True, is_heavy=is_heavy)


_ALL = (
    _table(
        "pages", "page_id", BY_DATE, "crawler import",
        "Pages as they were fetched. Predictions never change them.",
        PAGE_ID,
        Column("url", TEXT, "Canonical address; `page:NAME` for a file without one."),
        _null("final_url", TEXT, "Address as given or after redirects, unchanged: the base of relative links."),
        _null("host", TEXT, "Host of `url`, lower case, without port; null for `page:` addresses."),
        _null("name", TEXT, "Name of an imported page: gold labels find their page by it."),
        FETCHED_AT, STATUS,
        _null("headers", pa.list_(pa.struct({"name": TEXT, "value": TEXT})), "HTTP headers in order."),
        CONTENT_TYPE, CHARSET,
        Column("html", BYTES, "The body, transfer and content encoding undone, not decoded.", is_heavy=True),
        HASH,
        Column("byte_count", LONG, "Length of `html`."),
        Column("is_truncated", FLAG, "True where the archive or a limit cut the body off."),
        _null("depth", INT, "Links from a seed; null for imports."),
        _null("referrer", TEXT, "Canonical address of the page whose link led here."),
        Column("visit", LONG, "Number of the visit; 0 for files, microseconds since 1970 for archived captures."),
        _null("sheets", pa.list_(pa.struct({"path": TEXT, "content_hash": TEXT})),
              "The page's style sheets by the path or address in the page; their bytes are in `resources`."),
        _null("folder", TEXT, "Folder of the page in the paths of `sheets`."),
        SOURCE, RUN_ID,
        _null("topic", TEXT, "Topic from its seed or directory, inherited through links; null without one."),
        version=2,
    ),
    _table(
        "resources", "content_hash url", BY_DATE, "crawler import",
        "Style sheets: one row per address and content.",
        HASH,
        Column("url", TEXT, "Canonical address; `page:PATH` for a sheet known by its path only."),
        Column("kind", TEXT, "stylesheet"),
        FETCHED_AT, STATUS, CONTENT_TYPE, CHARSET,
        Column("body", BYTES, "The bytes, encodings undone.", is_heavy=True),
        Column("byte_count", LONG, "Length of `body`."),
        SOURCE, RUN_ID,
    ),
    _table(
        "links", "page_id n", BY_DATE, "crawler",
        "Links of fetched pages, in document order.",
        PAGE_ID,
        Column("n", INT, "Ordinal of the link on its page."),
        Column("target", TEXT, "Canonical address."),
        _null("target_host", TEXT, "Host of the target."),
        Column("anchor", TEXT, "Text of the link, white space folded."),
        _null("rel", TEXT, "The rel attribute, lower case."),
        _null("score", SHARE, "Score when it was queued; null where it was not."),
        Column("is_queued", FLAG, "True where this link brought the address into the frontier."),
        RUN_ID,
    ),
    _table(
        "blocks", "block_id", BY_CRAWL, "divide",
        "Blocks of pages: every visible leaf of the body in exactly one of them, in document order.",
        BLOCK_ID, PAGE_ID,
        _null("host", TEXT, "Host of the page, to find repeated blocks of a site without a join."),
        Column("n", INT, "Ordinal of the block on its page."),
        DIVIDER,
        Column("leaves", LEAVES, "Leaves: ordinal on the page, kind, text; hidden_reason where a style sheet hides it.",
               is_heavy=True),
        Column("tag_path", TEXT, "Tags from the root to the block."),
        Column("text", TEXT, "Text of the leaves, white space folded.", is_heavy=True),
        PLACE, AREA,
        _null("parent", INT, "Ordinal of the block that this one is nested in."),
        _null("css_coverage", SHARE, "Share of the page's style sheets that were available."),
        RUN_ID,
    ),
    _table(
        "features", "block_id", BY_CRAWL, "featurize",
        "The features of each block: one vector per view, in the order of the feature list.",
        BLOCK_ID, PAGE_ID,
        Column("n", INT, "Ordinal of the block on its page."),
        Column("feature_list", TEXT, "Hash of the names and versions of the features."),
        *(_null(view, pa.list_(SHARE), f"Vector of the {view} view.") for view in
          ("stylistic", "lexical", "context", "site")),
        _null("terms", pa.list_(pa.struct({"term": TEXT, "count": INT})), "Terms of the block with their counts."),
        Column("block_hash", LONG, "Hash of the block's text, to find repeats within a host."),
        Column("pool_hash", LONG, "Hash of block_id, 64 bits, signed: the order of the pool."),
        Column("pool_partition", INT, "From 0 to 1023, the top bits of pool_hash: a round reads a range of them."),
        RUN_ID,
    ),
    _table(
        "document_frequencies", "term", BY_CRAWL, "featurize",
        "In how many blocks and pages a term occurs.",
        Column("term", TEXT, "Stemmed word or word sequence."),
        Column("block_count", LONG, "Blocks with the term."),
        Column("page_count", LONG, "Pages with the term."),
        Column("all_block_count", LONG, "Total number of blocks, the same in every row."),
        Column("all_page_count", LONG, "Total number of pages, the same in every row."),
        RUN_ID,
    ),
    _table(
        "site_blocks", "host block_hash", BY_CRAWL, "featurize",
        "Blocks that repeat within a host.",
        Column("host", TEXT, "Host of the pages."),
        Column("block_hash", LONG, "As in features."),
        Column("page_count", LONG, "Pages of the host with this block."),
        Column("host_page_count", LONG, "Pages of the host."),
        _null("text", TEXT, "Text of the block, cut.", is_heavy=True),
        RUN_ID,
    ),
    _table(
        "near_duplicates", "page_id", BY_CRAWL, "duplicates",
        "Pages with nearly the same text as another page, their representative.",
        PAGE_ID,
        Column("duplicate_of", TEXT, "The page of the group with the smallest id, which has no row itself."),
        Column("similarity", SHARE, "Share of word shingles in common with the page it was compared with, estimated."),
        RUN_ID,
    ),
    _table(
        "annotations", "page_id unit n annotator", BY_CRAWL, "annotate import",
        "Labels by people. They name leaves by ordinal and text, so they outlive a change of the divider. "
        "Of several rows with one key the latest annotated_at counts.",
        PAGE_ID,
        Column("unit", TEXT, "leaf or block"),
        Column("n", INT, "Ordinal of the leaf (or block) on its page."),
        _null("block", INT, "Ordinal of the block that the annotator saw around the leaf."),
        _null("divider", TEXT, "The divider of that block, where it is known."),
        Column("kind", TEXT, "text, img, video, audio, iframe, embed, input, textarea or select."),
        Column("text", TEXT, "Text of the leaf, white space folded.", is_heavy=True),
        _null("is_link", FLAG, "True inside a link."),
        Column("label", TEXT, "The label."),
        Column("annotator", TEXT, "Name of the annotator."),
        _null("annotated_at", TIME, "Time of the label; of the file, where an imported file has none."),
        Column("rubric", TEXT, "Name and version of the rubric: `news17@1`."),
        SOURCE, RUN_ID,
    ),
    _table(
        "rounds", "model round", BY_CRAWL, "cotrain",
        "Rounds of co-training.",
        Column("model", TEXT, "The model that is trained."),
        Column("round", INT, "From 1."),
        Column("labelled_count", LONG, "Labelled blocks before the round."),
        Column("pool_count", LONG, "Unlabelled blocks that the round scored."),
        Column("added_count", LONG, "Blocks that the round labelled."),
        _null("agreement", SHARE, "Share of the pool on which the views agree."),
        _null("error", SHARE, "Error on held-out sites, if measured."),
        Column("added", pa.list_(pa.struct({"view": TEXT, "label": TEXT, "count": LONG, "least_confidence": SHARE})),
               "Blocks that each view labelled, by label."),
        Column("examples", pa.list_(pa.struct({"block_id": TEXT, "view": TEXT, "label": TEXT, "confidence": SHARE})),
               "Each labelled block, with the view that labelled it.", is_heavy=True),
        _null("stopped_by", TEXT, "Why training stopped after this round; null for other rounds."),
        Column("started_at", TIME, "Start."),
        Column("ended_at", TIME, "End."),
        RUN_ID,
    ),
    _table(
        "labels", "block_id model", BY_MODEL, "classify",
        "The label of each block by a model.",
        BLOCK_ID, PAGE_ID,
        Column("n", INT, "Ordinal of the block on its page."),
        Column("label", TEXT, "The label."),
        CONFIDENCE,
        Column("views", VOTES, "Vote of each view."),
        Column("leaves", LEAF_LABELS,
               "Leaves (ordinal on the page) whose own label differs from the block's."),
        Column("spans", SPANS, "A place, source, reporter or time inside the block's text."),
        _null("importance", INT, "From 1 to 3."),
        RUN_ID,
    ),
    _table(
        "articles", "page_id model", BY_MODEL, "articles",
        "The article of each page. A page that is no article (a front page, a section, a forum) has a row too, with "
        "its page_type and a reason; title, dates, place, text and confidence are null, authors and images empty.",
        PAGE_ID,
        _null("title", TEXT, "Headline; null where the page is no article."),
        _null("published", TEXT, "ISO 8601, as precise as the page, with the time zone where it states one."),
        _null("published_at", TIME, "`published` as a time; null where the page gives no day."),
        _null("modified", TEXT, "Date of the last change, likewise; null where the page states none."),
        _null("modified_at", TIME, "`modified` as a time."),
        Column("authors", TEXTS, "Names; empty where the page names none or is no article."),
        _null("source", TEXT, "The agency, publisher or station that the page names as its source."),
        _null("place", TEXT, "Place of the event."),
        _null("text", TEXT, "Paragraphs separated by a blank line; null where the page is no article.", is_heavy=True),
        Column("images", TEXTS, "Addresses."),
        _null("language", TEXT, "ISO 639-1."),
        _null("page_type", TEXT, "article, forum, product, collection, listing, documentation or service. "
              "Null where the model predicts no types; the page then counts as an article."),
        CONFIDENCE,
        _null("reason", TEXT, "Why there is no article, or why its text is unsure."),
        RUN_ID,
        version=2,
    ),
    _table(
        "segments", "page_id n model", BY_MODEL, "segment",
        "Segments of pages, one row per segment. One without children is final; each leaf is in one final segment.",
        PAGE_ID,
        Column("n", INT, "Ordinal of the segment on its page."),
        _null("parent", INT, "Ordinal of the segment around it."),
        PLACE,
        Column("leaves", pa.list_(INT), "Ordinals of its leaves on the page."),
        Column("text", TEXT, "Text of its leaves, white space folded.", is_heavy=True),
        Column("is_informative", FLAG, "True for the segment that the page is about."),
        RUN_ID,
    ),
    _table(
        "page_types", "page_id model", BY_MODEL, "pagetypes",
        "The functional type of each page.",
        PAGE_ID,
        Column("page_type", TEXT, "The most likely type."),
        Column("scores", pa.list_(pa.struct({"page_type": TEXT, "score": SHARE})), "Likelihood of every type."),
        RUN_ID,
    ),
    _table(
        "topics", "page_id model", BY_MODEL, "topics",
        "The topic of each page by the layout mixture.",
        PAGE_ID,
        Column("topic", TEXT, "The most likely topic."),
        Column("scores", pa.list_(pa.struct({"topic": TEXT, "score": SHARE})), "Likelihood of every topic."),
        Column("areas", pa.list_(pa.struct({"area": TEXT, "topic": TEXT, "score": SHARE})), "Topic and score by area."),
        Column("links", pa.list_(pa.struct({"target": TEXT, "anchor": TEXT, "area": TEXT, "score": SHARE})),
               "Links with the likelihood that they lead to the topic.", is_heavy=True),
        RUN_ID,
    ),
    _table(
        "rejects", "record step", BY_CRAWL, "every-step",
        "Rejected records, with the step and the reason.",
        Column("record", TEXT, "Address, page id, or file and place in it."),
        Column("step", TEXT, "The step that rejected it: `import-warc`, `divide`."),
        Column("reason", TEXT, "One word for counting: `empty`, `truncated`, `too-large`."),
        _null("detail", TEXT, "Details for people."),
        _null("page_id", TEXT, "The page, where there is one."),
        _null("source", TEXT, "The file or table it came from."),
        Column("rejected_at", TIME, "Time of the rejection."),
        RUN_ID,
    ),
    _table(
        "runs", "run_id", BY_CRAWL, "every-step",
        "Runs of crawls, imports and jobs, with settings, versions and counts.",
        Column("run_id", TEXT, "32 hex digits, sorts by start."),
        Column("step", TEXT, "import-html, crawl, divide, ..."),
        Column("outcome", TEXT, "done, stopped or failed."),
        Column("started_at", TIME, "Start."),
        Column("ended_at", TIME, "End."),
        Column("settings", TEXT, "The resolved settings as JSON."),
        Column("versions", pa.list_(pa.struct({"name": TEXT, "version": TEXT})), "parcels, Python, libraries, models."),
        Column("counts", pa.list_(pa.struct({"name": TEXT, "count": LONG})), "Records read, written and rejected."),
        _null("error", TEXT, "The error message of a failed run."),
    ),
)  # fmt: skip

TABLES: dict[str, Table] = {table.name: table for table in _ALL}

_FEATURES = TABLES["features"]
_FEATURES_WITHOUT_SITE = replace(
    _FEATURES,
    name="features_without_site",
    doc="Features of pages whose site view is not computed yet: they become rows of features.",
    columns=(*(one for one in _FEATURES.columns if one.name != "site"), _null("host", TEXT, "Host of the page.")),
)
# Tables between two steps of a job: they have no view and no documentation, and are empty after the job.
INTERNAL: dict[str, Table] = {table.name: table for table in (_FEATURES_WITHOUT_SITE,)}
