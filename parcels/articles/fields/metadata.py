"""The fields of an article as YAML front matter, before its Markdown."""

import json
import re
from collections.abc import Mapping, Sequence

# What YAML does not take unescaped in quotes, beside what JSON escapes; a lone surrogate cannot be written at all.
_NOT_PLAIN = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")


def front_matter(fields: Mapping[str, str | Sequence[str] | None]) -> str:
    r"""Return the fields that have a value as YAML between two lines of dashes; every text is quoted.

    >>> print(front_matter({"title": 'Fire: "all safe"', "date": None, "authors": ["Ann Lee"]}))
    ---
    title: "Fire: \"all safe\""
    authors:
      - "Ann Lee"
    ---
    """
    lines = ["---"]
    for name, value in fields.items():
        if isinstance(value, str):
            lines.append(f"{name}: {_quoted(value)}")
        elif value:
            lines += [f"{name}:", *(f"  - {_quoted(entry)}" for entry in value)]
    return "\n".join([*lines, "---"])


def _quoted(text: str) -> str:
    """A text in double quotes: JSON's are YAML's."""
    return _NOT_PLAIN.sub(lambda sign: f"\\u{ord(sign[0]):04x}", json.dumps(text, ensure_ascii=False))
