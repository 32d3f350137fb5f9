"""Relabelling in plain Python."""


def renamed(values, labels, first=0):
    """Replaces each label by its new one; other values stay."""
    return [labels[value - first] if 0 <= value - first < len(labels) else value for value in values]


def placed(values, labels):
    """Moves each label's entry to the new label's place."""
    out = [None] * len(values)
    for value, new in zip(values, labels, strict=True):
        out[new] = value
    return out


def under_vertex_labels(instance, labels):
    """A graph with the weights of its edges and vertices."""
    new = labels["vertex"]
    out = dict(instance, edges=[renamed(edge[:2], new) + edge[2:] for edge in instance["edges"]])
    return dict(out, weights=placed(instance["weights"], new)) if "weights" in instance else out


def named_vertices(answer, labels):
    return renamed(answer, labels["vertex"])


def random_bits(instance, random):
    """0 or 1 for each of n items."""
    return [random.randint(0, 1) for _ in range(instance["n"])]


def other_bits(instance, answer, random):
    """Flips one of them, or all."""
    if any(bit not in (0, 1) for bit in answer) or not answer:
        return answer
    if random.random() < 0.25:
        return [1 - bit for bit in answer]
    at = random.randrange(len(answer))
    return answer[:at] + [1 - answer[at]] + answer[at + 1 :]
