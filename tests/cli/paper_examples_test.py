"""The worked examples of the FORGE paper (one per task, none for the Hamiltonian cycle): the verdict on the paper's
answer, and the optimum. Four of the paper's claims are wrong: two answers are not optimal, two break a rule."""

import unittest

from optgap_process import forge, lines, rows, run

MEETING = {
    "attendees": [[0, 1, 2], [1, 3], [0, 2, 3]],
    "durations": [60, 30, 90],
    "availability": [[[900, 1700]], [[900, 1200], [1300, 1700]], [[900, 1700]], [[1000, 1400]]],
    "capacities": [5, 3],
}
SQUARE = {"n": 4, "edges": [[0, 1], [0, 2], [1, 3], [2, 3]]}

# task, instance, the paper's answer, its code, its objective, the optimum
EXAMPLES = [
    (
        "set_cover",
        {"universe": 6, "sets": [[0, 1, 2], [2, 3], [0, 4], [3, 4, 5], [1, 2, 5]]},
        [0, 3, 4],
        "ok",
        3,
        2,
    ),  # called minimum
    ("subset_sum", {"target": 10, "values": [2, 3, 7, 8, 5]}, [0, 1, 4], "ok", 3, 3),
    (
        "knapsack",
        {"capacity": 20, "weights": [3, 4, 7, 8], "values": [4, 5, 10, 11]},
        [0, 2, 3],
        "ok",
        25,
        26,
    ),  # called optimal
    (
        "bisection",
        {"n": 4, "edges": [[0, 1, 3], [0, 2, 1], [1, 2, 2], [1, 3, 2], [2, 3, 3]]},
        [[0, 1], [2, 3]],
        "ok",
        5,
        5,
    ),
    (
        "meeting",
        MEETING,
        [[0, 0, 900], [1, 1, 1000], [2, 0, 1020]],
        "person_taken",
        None,
        8,
    ),  # person 3 is in two meetings
    ("meeting", MEETING, [[0, 0, 900], [1, 1, 1000], [2, 0, 1030]], "ok", 8, 8),
    (
        "tsp",
        {"distances": [[0, 10, 15, 20], [10, 0, 35, 25], [15, 35, 0, 30], [20, 25, 30, 0]]},
        [0, 1, 3, 2, 0],
        "ok",
        80,
        80,
    ),
    (
        "clique",
        {"n": 5, "edges": [[0, 1], [0, 2], [0, 3], [0, 4], [1, 3], [1, 4], [2, 3], [3, 4]]},
        [0, 1, 3, 4],
        "ok",
        4,
        4,
    ),
    ("independent_set", {"n": 4, "edges": [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]]}, [0, 3], "ok", 2, 2),
    ("coloring", SQUARE, [1, 2, 1, 2], "conflict", None, 2),
    ("coloring", SQUARE, [1, 2, 2, 1], "ok", 2, 2),
]


class PaperExamples(unittest.TestCase):
    def test_verdicts_and_optima(self):
        given = [{"task": task, "instance": instance, "answer": answer} for task, instance, answer, *_ in EXAMPLES]
        solved = rows(run("solve", "-", stdin=lines(*({**row, "answer": None} for row in given))))
        verified = rows(run("verify", "-", stdin=lines(*given)))
        self.assertEqual(len(verified), len(EXAMPLES))
        for (task, _, answer, code, objective, optimum), verdict, best in zip(EXAMPLES, verified, solved, strict=True):
            with self.subTest(task=task, answer=answer):
                self.assertEqual((verdict["code"], verdict["objective"]), (code, objective))
                self.assertEqual((best["objective"], best["bound"], best["proven"]), (optimum, optimum, True))

    def test_as_completions(self):
        given = [
            {"task": task, "instance": instance, "completion": forge(answer)} for task, instance, answer, *_ in EXAMPLES
        ]
        scored = rows(run("score", "-", stdin=lines(*given)))
        for (task, _, answer, code, objective, optimum), row in zip(EXAMPLES, scored, strict=True):
            with self.subTest(task=task, answer=answer):
                self.assertEqual(row["code"], code)
                self.assertEqual(row["optimal"], float(objective == optimum))


if __name__ == "__main__":
    unittest.main()
