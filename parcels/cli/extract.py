"""`parcels extract PAGE…`: the article of each page, as JSON, text or Markdown."""

import argparse
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from parcels.articles.article import Article, extract_page
from parcels.articles.model import SHIPPED, content_model_at
from parcels.cli.pages import NO_PAGE_SUCCEEDED, add_page_arguments, output, results, run_pages
from parcels.content_svm.extract import extract_page as extract_by_svm
from parcels.content_svm.model import SHIPPED as SVM_SHIPPED
from parcels.content_svm.model import svm_model_at
from parcels.inputs import RawPage, is_single, read_pages
from parcels.page import Page, read_page


class Extractor(NamedTuple):
    """One way from a page to its article."""

    extract: Callable[[Page, Any], Article]
    open: Callable[[str], Any]
    shipped: str


HELP = "Extract the article: title, published, authors, source, place, text in reading order, images, language."
EXAMPLE = """
parcels extract page.html
parcels extract page.html --format md > page.md
parcels extract page.html --extractor svm
parcels extract pages/ --workers 2 --out articles.jsonl
curl -s https://example.org/ | parcels extract - --url https://example.org/ --format text
"""
EXTRACTORS = {  # what makes an article of a page, what opens its model, and the model it ships with
    "parcels": Extractor(extract_page, content_model_at, SHIPPED),
    "svm": Extractor(extract_by_svm, svm_model_at, SVM_SHIPPED),
}
FORMATS = ("json", "text", "md")


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_page_arguments(parser)
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="json",
        help="json (default); text or md: that alone for one page, in lines of JSON for several",
    )
    parser.add_argument(
        "--extractor",
        choices=list(EXTRACTORS),
        default="parcels",
        help="parcels (default), or svm: the text by Yao and Zuo's support vector machine",
    )
    parser.add_argument("--model", metavar="NAME", help="a model of the extractor, or its folder (default: as shipped)")


def run(args: argparse.Namespace) -> int:
    """Print the article of every page."""
    chosen = EXTRACTORS[args.extractor]
    model = args.model or chosen.shipped
    chosen.open(model)  # a model that cannot be used is one error, not one a page
    one_page = partial(page_to_json, extractor=args.extractor, model=model, form=args.format)
    if args.format == "json" or not is_single(args.pages):
        return run_pages(args, one_page)
    pages = read_pages(args.pages, url=args.url, max_bytes=args.max_bytes)
    for line in results(pages, one_page, workers=1):
        assert not isinstance(line, bytes)  # as page_to_json below
        if "error" in line:
            print(f"parcels: {line['error']}", file=sys.stderr)
            return NO_PAGE_SUCCEEDED
        with output(args.out) as out:
            out.write(line["text" if args.format == "text" else "markdown"].encode() + b"\n")
    return 0


def page_to_json(raw: RawPage, *, extractor: str, model: str, form: str) -> dict[str, Any]:
    """One page's line of output."""
    page = read_page(raw.html, raw.url, name=raw.name, content_type=raw.content_type)
    chosen = EXTRACTORS[extractor]
    article = chosen.extract(page, chosen.open(model))
    if form == "json":
        return article.to_json()
    name = "text" if form == "text" else "markdown"
    return {"page": article.page, name: _with_title(article.title, getattr(article, name), form)}


def _with_title(title: str | None, text: str, form: str) -> str:
    """The text for reading begins with its title."""
    if title is None or text.lstrip("# ").startswith(title):
        return text
    return f"# {title}\n\n{text}" if form == "md" else f"{title}\n\n{text}"
