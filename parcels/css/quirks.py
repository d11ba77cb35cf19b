"""Which pages browsers render as browsers of the last century did."""

from typing import Any

from parcels.html.page import Page

# Doctypes that do not let browsers render by the standards: HTML standard, section 13.2.6.4.1 (abridged).
_QUIRKY_PUBLIC = (
    "-//w3c//dtd html 3",
    "-//w3c//dtd html 4.0 transitional",
    "-//w3c//dtd html 4.0 frameset",
    "-//ietf//dtd html",
    "-//w3o//dtd",
    "-//netscape",
    "-//microsoft",
)
_QUIRKY_WITHOUT_SYSTEM = ("-//w3c//dtd html 4.01 transitional", "-//w3c//dtd html 4.01 frameset")


def is_in_quirks_mode(page: Page) -> bool:
    """True where a browser would render the page as browsers of the last century did."""
    information: Any = page.root.getroottree().docinfo  # its stubs know less than it has
    public = (information.public_id or "").lower()
    if not information.doctype:
        return True
    if public.startswith(_QUIRKY_PUBLIC):
        return True
    return public.startswith(_QUIRKY_WITHOUT_SYSTEM) and not information.system_url
