"""Rows of each kind through each trainer's reward: a table of docs/rows.md. Needs the package, no trainer."""

import asyncio
import json
import os
import pathlib
import sys
import types

import numpy as np

import optgap
from optgap.rows import external
from optgap.trainers.common import own_kinds
from optgap.trainers.common.ground_truth import Unreadable, problem_of
from optgap.trainers.openrlhf import reward as openrlhf
from optgap.trainers.slime import reward as slime
from optgap.trainers.trl.reward import RewardFunction
from optgap.trainers.verl.reward import compute_score

MIXED = pathlib.Path(__file__).resolve().parents[2] / "examples/mixed/rows.jsonl"
NO_LABEL = ("id", "kind", "completion", "external")
"""Fields of a row that its problem has not; of an external one the verdict, which the adapter gets by asking."""


def by_slime(texts, labels):
    args = types.SimpleNamespace(reward_key=None, n_samples_per_prompt=1)
    samples = [
        types.SimpleNamespace(
            response=text, label=label, status=None, response_length=1, metadata={}, group_index=at, prompt=""
        )
        for at, (text, label) in enumerate(zip(texts, labels))
    ]
    return asyncio.run(slime.rm(args, samples))


def by_openrlhf(texts, labels):
    found = openrlhf.reward_func(["asked" + text for text in texts], ["asked"] * len(texts), labels)
    return [float(value) for value in found["rewards"]]


def by_verl(texts, labels):
    return [compute_score("optgap/row", text, label)["score"] for text, label in zip(texts, labels)]


def by_trl(texts, labels):
    return RewardFunction("reward")([""] * len(texts), texts, ground_truth=labels)


CALLS = {"openrlhf": by_openrlhf, "slime": by_slime, "trl": by_trl, "verl": by_verl}
"""By the adapter's folder in python/optgap/trainers: rewards of texts."""


def cells(rows_by_kind):
    """By adapter and kind: "yes" where every row earns what `optgap.score` says, else the sentence that refuses the first."""
    external.configure(tasks={"toy/even_sum": "optgap.examples.even_sum:EvenSum"}, trusted=True, workers=1)
    try:
        asked = [line for line in MIXED.read_text(encoding="utf-8").splitlines() if '"external"' in line]
        return {
            (f"the reward in `{adapter}`", kind): cell(call, [json.loads(line) for line in lines])
            for adapter, call in CALLS.items()
            for kind, lines in {**rows_by_kind, "external": asked}.items()
        }
    finally:
        external.configure()


def of_a_package(rows):
    """By adapter: the same of rows of the package toy_kind, as OPTGAP_KINDS names it."""
    os.environ[own_kinds.VARIABLE] = "toy_kind"
    sys.path.append(str(MIXED.parents[2] / "tests/extension/packages"))
    try:
        return {f"the reward in `{adapter}`": cell(call, rows, kinds="toy_kind") for adapter, call in CALLS.items()}
    finally:
        del os.environ[own_kinds.VARIABLE]
        sys.path.pop()


def cell(call, rows, **options):
    expected = [row["reward"] for row in optgap.score(rows, isolation="auto", external=True, device="cpu", **options)]
    labels = [json.dumps({name: value for name, value in row.items() if name not in NO_LABEL}) for row in rows]
    for label in labels:
        known = problem_of(label)
        if isinstance(known, Unreadable):
            return known.reason.rpartition(": ")[2]
    given = call([row["completion"] for row in rows], labels)
    return "yes" if np.allclose(given, expected, rtol=0, atol=1e-6) else f"earns {given}, by score {expected}"
