"""Writes the files of this folder anew, by the solvers themselves from PyPI: HiGHS (highspy 1.16.0), KaHIP (kahip 3.25)
and LKH 3.0.8 (elkai 2.0.1, whose copy of LKH still writes its TOUR_FILE). Not run by any test.

    python -m venv v && v/bin/pip install highspy==1.16.0 kahip==3.25 elkai==2.0.1
    v/bin/python tests/cli/answers/make.py build/release/optgap
"""

import json
import os
import pathlib
import subprocess
import sys

import highspy
import kahip
import numpy as np
from elkai import _elkai

OPTGAP = os.path.abspath(sys.argv[1])
os.chdir(pathlib.Path(__file__).parent)


def instance(task):
    command = [OPTGAP, "generate", task, "--level", "easy", "--split", "test", "--count", "1"]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["instance"]


def maximised(values, rows):
    """A program of binary variables; rows are (columns, weights, most)."""
    made = highspy.Highs()
    made.setOptionValue("output_flag", False)
    made.setOptionValue("threads", 1)
    for value in values:
        made.addBinary(obj=value)
    for columns, weights, most in rows:
        made.addRow(-highspy.kHighsInf, most, len(columns), np.array(columns, np.int32), np.array(weights, float))
    made.changeObjectiveSense(highspy.ObjSense.kMaximize)
    made.run()
    return made


items = instance("knapsack")
knapsack = maximised(items["values"], [(range(len(items["values"])), items["weights"], items["capacity"])])
knapsack.writeSolution("knapsack.sol", 0)

graph = instance("independent_set")
apart = maximised([1] * graph["n"], [(edge, [1, 1], 1) for edge in graph["edges"]])
apart.writeSolution("independent_set.sol", 0)
apart.writeSolution("pretty.sol", 1)
apart.addRow(2, highspy.kHighsInf, 1, np.array([0], np.int32), np.ones(1))
apart.run()
apart.writeSolution("infeasible.sol", 0)

halves = instance("bisection")
n, edges = halves["n"], halves["edges"]
around = [[(b if a == v else a, weight) for a, b, weight in edges if v in (a, b)] for v in range(n)]
starts = np.concatenate([[0], np.cumsum([len(one) for one in around])]).tolist()
ends, weights = ([each[k] for one in around for each in one] for k in (0, 1))
_, blocks = kahip.kaffpa([1] * n, starts, weights, ends, 2, 0.0, True, 1, 2)
pathlib.Path("bisection.part").write_text("".join(f"{block}\n" for block in blocks), encoding="utf-8")

distances = instance("tsp")["distances"]
_elkai.solve_problem(
    "PROBLEM_FILE = :stdin:\nRUNS = 2\nSEED = 1\nOUTPUT_TOUR_FILE = tsp.tour\n",
    f"NAME : easy0\nTYPE : TSP\nDIMENSION : {len(distances)}\nEDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : FULL_MATRIX\n"
    "EDGE_WEIGHT_SECTION\n" + "".join(" ".join(map(str, row)) + "\n" for row in distances),
)
