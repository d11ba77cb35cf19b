"""A gigabyte of directory dump, made on the fly and read through a pipe: time, and the reader's memory.

The reader is a process of its own that reads standard input, so that its memory is its own; nothing is written to disk.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator

GIGABYTE = 1 << 30
MAX_MEGABYTES = 200
TOPICS = ("Arts", "Business", "Computers", "Games", "Health", "Home", "News", "Recreation", "Reference", "Regional",
          "Science", "Shopping", "Society", "Sports", "World")  # fmt: skip
RECORD = b"""  <ExternalPage about="http://site%d.example/~user/page%d.html?a=%d&amp;b=1">
    <d:Title>Site number %d &amp; its \x07 friends</d:Title>
    <d:Description>What a volunteer wrote about it, with a stray & and \xe9 in the wrong charset.</d:Description>
    <topic>Top/%b/Level%d/Deeper%d</topic>
  </ExternalPage>
"""
BLOCK = 200  # records of a piece
READER = """
import json, resource, sys, time
from collections import Counter
from crawler.seeds.documents import open_document
from crawler.seeds.sample import by_topic
left_out = Counter()
pieces = iter(lambda: sys.stdin.buffer.read(1 << 16), b"")
kind, seeds = open_document(pieces, url=None, left_out=left_out, max_bytes=1 << 40)
count = 0
def counted():
    global count
    for seed in seeds:
        count += 1
        yield seed
chosen = by_topic(counted(), per_topic=1000)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"kind": kind, "seeds": count, "chosen": len(chosen), "peak_mb": peak, "cpu_s": time.process_time()}))
"""


def synthetic_rdf(size: int) -> Iterator[bytes]:
    """A dump of about this many bytes, with the faults of real ones, by pieces."""
    yield b"<?xml version='1.0' encoding='UTF-8' ?>\n<RDF xmlns=\"http://dmoz.org/rdf\">\n"
    made = number = 0
    while made < size:
        piece = b"".join(
            RECORD % (n // 3, n, n % 7, n, TOPICS[n % len(TOPICS)].encode(), n % 40, n % 9)
            for n in range(number, number + BLOCK)
        )
        number += BLOCK
        made += len(piece)
        yield piece
    yield b"</RDF>\n"


def main(size: int = GIGABYTE) -> bool:
    started = time.monotonic()
    reader = subprocess.Popen([sys.executable, "-c", READER], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert reader.stdin is not None
    sent = 0
    for piece in synthetic_rdf(size):
        reader.stdin.write(piece)
        sent += len(piece)
    told, _ = reader.communicate()
    found = json.loads(told)
    print(
        f"{sent / 1e6:,.0f} MB of RDF: {found['seeds']:,} seeds, {found['chosen']:,} chosen (1,000 a topic), "
        f"peak memory {found['peak_mb']:.0f} MB (at most {MAX_MEGABYTES}), {found['cpu_s']:.0f} s of CPU, "
        f"{time.monotonic() - started:.0f} s by the clock on {os.cpu_count()} cores"
    )
    return reader.returncode == 0 and found["peak_mb"] < MAX_MEGABYTES
