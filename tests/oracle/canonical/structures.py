"""The program's own structure of an instance (kernels/canonical/structure.hpp) as a shape, for tasks without their
own."""

import collections

from shape import Shape


def of_listing(listing):
    shape, said = Shape(), collections.defaultdict(list)
    for node, *words in listing["facts"]:
        said[node].append(words)
    shape.node("facts", repr(sorted(said[-1])))
    at = [shape.node("node", kind, repr(sorted(said[node]))) for node, kind in enumerate(listing["kinds"])]
    for start, end, tag, value, directed in listing["joints"]:
        if directed:
            shape.arc(at[start], at[end], tag, value)
        else:
            shape.joint([at[start], at[end]], "joint", tag, value)
    return shape


def of_row(row):
    """One shape for each way in which axes may change ends; any of them may represent the instance."""
    return [of_listing(listing) for listing in row["listings"]]
