"""The label-next queue offers one page of a group of near-duplicates."""

from annotate_world import CRAWL, PLAIN, id_of, make_store
from test_annotate_labels import session_of

from parcels.annotate import queue


def offered(session):
    return {one.page for one in queue.rank_pages(session, "ann")}


def test_of_near_duplicates_one_is_offered_and_none_where_one_has_labels(tmp_path):
    pages = {f"a{n}": PLAIN.replace(b"Ferry", f"Ferry {n}".encode()) for n in range(4)}
    store = make_store(tmp_path / "store", pages)
    group = sorted(id_of(f"a{n}") for n in range(3))
    session = session_of(store, max_annotators=1)
    assert offered(session) == {id_of(f"a{n}") for n in range(4)}
    rows = [{"page_id": page, "duplicate_of": group[0], "similarity": 0.9} for page in group[1:]]
    store.write("near_duplicates", rows, crawl=CRAWL)
    assert len(offered(session) & set(group)) == 1
    assert id_of("a3") in offered(session)
    session.save(group[1], "bob", "step-number-1", {0: "sitenav"})
    assert offered(session) == {id_of("a3")}
    session.close()
