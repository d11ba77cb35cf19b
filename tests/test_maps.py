"""The hash maps of compiled code agree with dicts, whatever they are given."""

import random

from parcels.maps import IntMap, StringMap

LETTERS = "ab\x00é中\U0001f469"


def test_numbers_of_keys_are_those_of_a_dict() -> None:
    rng, found, expected = random.Random(1), IntMap(), dict[int, int]()
    for step in range(5000):
        key = rng.choice((rng.randrange(500), rng.getrandbits(64), 2**64 - 1 - rng.randrange(500)))
        if step % 3:
            assert found.put(key, step) == expected.setdefault(key, step)
        else:
            assert found.replace(key, step) == expected.get(key, -1)
            expected[key] = step
    assert found.count == len(expected)
    assert [found.find(key) for key in expected] == list(expected.values())
    assert found.find(rng.getrandbits(60) + 2**62) == -1


def test_texts_are_numbered_as_they_come_wherever_they_stand() -> None:
    rng, found, expected = random.Random(2), StringMap(["first"]), {"first": 0}
    for _ in range(4000):
        text = "".join(rng.choices(LETTERS, k=rng.randrange(12)))
        first = rng.randrange(len(text) + 1)
        end = rng.randrange(first, len(text) + 1)
        assert found.find(text, first, end) == expected.get(text[first:end], -1)
        assert found.put(text, first, end) == expected.setdefault(text[first:end], len(expected))
    assert found.count == len(expected)
    assert [found.text(number) for number in range(found.count)] == list(expected)
