"""`parcels extract PAGE…`: the article of each page, as JSON, text or Markdown."""

import argparse
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from parcels.articles.article import Article, extract_page
from parcels.articles.body.include import DEFAULT, Include
from parcels.articles.model import SHIPPED, content_model_at
from parcels.articles.svm.model import SHIPPED as SVM_SHIPPED
from parcels.articles.svm.model import extract_page as extract_by_svm
from parcels.articles.svm.model import svm_model_at
from parcels.cli.pages import NO_PAGE_SUCCEEDED, add_model_arguments, add_page_arguments, results, run_pages
from parcels.common.output import output
from parcels.html.page import Page, read_page
from parcels.inputs import RawPage, is_single, read_pages
from parcels.models.registry import model_path


class Extractor(NamedTuple):
    """An article extractor: its function, the loader of its model, and the shipped model."""

    extract: Callable[[Page, Any, Include], Article]
    open: Callable[[str], Any]
    shipped: str


HELP = (
    "Extract the article: title, published, modified, authors, source, place, text in reading order, images, language."
)
EXAMPLE = """
parcels extract page.html
parcels extract page.html --format md > page.md
parcels extract page.html --format md --no-metadata --no-include-links
parcels extract page.html --extractor svm
parcels extract pages/ --workers 2 --out articles.jsonl
curl -s https://example.org/ | parcels extract - --url https://example.org/ --format text
"""
EXTRACTORS = {
    "parcels": Extractor(extract_page, content_model_at, SHIPPED),
    "svm": Extractor(extract_by_svm, svm_model_at, SVM_SHIPPED),
}
FORMATS = ("json", "text", "md")
SWITCHES = {
    "links": "addresses of links, in md",
    "images": "images with their captions, in md",
    "tables": "tables, in text and md",
    "comments": "readers' comments, in text and md",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_page_arguments(parser)
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="json",
        help="json (default), text or md; for several pages, text and md are in JSON Lines",
    )
    parser.add_argument(
        "--extractor",
        choices=list(EXTRACTORS),
        default="parcels",
        help="parcels (default), or svm: Yao and Zuo's support vector machine",
    )
    add_model_arguments(parser, None, "(default: that of the extractor)")
    for name, what in SWITCHES.items():
        is_on = getattr(DEFAULT, name)
        parser.add_argument(
            f"--include-{name}",
            action=argparse.BooleanOptionalAction,
            default=is_on,
            help=f"{what} (default: {'yes' if is_on else 'no'})",
        )
    parser.add_argument(
        "--metadata",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="md: start with title, date, authors, source, url and language as YAML front matter (default: yes)",
    )


def run(args: argparse.Namespace) -> int:
    """Print the article of every page."""
    chosen = EXTRACTORS[args.extractor]
    model = model_path(args.model or chosen.shipped, args.store)
    chosen.open(model)  # a broken model is one error, not one per page
    output_form = Form(
        args.format, args.metadata, Include(**{name: getattr(args, f"include_{name}") for name in SWITCHES})
    )
    one_page = partial(page_to_json, extractor=args.extractor, model=model, form=output_form)
    if args.format == "json" or not is_single(args.pages):
        return run_pages(args, one_page)
    pages = read_pages(args.pages, url=args.url, max_bytes=args.max_bytes)
    for line in results(pages, one_page, workers=1, seconds=args.max_seconds):
        assert not isinstance(line, bytes)  # as page_to_json below
        if "error" in line:
            print(f"parcels: {line['error']}", file=sys.stderr)
            return NO_PAGE_SUCCEEDED
        with output(args.out) as out:
            out.write(line["text" if args.format == "text" else "markdown"].encode() + b"\n")
    return 0


class Form(NamedTuple):
    """The output format of articles."""

    name: str
    has_metadata: bool = True
    include: Include = DEFAULT


def page_to_json(raw: RawPage, *, extractor: str, model: str, form: Form) -> dict[str, Any]:
    """Return one page's line of output."""
    page = read_page(raw.html, raw.url, name=raw.name, content_type=raw.content_type)
    chosen = EXTRACTORS[extractor]
    article = chosen.extract(page, chosen.open(model), form.include)
    if form.name == "json":
        return article.to_json()
    if form.name == "md":
        return {"page": article.page, "markdown": article.to_markdown(metadata=form.has_metadata)}
    return {"page": article.page, "text": _with_title(article.title, article.text)}


def _with_title(title: str | None, text: str) -> str:
    """Return the text with its title at the front."""
    return text if title is None or text.startswith(title) else f"{title}\n\n{text}"
