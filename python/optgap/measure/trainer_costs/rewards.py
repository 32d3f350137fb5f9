"""What `optgap bench trainer` measures: one training step's texts, and reward functions that read them.

A reward function is taken as trainers take one: the whole batch in a call ("batch"), sample by sample ("sync"), or
sample by sample on an event loop ("async").
"""

from __future__ import annotations

import importlib
import json
import pathlib
import random
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from unittest.mock import MagicMock

import numpy as np

from ...core.engine import Engine
from ...core.results import Baselines, Instances

THOUGHTS = (
    "Let me try another order and compare the totals. ",
    "With this one first the sum is larger, so that is no better. ",
    "Is any element there twice? No. The cost falls, since 17 < 25 and 25 < 31. ",
    "The best so far is [3, 7, 1, 12], but (4, 9) may improve it.\n",
    "That leaves a difference of -4; a<b and c<d are close.\n\n",
)


class Outcome(NamedTuple):
    """What is said of one text; None where a function does not say it."""

    reward: float
    format: bool | None = None
    feasible: bool | None = None
    violation: int | None = None
    objective: int | None = None

    def agrees(self, other: Outcome) -> bool:
        return all(mine is None or its is None or mine == its for mine, its in zip(self, other))


@dataclass(frozen=True)
class Function:
    """One reward function. `truths(step, rows)` makes what belongs to rows of the texts, new for every step, as a
    trainer's prompts are; `call` takes texts and truths, or one of each; `read` turns all it returned into outcomes."""

    name: str
    way: str
    texts: Sequence[str]
    truths: Callable[[int, Sequence[int]], Sequence[Any]]
    call: Callable[[Any, Any], Any]
    read: Callable[[Any], list[Outcome]]
    role: str = "compared"
    """"property": its verdicts are the reference; "compared": they must equal the property's; "other": they are about something
    else."""


class Absent(NamedTuple):
    """A row without numbers."""

    name: str
    reason: str


@dataclass(frozen=True)
class Step:
    """`group` completions in consecutive rows for each instance, ASCII, of about equal size."""

    instances: Instances
    baselines: Baselines
    group: int
    texts: list[str]


