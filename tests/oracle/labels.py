"""Things under other labels: what relabelling means, in plain Python."""


def renamed(values, labels, first=0):
    """Each label's new one; what is no label stays."""
    return [labels[value - first] if 0 <= value - first < len(labels) else value for value in values]


def placed(values, labels):
    """Each label's entry at the new label's place."""
    out = [None] * len(values)
    for value, new in zip(values, labels, strict=True):
        out[new] = value
    return out


def under_vertex_labels(instance, labels):
    """A graph, with whatever its edges and vertices weigh."""
    new = labels["vertex"]
    out = dict(instance, edges=[renamed(edge[:2], new) + edge[2:] for edge in instance["edges"]])
    return dict(out, weights=placed(instance["weights"], new)) if "weights" in instance else out


def named_vertices(answer, labels):
    return renamed(answer, labels["vertex"])
