"""The vertices of one graph get images one after the other."""

from tasks.graph_isomorphism import bound, graphs


def walk(instance, goal):
    """A case: the images of the vertices so far, in an order in which each has as many earlier neighbours as possible.
    Edges of either graph between these vertices without a counterpart are lost."""
    first, second = graphs(instance)
    edges, line = bound(instance), []
    while len(line) < len(first):
        line.append(max((v for v in range(len(first)) if v not in line), key=lambda v: (len(first[v] & set(line)), -v)))
    before = [[at for at, u in enumerate(line[:k]) if u in first[v]] for k, v in enumerate(line)]

    def further(case):
        images, kept, in_first, in_second = case
        if len(images) == len(line):
            return None
        cases = []
        for image in range(len(first)):
            if image not in images:
                landed = kept + sum(images[at] in second[image] for at in before[len(images)])
                own, other = (
                    in_first + len(before[len(images)]),
                    in_second + sum(one in second[image] for one in images),
                )
                if edges - max(own, other) + landed > goal:
                    cases.append(((*images, image), landed, own, other))
        return cases

    return ((), 0, 0, 0), further
