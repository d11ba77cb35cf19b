"""The WPS-graph: where pages may be cut, and on what a cut depends."""

import numpy as np
import pytest
from segment_pages import graph_of, random_graphs, random_html

from parcels.segments.graph.labelling import final_of_leaves, is_feasible, segments_of
from parcels.segments.graph.wps_graph import HORIZONTAL, IN_ORDER, VERTICAL


def texts(graph, segment):
    return [graph.laid.page.leaves.text[leaf] for leaf in graph.leaves_of(segment)]


def test_rows_are_cut_before_columns_and_columns_depend_on_the_rows_around_them():
    graph = graph_of("<h1>Top</h1><table><tr><td>Left<td>Right</table><p>Low")
    assert graph.kind.tolist() == [HORIZONTAL, HORIZONTAL, VERTICAL]
    assert sorted(graph.dependencies()) == [(0, 2), (1, 2)]
    assert [texts(graph, number) for number in range(1, 4)] == [["Top"], ["Left", "Right"], ["Low"]]


def test_a_single_tree_is_opened_down_to_where_it_has_parts():
    graph = graph_of("<div><div><div><p>One<p>Two</div></div></div>")
    assert graph.kind.tolist() == [HORIZONTAL]
    assert texts(graph, int(graph.before[0])) == ["One"]


def test_a_line_of_text_is_not_cut():
    assert len(graph_of("<p>One <b>two</b> <a href=x>three</a> four")) == 0


def test_boxes_that_overlap_are_cut_in_their_order():
    graph = graph_of("<div style='height:20px'>One</div><div style='position:relative;top:-20px'>Two</div>")
    assert graph.kind.tolist() == [IN_ORDER]


def test_what_is_not_seen_goes_with_its_neighbour_and_is_not_lost():
    skipped = "<p style='position:absolute;left:-999em'>Skip</p>"
    graph = graph_of(f"<style>.h{{display:none}}</style>{skipped}<p>One<p class=h>Hidden<p>Two")
    assert graph.kind.tolist() == [HORIZONTAL]
    assert texts(graph, int(graph.before[0])) == ["Skip", "One", "Hidden"]


def test_a_page_that_a_script_would_show_is_cut_in_its_order():
    graph = graph_of("<style>body{display:none}</style><div><p>One<p>Two</div><div>Three</div>")
    labels = np.ones(len(graph), bool)
    assert len(segments_of(graph, labels)) > 1


@pytest.mark.parametrize("html", ["<img src=x>", "just text", "<p>One <b>two</b>"])
def test_a_page_with_nothing_to_cut_has_no_boundary(html):
    graph = graph_of(html)
    assert len(graph) == 0
    assert len(segments_of(graph, np.zeros(0, bool))) == 1


@pytest.mark.parametrize("seed", range(12))
def test_every_labelling_puts_each_leaf_into_one_final_segment(seed):
    graph = graph_of(random_html(seed))
    labels = np.random.default_rng(seed).random(len(graph)) < 0.6
    for above, below in sorted(graph.dependencies()):
        labels[below] &= labels[above]
    for _ in range(9):
        for above, below in graph.dependencies():
            labels[below] &= labels[above]
    assert is_feasible(graph, labels)
    segments = segments_of(graph, labels)
    parents = {segment.parent for segment in segments}
    finals = [leaf for n, segment in enumerate(segments) if n not in parents for leaf in segment.leaves()]
    assert sorted(finals) == list(range(len(graph.laid.page.leaves)))
    assert len(final_of_leaves(segments, len(finals))) == len(finals)


def test_no_boundary_cuts_through_a_subtree():
    for graph, _ in random_graphs(range(20)):
        nodes = graph.laid.page.nodes
        for units in graph.units:
            for unit in units:
                if unit.row >= 0:
                    assert (unit.first, unit.end) == (nodes.first_leaf[unit.row], nodes.end_leaf[unit.row])


def test_a_boundary_depends_on_two_others_at_most():
    for graph, _ in random_graphs(range(20)):
        below = [edge[1] for edge in graph.dependencies()]
        assert max(map(below.count, set(below)), default=0) <= 2
