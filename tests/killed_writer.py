"""Writes batches to a store until somebody kills it; says on stdout which are committed.

killed_writer.py STORE NAME
"""

import sys

from example_rows import reject

from parcels.store import open_store

BATCH_ROWS = 200


def batch(name: str, number: int) -> list[dict[str, object]]:
    return [reject(f"{name} {number} {n}", detail=f"{n} " * 200) for n in range(BATCH_ROWS)]


def say(number: int) -> None:
    """In one write, so that a kill cannot come between the number and its line's end."""
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


def main(where: str, name: str) -> None:
    store = open_store(where)
    number = 0
    while True:
        # By turns a writer that lives on and one for each batch.
        with store.writer("rejects", crawl="news") as writer:
            for _ in range(3):
                writer.add(batch(name, number))
                writer.commit()
                say(number)
                number += 1
        store.write("rejects", batch(name, number), crawl="news")
        say(number)
        number += 1


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
