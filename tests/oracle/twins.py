"""Relabelled copies: `optgap relabel` against relabelling in plain Python by the labels that it returns."""

import random as randoms

from mutate import meaning, mutated_value
from rows import optgap
from tasks import MODULES
from verdict import Broken

SEEDS = ("0", "1", str(2**64 - 1))


def right_shape(module, value):
    return isinstance(value, list) and all(isinstance(item, list) == module.ROWS for item in value)


def differences(module, item, sent, twin):
    """The differences between the copy's row and plain Python."""
    labels, found = twin["labels"], []
    for axis, new in labels.items():
        if sorted(new) != list(range(min(new, default=0), min(new, default=0) + len(new))):
            found.append(f"{axis} is no permutation")
    answer = meaning(sent)
    if isinstance(answer, Broken):
        return found + (["an answer that cannot be read changed"] if twin["answer"] != sent else [])
    if right_shape(module, answer) and twin["answer"] != module.answer_under_labels(answer, labels):
        found.append("the answer")
    there, here = module.judge(item.instance, answer), module.judge(twin["instance"], twin["answer"])
    for name in ("code", "objective", "violation", "violation_max"):
        if getattr(there, name) != getattr(here, name):
            found.append(f"{name}: {getattr(there, name)} became {getattr(here, name)}")
    return found


def check(task, items, count, seed, report):
    """Adds to `report`, a Counter, and returns the mismatches: `count` mutated answers under each seed's labels."""
    module, random, wrong = MODULES[task], randoms.Random(f"{task} twins {seed}"), []
    if not hasattr(module, "under_labels"):
        return wrong
    for labels_of in SEEDS:
        drawn = []
        for index in range(count):
            item = items[index % len(items)]
            start = item.solved["answer"]
            start = start if isinstance(start, list) else module.random_answer(item.instance, random)
            drawn.append((item, mutated_value(module, item.instance, start, random)))
        twins = optgap("relabel", "-", "--seed", labels_of, rows=[dict(item.row, answer=sent) for item, sent in drawn])
        # A row of the instance that Python relabelled states by `twin_of` what it is.
        again = optgap(
            "relabel",
            "-",
            rows=[
                {"task": task, "instance": module.under_labels(item.instance, twin["labels"])}
                for (item, _), twin in zip(drawn, twins)
            ],
        )
        for (item, sent), twin, other in zip(drawn, twins, again):
            found = differences(module, item, sent, twin)
            if other.get("twin_of") != twin["key"]:
                found.append(f"the instance: {other.get('error') or other['twin_of']}")
            report["twins"] += 1
            if found:
                wrong.append({"check": "twin", "instance": item.name, "answer": sent, "differs": found, "row": twin})
        fresh = {twin["key"]: (item, twin) for (item, _), twin in zip(drawn, twins)}
        for (item, _), solved in zip(
            fresh.values(),
            optgap(
                "solve", "-", rows=[{"key": twin["key"], "instance": twin["instance"]} for _, twin in fresh.values()]
            ),
        ):
            both = item.solved["proven"] and solved.get("proven", True)
            if both and solved.get("objective") != item.solved["objective"]:
                wrong.append({"check": "twin", "instance": item.name, "differs": ["the optimum"], "row": solved})
    return wrong