def make_step(engine: Engine, level: str, groups: int, group: int, size: int) -> Step:
    """Instances of all tasks in turn; answers as a model in training writes them: the best, those of a noisy greedy
    policy, disturbed ones, and two of sixteen that break the format. `size` in bytes."""
    per_task = -(-groups // len(engine.tasks))
    made = engine.generate("all", level, per_task)
    made = made[[task * per_task + seed for seed in range(per_task) for task in range(len(engine.tasks))][:groups]]
    solved = engine.solve(made)
    noisy = engine.noisy_greedy(made, group).tolist()
    draw = random.Random(0)
    texts = []
    for row, best in enumerate(solved.answers.tolist() if solved.answers is not None else []):
        for k in range(group):
            answer = noisy[row * group + k] if k % 2 else _disturbed(best, k // 2, draw)
            text = completion(json.dumps(answer), size, draw)
            if k % 16 == 6:
                text = text.replace("</think>", "", 1)
            elif k % 16 == 9:
                text += "\nThat is all."
            texts.append(text)
    return Step(made, solved, group, texts)


def completion(answer: str, size: int, draw: random.Random) -> str:
    """About `size` bytes of reasoning and the answer, in the format forge; some reasoning beside any answer."""
    parts, room = [], max(size - len(answer) - 40, 1)
    while room > 0:
        parts.append(draw.choice(THOUGHTS)[:room])
        room -= len(parts[-1])
    return f"<think>\n{''.join(parts)}\n</think>\n\n<answer>{answer}</answer>"


def _disturbed(answer: Any, times: int, draw: random.Random) -> Any:
    """Near misses: values swapped, copied or raised by one."""
    rows = [list(row) if isinstance(row, list) else [row] for row in answer]
    places = [(row, at) for row, values in enumerate(rows) for at in range(len(values))]
    for _ in range(times if places else 0):
        (row, at), (other, place) = draw.choice(places), draw.choice(places)
        kind = draw.randrange(3)
        if kind == 0:
            rows[row][at], rows[other][place] = rows[other][place], rows[row][at]
        elif kind == 1:
            rows[row][at] = rows[other][place]
        else:
            rows[row][at] += 1
    return rows if answer and isinstance(answer[0], list) else [value for (value,) in rows]


def functions(step: Step, threads: int | None, oracle: pathlib.Path | None) -> list[Function | Absent]:
    """Rows of the table, in order. `oracle`: the folder tests/oracle of a checkout, None where there is none."""
    found: list[Function | Absent] = [*_ours(step, threads)]
    name = "plain Python verifier, per sample"
    found.append(_oracle(name, step, oracle) if oracle else Absent(name, "no tests/oracle here; see --oracle"))
    found += [_neighbour(task, step) for task in NEIGHBOURS]
    for way, call in (("sync", _nothing), ("async", _nothing_async)):
        found.append(Function(f"harness alone, {way}", way, step.texts, lambda _, rows: rows, call, _rewards, "other"))
    return found


def _nothing(text: str, truth: Any) -> float:
    return 0.0


async def _nothing_async(text: str, truth: Any) -> float:
    return 0.0


def _rewards(results: Any) -> list[Outcome]:
    return [Outcome(reward) for reward in results]


def _ours(step: Step, threads: int | None) -> list[Function]:
    from optgap.trainers.common import evaluation
    from optgap.trainers.common.ground_truth import configure
    from optgap.trainers.verl import reward as verl

    from ...data.dataset import ground_truth

    configure("cpu", threads)
    engine = Engine("cpu", threads)
    tasks = [f"optgap/{engine.tasks[task].name}/x" for task in step.instances.task]
    fixed = [ground_truth(*pair, "forge") for pair in zip(step.instances.keys, step.baselines.records())]

    def truths(number: int, rows: Sequence[int]) -> list[tuple[str, str]]:
        """(data source, ground truth): a new object per row, a text unknown to the process per group and step."""
        groups = [row // step.group for row in rows]
        return [(tasks[group], f'{fixed[group][:-1]}, "step": {number}}}') for group in groups]

    def batch(texts: Sequence[str], known: Sequence[Any]) -> Any:
        return evaluation.evaluate(texts, [truth for _, truth in known])

    async def one_async(text: str, known: tuple[str, str]) -> Any:
        return await verl.compute_score_async(known[0], text, known[1])

    def score(texts: Sequence[str], rows: Sequence[int]) -> Any:
        return engine.score(step.instances, texts, step.baselines, instance_of=np.asarray(rows, np.int32))

    def score_outcomes(found: Any) -> list[Outcome]:
        columns = (found.reward, found.format, found.feasible, found.violation)
        objective = [value if ok else None for value, ok in zip(found.objective.tolist(), found.feasible.tolist())]
        return [Outcome(*row) for row in zip(*(column.tolist() for column in columns), objective)]

    def row_outcomes(rows: Any) -> list[Outcome]:
        return [Outcome(row["score"], *(row[key] for key in ("format", "feasible", "violation"))) for row in rows]

    def groups_of(number: int, rows: Sequence[int]) -> list[int]:
        return [row // step.group for row in rows]

    texts = step.texts
    return [
        Function("optgap, Engine.score", "batch", texts, groups_of, score, score_outcomes),
        Function("optgap, adapters' batch", "batch", texts, truths, batch, lambda found: row_outcomes(found.rows)),
        Function("optgap, verl async per sample", "async", texts, truths, one_async, row_outcomes),
        Function("optgap, verl sync per sample", "sync", texts, truths,
                 lambda text, known: verl.compute_score(known[0], text, known[1]), row_outcomes),
    ]  # fmt: skip


def _oracle(name: str, step: Step, folder: pathlib.Path) -> Function:
    """The rules of all tasks in plain Python, which share no code with the engine. Instances and baselines are given as
    dicts: nothing but text, verdict and reward is on its bill."""
    sys.path.insert(0, str(folder))
    # Its modules import solvers, too, which verdicts do not use.
    for solver in ("highspy", "igraph", "networkx", "ortools", "ortools.sat", "ortools.sat.python"):
        sys.modules.setdefault(solver, MagicMock())
    answers, mutate, verdict = (importlib.import_module(module) for module in ("answers", "mutate", "verdict"))
    tags = re.compile(r"\s*<think>(.*?)</think>\s*<answer>(.*?)</answer>\s*", re.DOTALL)
    names = [task.name for task in Engine("cpu", 1).tasks]
    modules = [answers.MODULES[names[task]] for task in step.instances.task]
    instances = [json.loads(text) for text in step.instances.json]
    baselines = [{"status": status, **record}
                 for status, record in zip(step.baselines.statuses, step.baselines.records())]  # fmt: skip

    def truths(number: int, rows: Sequence[int]) -> list[Any]:
        groups = [row // step.group for row in rows]
        return [(modules[group], instances[group], baselines[group]) for group in groups]

    def judge(text: str, truth: Any) -> Outcome:
        module, instance, baseline = truth
        found = tags.fullmatch(text)
        if found is None:
            return Outcome(answers.reward_of(None, baseline, module.MAXIMISE, False), False)
        try:
            answer = mutate.meaning(json.loads(found[2]))
        except ValueError:
            answer = verdict.Broken("unparsable")
        said = answers.expected(module, instance, answer)
        worthless = said.feasible and module.MAXIMISE and said.objective <= 0
        if worthless and baseline["objective"] > 0:
            said = verdict.Verdict("nothing of value", -1, None, None, said.violation_max)
        reward = answers.reward_of(said, baseline, module.MAXIMISE, True)
        return Outcome(reward, True, said.feasible, said.violation, said.objective)

    return Function(name, "sync", step.texts, truths, judge, list, "law")


def _recoloured(entry: Any) -> str:
    colours = {**entry["metadata"]["possible_answer"]}
    first, second = entry["metadata"]["puzzle"]["edges"][0]
    return json.dumps({**colours, first: colours[second]})


NEIGHBOURS: dict[str, tuple[dict[str, Any], Callable[[Any], str], Callable[[Any], str]]] = {
    "graph_color": (
        {"min_num_vertices": 32, "max_num_vertices": 40, "edge_probability": 0.43, "num_colors": 12},
        lambda entry: json.dumps(entry["metadata"]["possible_answer"]),
        _recoloured,
    ),
    "shortest_path": ({}, lambda entry: entry["answer"], lambda entry: entry["answer"] + " up"),
    "countdown": (
        {},
        lambda entry: entry["metadata"]["expression"],
        lambda entry: entry["metadata"]["expression"] + "+1",
    ),
}
"""reasoning-gym's tasks nearest to ours (it has no NP-hard optimisation): colouring in its decision form at the size of
our benchmark level; a shortest way in a grid for tours; numbers that must reach a target for subset sums, both at its
own sizes. Settings, and a right and a wrong answer to an entry."""


def _neighbour(task: str, step: Step) -> Function | Absent:
    name = f"reasoning-gym, {task}, per sample"
    try:
        gym = importlib.import_module("reasoning_gym")
        extract = importlib.import_module("reasoning_gym.utils").extract_answer
    except ImportError:
        return Absent(name, "not installed (pip install reasoning-gym)")
    settings, right, wrong = NEIGHBOURS[task]
    data = gym.create_dataset(task, size=len(step.instances), seed=1, **settings)
    entries = [data[index] for index in range(len(step.instances))]
    draw, size = random.Random(1), len(step.texts[0])
    answers = [(wrong if k % 2 else right)(entry) for entry in entries for k in range(step.group)]
    texts = [completion(answer, size, draw) for answer in answers]

    def judge(text: str, entry: Any) -> Any:
        return data.score_answer(extract(text), entry=entry)

    for row in range(0, len(texts), step.group):
        rewarded, unrewarded = (judge(texts[row + k], entries[row // step.group]) for k in (0, 1))
        if rewarded != 1 or unrewarded == 1:
            return Absent(
                name, f"entry {row // step.group}: rewards {rewarded} for its own answer, {unrewarded} for a wrong one"
            )

    def truths(number: int, rows: Sequence[int]) -> list[Any]:
        return [entries[row // step.group] for row in rows]

    return Function(name, "sync", texts, truths, judge, _rewards, "other")
