"""Yao and Zuo's blockifying: a text block ends wherever a block-level element (or `br`) begins or ends."""

from parcels.divide.division import Division, closest, divide_where, of_tags, opened_between
from parcels.html.page import Page
from parcels.html.tags import IS_BLOCK_LEVEL, IS_BREAK


def divide(page: Page) -> Division:
    """Divide a page into text blocks; images and controls stay with the text around them.

    >>> from parcels.html.page import read_page
    >>> from parcels.divide.division import block_text
    >>> page = read_page("<div>One <a href=x>two</a><p>three<br>four</p>five</div>")
    >>> [block_text(page, *leaves) for leaves in divide(page).ranges()]
    ['One two', 'three', 'four', 'five']
    """
    is_block = of_tags(page, IS_BLOCK_LEVEL)
    container = closest(page, is_block)
    is_start = opened_between(page, is_block | of_tags(page, IS_BREAK)) > 0
    is_start[1:] |= container[1:] != container[:-1]
    return divide_where(is_start, container, page.leaves)
