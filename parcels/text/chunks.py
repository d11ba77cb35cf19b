# cython: wraparound=False, cdivision=True
"""Conversion of texts to word numbers. A chunk is a run of characters without white space."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.maps import StringMap

FIRST_ROOM = 1024
Indices = NDArray[np.intp]


class WordNumbers:
    """Consecutive numbers for words, in the order in which they first occur.

    >>> words = WordNumbers(4)
    >>> words.new([("do", "n't"), ("do",)]), words.numbers(["so", "do"])
    ((['do', "n't"], [[4, 5], [4]]), [6, 4])
    """

    def __init__(self, first: int):
        self.words, self.first = StringMap(), first

    def new(self, cut: list[tuple[str, ...]]) -> tuple[list[str], list[list[int]]]:
        """Number the words of split chunks; return the new words, and the numbers of each chunk."""
        new, of_chunks = [], []
        for tokens in cut:
            numbers = []
            for token in tokens:
                before = self.words.count
                number = self.words.put(token, 0, len(token))
                if number == before:
                    new.append(token)
                numbers.append(self.first + number)
            of_chunks.append(numbers)
        return new, of_chunks

    def numbers(self, words: list[str]) -> list[int]:
        """Return the numbers of words; a new word gets the next one."""
        result = []
        for word in words:
            result.append(self.first + self.words.put(word, 0, len(word)))
        return result


class Chunks:
    """The chunks seen so far, and the numbers of their words."""

    def __init__(self) -> None:
        self.texts = StringMap()
        self.word = np.empty(FIRST_ROOM, np.intc).data
        self.words = np.empty(FIRST_ROOM, np.intc).data
        self.words_count = 0

    def __len__(self) -> int:
        return self.texts.count

    def __contains__(self, chunk: str) -> bool:
        return self.texts.find(chunk, 0, len(chunk)) >= 0

    def add(self, chunks: list[str], numbers: list[list[int]]) -> None:
        """Add new chunks, each with the numbers of its words."""
        for at in range(len(chunks)):
            chunk, of_chunk = chunks[at], numbers[at]
            number = self.texts.count
            if number == len(self.word):
                self.word = np.concatenate([self.word, self.word]).data
            # Written before the chunk is added: other threads read without a lock.
            self.word[number] = of_chunk[0] if len(of_chunk) == 1 else self._put(of_chunk)
            self.texts.put(chunk, 0, len(chunk))

    def _put(self, numbers: list[int]) -> int:
        """Store the words of a chunk that does not have exactly one; return the code of the entry."""
        first = self.words_count
        while first + 1 + len(numbers) > len(self.words):
            self.words = np.concatenate([self.words, self.words]).data
        self.words[first] = len(numbers)
        for at in range(len(numbers)):
            self.words[first + 1 + at] = numbers[at]
        self.words_count = first + 1 + len(numbers)
        return -1 - first

    def read(self, texts: list[str], longest: int) -> tuple[NDArray[np.int32], Indices, list[str], list[int]]:
        """Return the chunks of texts by number, how many each text has, those that are unknown, and their indices.

        An unknown chunk has the number -1. Only the first `longest` characters of a chunk count.
        """
        room = count = 0
        for text in texts:
            room += len(text) // 2 + 1
        rows_array, counts = np.empty(room, np.intc), np.empty(len(texts), np.intp)
        rows, of_texts = rows_array.data, counts.data
        missing, places = [], []
        for number in range(len(texts)):
            text = texts[number]
            size, before, at = len(text), count, 0
            while at < size:
                letter = text[at]
                if letter.isspace():
                    at += 1
                    continue
                end = at + 1
                while end < size:
                    letter = text[end]
                    if letter.isspace():
                        break
                    end += 1
                last = end if end - at <= longest else at + longest
                rows[count] = self.texts.find(text, at, last)
                if rows[count] < 0:
                    missing.append(text[at:last])
                    places.append(count)
                count += 1
                at = end
            of_texts[number] = count - before
        return rows_array[:count], counts, missing, places

    def fill(self, rows: Any, missing: list[str], places: list[int]) -> None:
        """Set the numbers of chunks that were unknown to `read` and have been added since."""
        for at in range(len(missing)):
            chunk, place = missing[at], places[at]
            number = self.texts.find(chunk, 0, len(chunk))
            if number < 0:
                raise KeyError(chunk)
            rows[place] = number

    def joined(self, rows: Any, counts: Any) -> tuple[Indices, NDArray[np.bool_], Indices, Indices]:
        """Return the words of texts, which of them begin a chunk, where each text begins, and the text of each word."""
        total = 0
        for row in range(len(rows)):
            word = self.word[rows[row]]
            total += 1 if word >= 0 else self.words[-1 - word]
        words, is_spaced = np.empty(total, np.intp), np.zeros(total, np.bool_)
        begin, text_of = np.empty(len(counts) + 1, np.intp), np.empty(total, np.intp)
        to_words, to_begin, to_text = words.data, begin.data, text_of.data
        to_spaced = is_spaced.view(np.uint8).data
        row = end = at = 0
        for number in range(len(counts)):
            to_begin[number] = at
            end += counts[number]
            while row < end:
                word = self.word[rows[row]]
                row += 1
                if at < total:  # a chunk may have no word
                    to_spaced[at] = 1
                if word >= 0:
                    to_words[at], to_text[at] = word, number
                    at += 1
                    continue
                first = -1 - word
                for one in range(first + 1, first + 1 + self.words[first]):
                    to_words[at], to_text[at] = self.words[one], number
                    at += 1
        to_begin[len(counts)] = at
        return words, is_spaced, begin, text_of
