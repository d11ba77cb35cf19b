"""The label-next queue offers one page of a group of near-duplicates."""

from annotate_world import CRAWL, PLAIN, id_of, make_store
from test_annotate_labels import desk_of

from parcels.annotate import queue


def offered(desk):
    return {one.page for one in queue.ranked(desk, "ann")}


def test_of_near_duplicates_one_is_offered_and_none_where_one_has_labels(tmp_path):
    pages = {f"a{n}": PLAIN.replace(b"Ferry", f"Ferry {n}".encode()) for n in range(4)}
    store = make_store(tmp_path / "store", pages)
    group = sorted(id_of(f"a{n}") for n in range(3))
    desk = desk_of(store, most=1)
    assert offered(desk) == {id_of(f"a{n}") for n in range(4)}
    rows = [{"page_id": page, "duplicate_of": group[0], "similarity": 0.9} for page in group[1:]]
    store.write("near_duplicates", rows, crawl=CRAWL)
    assert len(offered(desk) & set(group)) == 1
    assert id_of("a3") in offered(desk)
    desk.save(group[1], "bob", "step-number-1", {0: "sitenav"})
    assert offered(desk) == {id_of("a3")}
    desk.close()
