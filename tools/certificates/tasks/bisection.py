"""The vertices in two halves, the edges between them as light as possible."""

from common import bits, need, parts, weighted


def objective(instance, answer):
    near = weighted(instance)
    need(len(parts(answer, instance["n"])) == 2, "the answer has not two parts")
    one, other = answer
    need(abs(len(one) - len(other)) <= 1, "the parts' sizes differ by more than 1")
    return sum(near[u].get(v, 0) for u in one for v in other)


def bound(instance):
    """No edge weighs less than nothing."""
    del instance
    return 0


def walk(instance, goal):
    """A case: a bit for each vertex of either part, with vertex 0 in the first; an odd graph has one more, without edges. An
    open vertex costs its edges into the part that it does not join, and as many join the first part as have room there:
    those for whom that is cheapest. A vertex for which the other choice reaches the goal is placed; then comes the one with
    the heaviest edges to open vertices, the first of these."""
    near = weighted(instance)
    need(len(near) <= 256, "more than 256 vertices")
    near += [{}] * (len(near) % 2)
    half = len(near) // 2
    weights = [[ways.get(v, 0) for v in range(len(near))] for ways in near]
    degrees = [sum(row) for row in weights]

    def further(case):
        placed = [[v for v in range(len(near)) if part >> v & 1] for part in case]
        into = [[sum(column) for column in zip(*(weights[v] for v in part))] or [0] * len(near) for part in placed]
        cut = sum(into[0][v] for v in placed[1])
        left = [v for v in range(len(near)) if not (case[0] | case[1]) >> v & 1]
        while True:
            room = half - len(placed[0])
            # By how much the first part is dearer.
            dearer = sorted((into[1][v] - into[0][v], v) for v in left)
            least = cut + sum(into[0][v] for v in left) + sum(more for more, _ in dearer[:room])
            if least >= goal:
                return []
            if room in (0, len(left)):
                return None
            forced = [(0, v) for more, v in dearer[:room] if least + dearer[room][0] - more >= goal]
            forced += [(1, v) for more, v in dearer[room:] if least + more - dearer[room - 1][0] >= goal]
            if not forced:
                break
            for part, v in forced:
                if len(placed[part]) == half:
                    return []
                placed[part].append(v)
                cut += into[1 - part][v]
                into[part] = [a + b for a, b in zip(into[part], weights[v])]
                left.remove(v)
        heaviest = max(left, key=lambda v: (degrees[v] - into[0][v] - into[1][v], -v))
        first, second = bits(placed[0]), bits(placed[1])
        return [(first | 1 << heaviest, second), (first, second | 1 << heaviest)]

    return (1, 0), further
