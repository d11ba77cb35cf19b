"""Files of tagged sentences: one token per line, a blank line after each sentence, gzip or plain text."""

import gzip
from collections.abc import Iterator
from pathlib import Path

from parcels.errors import ConfigError, InputMissing

Sentence = tuple[list[str], list[str]]  # tokens and their tags


def read_sentences(path: Path, *, token: int, tag: int) -> list[Sentence]:
    """Read the sentences of a file; `token` and `tag` are column indices, lines that begin with # are comments."""
    sentences: list[Sentence] = []
    tokens: list[str] = []
    tags: list[str] = []
    for line in _lines(path):
        if not line:
            if tokens:
                sentences.append((tokens, tags))
                tokens, tags = [], []
            continue
        cells = line.split("\t")
        if line.startswith("#") and len(cells) <= tag:
            continue
        if len(cells) <= max(token, tag):
            raise ConfigError(f"{path}: a line has {len(cells)} columns, expected {max(token, tag) + 1}: {line!r}")
        tokens.append(cells[token])
        tags.append(cells[tag])
    return [*sentences, (tokens, tags)] if tokens else sentences


def _lines(path: Path) -> Iterator[str]:
    if not path.is_file():
        raise InputMissing(f"File not found: {path}. Name the folder that has it by --data.")
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        for line in file:
            yield line.rstrip("\n")


def accuracy(gold: list[Sentence], predicted: list[list[str]]) -> float:
    """Return the share of tokens with the right tag."""
    pairs = [(a, b) for (_, true), guess in zip(gold, predicted, strict=True) for a, b in zip(true, guess, strict=True)]
    return sum(a == b for a, b in pairs) / max(len(pairs), 1)
