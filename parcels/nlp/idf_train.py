"""`parcels train idf`: on how many pages each stem occurs."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from parcels.errors import InputMissing, SkipRecord
from parcels.inputs import BadPage, read_pages
from parcels.nlp.idf import KIND, LEAST, VERSION, Idf
from parcels.nlp.stems import stem
from parcels.nlp.tokens import tokenize
from parcels.nlp.weights import write_model
from parcels.page import read_page

LONGEST_STEM = 24
CARD = """# idf: on how many news pages a stem occurs

A document is a page: all its visible leaves (text, `alt` texts, controls). Stems by Porter's algorithm
(`parcels.nlp.stems`), stems on fewer than {least} pages left out; idf(stem) = ln((1 + pages) / (1 + pages with it)).

- Counted on: {pages:,} news pages of public fixtures (news-unlabelled); {skipped} could not be read. {stems:,} stems.
- No text of the pages is stored, only words and how many pages have them.
- Reproduce: `parcels train idf --data news-unlabelled/pages.parquet --out parcels/models/idf`.
"""


def count(texts: Iterable[Iterable[str]], *, least: int = LEAST) -> Idf:
    """Document frequencies of the stems; a document is given as its texts.

    >>> count([["Fires burn"], ["The fire", "a fire"], ["Nothing"]], least=2).frequency
    {'fire': 2}
    """
    pages, frequency = 0, Counter[str]()
    for document in texts:
        pages += 1
        found = {stem(token) for text in document for token in tokenize(text) if is_term(token)}
        frequency.update(found)
    return Idf(pages, {of: number for of, number in frequency.items() if number >= least and len(of) <= LONGEST_STEM})


def is_term(token: str) -> bool:
    """Whether a token is a word to count: letters, at least two, no address or number."""
    return len(token) > 1 and token.replace("-", "").replace(".", "").isalpha()


def train_model(data: Sequence[Path], out: Path) -> str:
    """Count over pages, write the model folder, tell the counts."""
    skipped = 0

    def documents() -> Iterable[list[str]]:
        nonlocal skipped
        for raw in read_pages([str(path) for path in data]):
            try:
                if isinstance(raw, BadPage):
                    raise raw.error
                yield read_page(raw.html, raw.url, name=raw.name, content_type=raw.content_type).leaves.text
            except SkipRecord:
                skipped += 1

    table = count(documents())
    if not table.pages:
        raise InputMissing(f"no page could be read from {', '.join(map(str, data))}")
    meta = {
        "kind": KIND,
        "version": VERSION,
        "pages": table.pages,
        "data": {"pages": "news-unlabelled", "document": "page", "skipped": skipped},
        "settings": {"least_pages": LEAST, "stemmer": "Porter, NLTK_EXTENSIONS"},
        "scores": {},
        "licence": "word counts; no text of the pages",
    }
    card = CARD.format(least=LEAST, pages=table.pages, skipped=skipped or "none", stems=len(table.frequency))
    write_model(out, meta, table.arrays(), card)
    return f"{table.pages} pages, {len(table.frequency)} stems, {skipped} pages could not be read"
