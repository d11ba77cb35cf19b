"""`parcels train idf`: count on how many pages each stem occurs."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from parcels.errors import InputMissing, SkipRecord
from parcels.html.page import read_page
from parcels.inputs import BadPage, read_pages
from parcels.models.card import Source, Trained, examples_hash
from parcels.text.idf import KIND, LEAST, VERSION, Idf
from parcels.text.stems import stem
from parcels.text.tagging.weights import write_model
from parcels.text.tokens import tokenize

LONGEST_STEM = 24
CARD = """# idf: on how many pages a stem occurs

A document is a page: all its visible leaves (text, `alt` texts, controls). Stems by Porter's algorithm
(`parcels.text.stems`), stems on fewer than {least} pages left out; idf(stem) = ln((1 + pages) / (1 + pages with it)).

{made}- Counted: {stems:,} stems on {pages:,} pages; {skipped} pages could not be read. No text of the pages is stored,
  only words and how many pages have them.
"""


def count(texts: Iterable[Iterable[str]], *, least: int = LEAST) -> Idf:
    """Return the document frequencies of the stems in documents, each given as its texts.

    >>> count([["Fires burn"], ["The fire", "a fire"], ["Nothing"]], least=2).frequency
    {'fire': 2}
    """
    pages, frequency = 0, Counter[str]()
    for document in texts:
        pages += 1
        stems = {stem(token) for text in document for token in tokenize(text) if is_term(token)}
        frequency.update(stems)
    return Idf(pages, {of: number for of, number in frequency.items() if number >= least and len(of) <= LONGEST_STEM})


def is_term(token: str) -> bool:
    """Return whether a token is counted: at least two characters, all letters; no address or number."""
    return len(token) > 1 and token.replace("-", "").replace(".", "").isalpha()


def train_model(data: Sequence[Path], out: Path) -> str:
    """Count stems over pages, write the model folder and return a summary."""
    skipped = 0
    texts: list[str] = []  # hashes of the documents
    counts: list[Source] = []

    def seen(documents: Iterable[list[str]]) -> Iterable[list[str]]:
        for document in documents:
            texts.append(examples_hash(document))
            yield document

    def documents() -> Iterable[list[str]]:
        nonlocal skipped
        for path in data:
            before = len(texts)
            for raw in read_pages([str(path)]):
                try:
                    if isinstance(raw, BadPage):
                        raise raw.error
                    yield read_page(raw.html, raw.url, name=raw.name, content_type=raw.content_type).leaves.text
                except SkipRecord:
                    skipped += 1
            counts.append(Source(path, len(texts) - before))

    table = count(seen(documents()))
    if not table.pages:
        raise InputMissing(f"No page could be read from {', '.join(map(str, data))}.")
    settings = {"least_pages": LEAST, "stemmer": "Porter with NLTK's extensions"}
    trained = Trained("idf", counts, out, examples_hash(texts), settings=settings)
    meta = {
        "kind": KIND,
        "version": VERSION,
        "pages": table.pages,
        **trained.stated(document="page", skipped=skipped),
        "scores": {},
    }
    card = CARD.format(
        made=trained.lines(), least=LEAST, pages=table.pages, skipped=skipped or "none", stems=len(table.frequency)
    )
    write_model(out, meta, table.arrays(), card)
    return f"{table.pages} pages, {len(table.frequency)} stems, {skipped} pages could not be read"
