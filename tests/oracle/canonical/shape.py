"""Shapes to be compared: graphs of coloured nodes, with the certificates of nauty and the search of NetworkX."""

import collections
import hashlib

import networkx

try:
    import pynauty
except ImportError:
    pynauty = None


class Shape:
    """Nodes with colours, and links between them. Numbers on links, and directions, are nodes of their own colours."""

    def __init__(self):
        self.colours, self.links = [], []

    def node(self, *colour):
        self.colours.append(colour)
        return len(self.colours) - 1

    def nodes(self, count, *colour):
        return [self.node(*colour) for _ in range(count)]

    def link(self, one, other):
        self.links.append((one, other))

    def joint(self, ends, *colour):
        """Adds a node that is linked to each of the ends."""
        own = self.node(*colour)
        self.links += [(own, end) for end in ends]
        return own

    def arc(self, start, end, *colour):
        self.link(self.joint([start], "from", *colour), self.joint([end], "to", *colour))

    def row(self, nodes):
        """Links consecutive nodes: neighbours stay neighbours, and only the order of the ends may change."""
        self.links += zip(nodes, nodes[1:])

    def size(self):
        """Isomorphic shapes have the same."""
        return len(self.colours), len(self.links)

    def certificate(self):
        """nauty's certificate of the graph and its colours."""
        members = collections.defaultdict(set)
        for node, colour in enumerate(self.colours):
            members[colour].add(node)
        near = collections.defaultdict(list)
        for one, other in self.links:
            near[one].append(other)
        order = sorted(members, key=repr)
        made = pynauty.Graph(
            len(self.colours), adjacency_dict=near, vertex_coloring=[members[colour] for colour in order]
        )
        said = hashlib.blake2b(pynauty.certificate(made), digest_size=16)
        said.update(repr([(colour, len(members[colour])) for colour in order]).encode())
        return said.digest()

    def graph(self):
        made = networkx.Graph()
        made.add_nodes_from((node, {"colour": colour}) for node, colour in enumerate(self.colours))
        made.add_edges_from(self.links)
        return made


def certificate(shapes):
    """The least certificate of shapes, any of which may represent the instance."""
    return min(shape.certificate() for shape in shapes)


def same(some, others):
    """Whether one of the first is isomorphic to one of the others, by NetworkX' search."""
    one = some[0].graph()
    return any(
        shape.size() == some[0].size() and networkx.vf2pp_is_isomorphic(one, shape.graph(), node_label="colour")
        for shape in others
    )
