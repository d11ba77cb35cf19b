"""Style sheets inlined into the page with their imports, so that the browser needs no requests."""

import re
from dataclasses import dataclass

from parcels.css.sheets.source import MAX_IMPORT_DEPTH, SheetSource, sheet_text

_LEADING = re.compile(r"\s+|/\*.*?\*/|<!--|-->|@charset\s[^;]{0,80};", re.S | re.I)
_IMPORT = re.compile(r"""@import\s*(?:url\(\s*)?(["']?)([^"')\s;]+)\1\s*\)?\s*([^;{}]{0,500});""", re.I)


@dataclass(frozen=True, slots=True)
class Inliner:
    """Inlines the sheets of one page."""

    source: SheetSource
    url: str | None
    base: str = ""  # the page's <base>

    def linked(self, address: str) -> str | None:
        """Return the complete sheet at an address; None if it is not available."""
        return self._fetch(address, "", 0)

    def complete(self, text: str, near: str = "", depth: int = 0) -> str:
        """Return a sheet with its imports replaced by their text.

        >>> Inliner(SheetSource({"a.css": b"p{color:red}"}), None).complete("@import url(a.css) screen; b{top:0}")
        '@media screen{p{color:red}}\\n b{top:0}'
        """
        parts, at = [], 0
        while True:
            leading = _LEADING.match(text, at)
            if leading is not None:
                at = leading.end()
                continue
            wanted = _IMPORT.match(text, at)
            if wanted is None:
                break
            at = wanted.end()
            imported = self._fetch(wanted[2], near, depth + 1)
            media = wanted[3].strip()
            if imported is not None:
                parts.append(f"@media {media}{{{imported}}}" if media else imported)
        return "\n".join([*parts, text[at - (at > 0 and text[at - 1].isspace()) :]])

    def _fetch(self, address: str, near: str, depth: int) -> str | None:
        if depth > MAX_IMPORT_DEPTH or not address.strip():
            return None
        sheet = self.source.find(address.strip(), near=near, url=self.url)
        if sheet is None and self.base and not near:
            sheet = self.source.find(address.strip(), near=self.base.partition("://")[2], url=self.base)
        return None if sheet is None else self.complete(sheet_text(sheet[1]), sheet[0], depth)
