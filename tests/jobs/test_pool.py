"""Several processes: order is kept, and a process that dies costs one page."""

import os
import signal
from typing import Any

from parcels.cli.pool import PagePool
from parcels.inputs import BadPage, RawPage


def kill_on_bad_word(page: RawPage | BadPage) -> dict[str, Any]:
    assert isinstance(page, RawPage)
    if page.html == b"deadly":
        os.kill(os.getpid(), signal.SIGKILL)
    return {"page": page.name, "size": len(page.html)}


def test_a_page_that_kills_its_process_costs_only_itself():
    pages = [RawPage(str(n), b"deadly" if n in (3, 17) else b"x" * n) for n in range(25)]
    results = list(PagePool(kill_on_bad_word, workers=2).results(iter(pages)))
    assert [result["page"] for result in results] == [str(n) for n in range(25)]
    assert [result["page"] for result in results if "error" in result] == ["3", "17"]
    assert results[3]["reason"] == "crashed"
    assert results[24]["size"] == 24
