"""Other labels, drawn here and applied by the plain Python of tests/oracle/tasks, and other changes that keep the
problem."""


def anywhere(count, random, first=0):
    return random.sample(range(first, first + count), count)


def from_either_end(count, random, first=0):
    order = list(range(first, first + count))
    return random.choice([order, order[::-1]])


def but_the_first(count, random):
    return [0, *anywhere(count - 1, random, 1)]


def grid_labels(count_of_rows, count_of_columns):
    """For a grid whose rows and columns may change ends."""
    return lambda instance, random: {
        "row": from_either_end(count_of_rows(instance), random),
        "column": from_either_end(count_of_columns(instance), random),
    }


def shuffled(instance, random):
    """Shuffles edges, clauses without weights and other sets, whose order is not part of an instance."""
    out = dict(instance)
    for field in ("edges", "edges1", "edges2"):
        if field in out:
            out[field] = [random.sample(edge[:2], 2) + edge[2:] for edge in random.sample(out[field], len(out[field]))]
    for field in ("clauses", "sets", "successors", "attendees", "availability"):
        if field in out:
            out[field] = [random.sample(members, len(members)) for members in out[field]]
    for field in ("terminals", "less", *([] if "weights" in out else ["clauses"])):
        if field in out:
            out[field] = random.sample(out[field], len(out[field]))
    return out


def scaled(*groups):
    """Multiplies the numbers of each group of fields by one factor."""

    def change(instance, random):
        out = dict(instance)
        for fields in groups:
            factor = random.randint(1, 3)
            for field in fields:
                value = out[field]
                out[field] = [factor * one for one in value] if isinstance(value, list) else factor * value
        return out

    return change


def roomier(instance, random):
    """Enlarges a knapsack that takes everything, then scales its numbers."""
    whole = sum(instance["weights"])
    room = instance["capacity"] if instance["capacity"] < whole else whole + random.randint(0, 5)
    return scaled(["capacity", "weights"], ["values"])(dict(instance, capacity=room), random)


def later(instance, random):
    """A calendar whose clock begins at another time."""
    by = random.randint(0, 90)
    return dict(
        instance, availability=[[[start + by, end + by] for start, end in own] for own in instance["availability"]]
    )


def moved(instance, random):
    """Points that are moved, turned by right angles and mirrored."""
    if "points" not in instance:
        return instance
    points = instance["points"]
    for _ in range(random.randrange(4)):
        highest = max(y for _, y in points)
        points = [[highest - y, x] for x, y in points]
    if random.random() < 0.5:
        points = [[y, x] for x, y in points]
    by = [random.randint(0, 9), random.randint(0, 9)]
    return dict(instance, points=[[x + by[0], y + by[1]] for x, y in points])
