"""The tasks compared by their own shape: how one is drawn, what its shape is, and how it is relabelled."""

import dataclasses
from collections.abc import Callable

import draws
import shapes
from relabelling import anywhere, but_the_first, from_either_end, grid_labels, later, moved, roomier, scaled, shuffled
from tasks import MODULES


@dataclasses.dataclass
class Compared:
    draw: Callable
    shape: Callable
    labels: Callable
    """(instance, random) -> new labels by axis, as in docs/twins.md."""
    also: Callable = lambda instance, random: instance
    """Other changes that keep the problem the same."""
    under_labels: Callable | None = None

    def copy(self, task, instance, random):
        given = (self.under_labels or MODULES[task].under_labels)(instance, self.labels(instance, random))
        return self.also(shuffled(given, random), random)


def axes(**counts):
    """Unrestricted labels; a count is a field that holds it, or whose length it is."""

    def draw(instance, random):
        sizes = {axis: instance[field] for axis, field in counts.items()}
        return {axis: anywhere(size if isinstance(size, int) else len(size), random) for axis, size in sizes.items()}

    return draw


def places(amounts):
    return lambda instance, random: {"place": but_the_first(len(instance[amounts]), random)}


def variables(instance, random):
    labels = {"variable": anywhere(instance["n"], random, 1)}
    return dict(labels, clause=anywhere(len(instance["clauses"]), random)) if "weights" in instance else labels


def words(instance, random):
    return {"word": anywhere(len(instance["words"]), random), "letter": anywhere(instance["letters"], random, 1)}


def cities(instance, random):
    return {"city": anywhere(len(instance.get("distances") or instance["points"]), random)}


def sudoku_labels(instance, random):
    n = len(instance["grid"])
    return {"row": from_either_end(n, random), "column": from_either_end(n, random), "value": anywhere(n, random, 1)}


def futoshiki_labels(instance, random):
    n = len(instance["grid"])
    return {
        "row": from_either_end(n, random),
        "column": from_either_end(n, random),
        "value": from_either_end(n, random, 1),
        "axis": from_either_end(2, random),
    }


def numbers(instance, random):
    return {"number": anywhere(len(instance["cards"]) ** 2 // 2, random)}


def other_numbers(instance, labels):
    return {"cards": [[labels["number"][card] for card in row] for row in instance["cards"]]}


def count_of(field):
    return lambda instance: len(instance[field])


vertex = axes(vertex="n")
COMPARED = {
    "apples": Compared(
        draws.apples, shapes.of_numbers("rates", "prices", facts=["turns", "stock"]), axes(kind="rates")
    ),
    "bin_packing": Compared(
        draws.bins,
        shapes.of_numbers("sizes", facts=["capacity"], common=[["capacity", "sizes"]]),
        axes(item="sizes"),
        scaled(["capacity", "sizes"]),
    ),
    "bisection": Compared(draws.heavy_edges, shapes.of_graph, vertex),
    "chests": Compared(draws.chests, shapes.of_chests, axes(chest="hardness")),
    "clique": Compared(draws.graph, shapes.of_graph, vertex),
    "coin_change": Compared(
        draws.coins,
        shapes.of_numbers("coins", facts=["amount"], common=[["coins", "amount"]]),
        axes(coin="coins"),
        scaled(["coins", "amount"]),
    ),
    "coloring": Compared(draws.graph, shapes.of_graph, vertex),
    "common_subsequence": Compared(draws.words, shapes.of_words, words),
    "dominating_set": Compared(draws.heavy_vertices, shapes.of_graph, vertex),
    "flow_shop": Compared(draws.flow_shop, shapes.of_numbers("times"), axes(job="times")),
    "futoshiki": Compared(draws.futoshiki, shapes.of_futoshiki, futoshiki_labels),
    "graph_isomorphism": Compared(draws.two_graphs, shapes.of_two_graphs, axes(vertex="n", image="n")),
    "hamiltonian": Compared(draws.graph, shapes.of_graph, vertex),
    "hamiltonian_path": Compared(draws.arcs, shapes.of_arcs, axes(vertex="successors")),
    "independent_set": Compared(draws.graph, shapes.of_graph, vertex),
    "job_shop": Compared(draws.job_shop, shapes.of_shop, axes(job="machines", machine="m")),
    "k_center": Compared(draws.k_center, shapes.of_graph, vertex),
    "knapsack": Compared(draws.knapsack, shapes.of_knapsack, axes(item="weights"), roomier),
    "linear_ordering": Compared(draws.square, shapes.of_square, axes(item="matrix")),
    "max_cut": Compared(draws.signed_edges, shapes.of_graph, vertex),
    "max_sat": Compared(draws.weighted_clauses, shapes.of_clauses, variables),
    "meeting": Compared(
        draws.meetings, shapes.of_meetings, axes(meeting="attendees", attendee="availability", room="capacities"), later
    ),
    "nonogram": Compared(draws.nonogram, shapes.of_nonogram, grid_labels(count_of("rows"), count_of("columns"))),
    "orienteering": Compared(draws.prizes, shapes.of_places("prizes", "budget"), places("prizes"), moved),
    "pairs": Compared(draws.cards, shapes.of_cards, numbers, under_labels=other_numbers),
    "partition": Compared(draws.partition, shapes.of_numbers("values", facts=["k"]), axes(item="values")),
    "queens": Compared(draws.queens, shapes.of_queens, grid_labels(count_of("queens"), count_of("queens"))),
    "sat": Compared(draws.clauses, shapes.of_clauses, variables),
    "set_cover": Compared(draws.sets, shapes.of_sets, axes(set="sets", element="universe")),
    "steiner_tree": Compared(draws.steiner_tree, shapes.of_graph, vertex),
    "subset_sum": Compared(
        draws.subset_sum,
        shapes.of_numbers("values", facts=["target"], common=[["values", "target"]]),
        axes(item="values"),
        scaled(["values", "target"]),
    ),
    "sudoku": Compared(draws.sudoku, shapes.of_sudoku, sudoku_labels),
    "tsp": Compared(draws.matrix, shapes.of_cities, cities, moved),
    "vehicle_routing": Compared(draws.vehicles, shapes.of_places("demands", "capacity"), places("demands"), moved),
    "vertex_cover": Compared(draws.heavy_vertices, shapes.of_graph, vertex),
    "weighted_tardiness": Compared(draws.tardiness, shapes.of_numbers("times", "weights", "due"), axes(job="times")),
}
