"""The frozen part of the rows of rows.jsonl: every byte that does not depend on a machine or a build."""

import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parent
ROWS = FOLDER / "rows.jsonl"
RUNS = {
    "plain": [],
    "power": ["--reward", '{"default": "power", "tasks": {"knapsack": "forge"}}', "--advantage", "rloo"],
    "ranked": ["--reward", '{"infeasible": "graded", "truncated": "exclude"}', "--advantage", "river", "--matrix"],
    "roles": [
        "--advantage",
        '{"roles": {"proposer": {"estimator": "rae"}, "solver": "grpo", "judge": {"estimator": "rae"}}}',
        "--judge",
        "brier",
    ],
}
"""Options beside --isolation auto --external, by the golden file's name."""

_OF_THIS_MACHINE = re.compile(rb'"(fingerprint|isolation)":"[^"]*"')


def kept(text: bytes) -> bytes:
    """Rows of `optgap score` without the fields that vary by build or machine."""
    return _OF_THIS_MACHINE.sub(rb'"\1":"*"', text)


def golden(name: str) -> pathlib.Path:
    return FOLDER / "golden" / f"{name}.jsonl"
