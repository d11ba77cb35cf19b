"""HTML elements of the report. Text from pages is escaped."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

STYLE = """
:root { color-scheme: light; --ink: #1c2430; --soft: #5b6675; --line: #dfe4ea }
body { font: 14px/1.5 system-ui, "Liberation Sans", sans-serif; color: var(--ink); margin: 0; background: #f3f5f8 }
header, main { max-width: 960px; margin: 0 auto; padding: 0 24px }
header { padding-top: 34px } h1 { margin: 0; font-size: 26px } header p { margin: 4px 0 18px; color: var(--soft) }
nav { display: flex; flex-wrap: wrap; gap: 4px 16px; margin-bottom: 20px } nav a { color: #1b64c8 }
section { background: #fff; border: 1px solid var(--line); border-radius: 12px; padding: 20px 24px; margin: 0 0 18px }
h2 { font-size: 18px; margin: 0 0 6px } h3 { font-size: 14px; margin: 18px 0 6px }
p { margin: 0 0 12px } .soft { color: var(--soft) }
.cards { display: flex; flex-wrap: wrap; gap: 10px; margin-bottom: 18px }
.cards div { background: #fff; border: 1px solid var(--line); border-radius: 10px; padding: 10px 18px;
  color: var(--soft) }
.cards b { display: block; font-size: 21px; color: var(--ink); font-variant-numeric: tabular-nums }
.legend { display: flex; flex-wrap: wrap; gap: 3px 14px; margin-bottom: 10px; font-size: 12px }
.legend i { display: inline-block; width: 11px; height: 11px; border-radius: 3px; margin-right: 5px }
.side { display: flex; flex-wrap: wrap; gap: 16px } .scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: 12.5px } td, th { text-align: left; vertical-align: top;
  padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line) } th { color: var(--soft); white-space: nowrap }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.worst { display: grid; grid-template-columns: 220px 220px 1fr; gap: 18px; border-top: 1px solid var(--line);
  padding: 16px 0 } .worst .tall { max-height: 440px; overflow-y: auto; border: 1px solid var(--line) }
.worst small { color: var(--soft); display: block } .worst ul { padding-left: 18px; margin: 6px 0 }
.worst li { margin: 3px 0 } .worst > div { min-width: 0; overflow-wrap: anywhere } .side > * { min-width: 0 }
svg text { font-family: system-ui, "Liberation Sans", sans-serif }
h1, header p, h2, h3, .soft { overflow-wrap: anywhere }
@media (max-width: 700px) {
  header, main { padding-left: 10px; padding-right: 10px } section { padding: 14px 12px }
  .worst { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 10px } .worst > :last-child { grid-column: 1 / -1 }
}
@media print { body { background: #fff } section { break-inside: avoid } }
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"


def anchor(title: str) -> str:
    """Return the anchor of a section.

    >>> anchor("Labels per site")
    'labels-per-site'
    """
    return "-".join("".join(sign if sign.isalnum() else " " for sign in title.lower()).split())


def section(title: str, *parts: str) -> str:
    """Return a section of the report."""
    return f'<section id="{anchor(title)}"><h2>{escape(title)}</h2>{"".join(parts)}</section>'


def para(words: str) -> str:
    """Return a paragraph."""
    return f'<p class="soft">{escape(words.strip())}</p>'


def empty(words: str) -> str:
    """Return a paragraph for a section without data."""
    return f"<p>{escape(words)}</p>"


def table(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a table; numbers are right-aligned."""
    rows = list(rows)
    first = rows[0] if rows else [""] * len(names)
    head = "".join(f"<th{_kind(value)}>{escape(name)}</th>" for name, value in zip(names, first, strict=True))
    body = "".join(f"<tr>{''.join(_cell(value) for value in row)}</tr>" for row in rows)
    return f'<div class="scroll"><table><tr>{head}</tr>{body}</table></div>'


def _kind(value: Any) -> str:
    return ' class="number"' if isinstance(value, int | float) else ""


def _cell(value: Any) -> str:
    shown = f"{value:,}" if isinstance(value, int) else f"{value:.3f}" if isinstance(value, float) else str(value)
    return f"<td{_kind(value)}>{escape(shown)}</td>"


def document(title: str, about: str, sections: Sequence[tuple[str, str]]) -> str:
    """Return the whole file; `sections` are titles and their HTML."""
    links = "".join(f'<a href="#{anchor(name)}">{escape(name)}</a>' for name, _ in sections if name)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(title)}</title>'
        f"<style>{STYLE}</style></head>\n"
        f"<body><header><h1>{escape(title)}</h1><p>{escape(about)}</p><nav>{links}</nav></header>\n<main>"
        + "\n".join(part for _, part in sections)
        + "</main></body></html>\n"
    )
