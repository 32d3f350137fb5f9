"""One module per task: its definition in plain Python, models for other solvers, odd instances, mutations.

A module defines
    MAXIMISE                      the objective's sense
    ROWS                          whether a right answer is a list of lists
    ALPHABET, EXPRESSIONS, NUMBERS         other forms of answers (symbols.py)
    judge(instance, answer)       Verdict
    label_count(instance)         how many values are in range, for mutations
    random_answer(instance, random)
    mutants                       extra mutations: functions (instance, answer, random) -> answer
    odd_instances(random, count)  pairs (name, instance) outside the levels
    under_labels(instance, labels)         the instance under new labels: labels[axis][old] is the new one;
                                           omitted, with the next, by a task without relabelled copies
    answer_under_labels(answer, labels)    an answer of the right shape
    PEERS                         name -> function from an instance to solve(limit), see found.py; those named
                                  `plain ...` are a second opinion on small instances and are not timed
"""

import importlib
import pathlib

MODULES = {
    path.stem: importlib.import_module(f"tasks.{path.stem}")
    for path in sorted(pathlib.Path(__file__).parent.glob("*.py"))
    if path.stem != "__init__"
}
