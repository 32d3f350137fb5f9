"""Routes from place 0 that serve every customer once within the capacity; their total length is minimised."""

from found import cp_sat
from ortools.sat.python import cp_model
from plane import closed_length, distance, named_places, odd_points, under_place_labels
from verdict import Verdict, feasible, is_rows, values_of, worst

MAXIMISE = False
ROWS = True


def under_labels(instance, labels):
    return under_place_labels(instance, labels, "demands")


def answer_under_labels(answer, labels):
    return [named_places(route, labels) for route in answer]


def judge(instance, answer):
    demands, capacity = instance["demands"], instance["capacity"]
    customers = len(demands) - 1
    if isinstance(answer, str):
        return worst("unparsable", customers)
    if not answer:
        return worst("empty", customers)
    if not is_rows(answer):
        return worst("bad_depth", customers)
    values = values_of(answer)
    ends = depot_ends(answer)
    for i, v in enumerate(values):
        if i not in ends and not 1 <= v <= customers:
            return worst("out_of_range", customers, i)
    seen = set()
    for i, v in enumerate(values):
        if i not in ends and v in seen:
            return worst("repeated", customers, i)
        seen.add(v)
    if len(values) - len(ends) < customers:
        return Verdict("missing_customer", -1, None, customers - len(values) + len(ends), customers)
    excess, first, position = 0, None, 0
    for route in answer:
        load = 0
        for v in route:
            load += demands[v]
            first = position if load > capacity and first is None else first
            position += 1
        excess += max(0, load - capacity)
    if excess:
        return Verdict("over_capacity", first, None, excess, sum(demands) - capacity)
    open_routes = [route[1:-1] if is_closed(route) else route for route in answer]
    return feasible(sum(closed_length(instance, route) for route in open_routes if route), customers)


def is_closed(route):
    """Whether it names place 0 at both ends."""
    return len(route) > 1 and route[0] == 0 == route[-1]


def depot_ends(answer):
    """Positions among all values at which a closed route names place 0."""
    ends, begin = set(), 0
    for route in answer:
        if is_closed(route):
            ends |= {begin, begin + len(route) - 1}
        begin += len(route)
    return ends


def label_count(instance):
    return len(instance["demands"])


def random_answer(instance, random):
    routes, room = [[]], instance["capacity"]
    for v in random.sample(range(1, label_count(instance)), label_count(instance) - 1):
        demand = instance["demands"][v]
        if demand > room or random.random() < 0.1:
            routes.append([])
            room = instance["capacity"]
        routes[-1].append(v)
        room -= demand
    return routes


def right_shape(answer):
    return bool(answer) and all(isinstance(route, list) for route in answer)


def move_a_customer(instance, answer, random):
    """Moves a customer to any place of any route, possibly a new one."""
    del instance
    if not right_shape(answer) or not values_of(answer):
        return answer
    routes = [list(route) for route in answer] + [[]]
    route = random.choice([route for route in routes if route])
    v = route.pop(random.randrange(len(route)))
    other = random.choice(routes)
    other.insert(random.randint(0, len(other)), v)
    return routes


def close_routes(instance, answer, random):
    """Adds place 0 at both ends of some routes."""
    del instance
    if not right_shape(answer):
        return answer
    return [[0, *route, 0] if random.random() < 0.7 else route for route in answer]


def turn_a_route(instance, answer, random):
    del instance
    if not right_shape(answer):
        return answer
    at = random.randrange(len(answer))
    return answer[:at] + [answer[at][::-1]] + answer[at + 1 :]


mutants = [move_a_customer, close_routes, turn_a_route]


def odd_instances(random, count):
    for name, points in odd_points(random, count):
        demands = [0] + [random.choice([1, random.randint(1, 9), 1000]) for _ in points[1:]]
        for capacity in sorted({max(demands), sum(demands) // 2 + 1000, sum(demands)}):
            yield f"{name}, capacity {capacity}", {"capacity": capacity, "points": points, "demands": demands}
        if len(points) < 9:
            top = random.choice([1, 30, 10**7])
            away = [[random.randint(0, top) for _ in points] for _ in points]
            distances = [
                [away[min(a, b)][max(a, b)] if a != b else 0 for b in range(len(points))] for a in range(len(points))
            ]
            yield (
                f"{name}, distances to {top}",
                {"capacity": max(demands) + 5, "demands": demands, "distances": distances},
            )


def cp_model_of(instance):
    """Circuits that meet at the depot; loads increase along them."""
    demands, capacity = instance["demands"], instance["capacity"]
    n = len(demands)
    model = cp_model.CpModel()
    arcs = {(a, b): model.new_bool_var("") for a in range(n) for b in range(n) if a != b}
    load = [model.new_int_var(demands[v], capacity, "") for v in range(n)]
    model.add_multiple_circuit([(a, b, x) for (a, b), x in arcs.items()])
    for (a, b), x in arcs.items():
        if a and b:
            model.add(load[b] >= load[a] + demands[b]).only_enforce_if(x)
    model.minimize(sum(distance(instance, *arc) * x for arc, x in arcs.items()))

    def read(solver):
        after = {a: b for (a, b), x in arcs.items() if a and solver.boolean_value(x)}
        routes = []
        for v in range(1, n):
            if solver.boolean_value(arcs[0, v]):
                routes.append([v])
                while after[routes[-1][-1]]:
                    routes[-1].append(after[routes[-1][-1]])
        return routes

    return cp_sat(model, read)


PEERS = {"CP-SAT": cp_model_of}
