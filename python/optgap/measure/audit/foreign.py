"""Rewards of other projects: a function by its name, and the data sets of reasoning-gym. They run in a worker process."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import inspect
import math
import pathlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...core.errors import misuse
from ..attacks.writing import Writing
from .cases import Ability, Case
from .judging import RIGHT
from .questions import Questions
from .subjects import Failure, Rewarded
from .worker import START, Target, Trouble, Worker

SIGNATURES = ("trl", "trl-chat", "verl")
"""TRL's `f(prompts, completions, **columns)`, the same with completions as lists of messages, and verl's
`f(data_source, solution_str, ground_truth, extra_info)`."""

_ASKED = "answer_only"
"""The format that prompts ask for where a template is none of ours."""

GIVE_UP = 10
"""Calls that hang or end their process before the rest is left out."""


class Function:
    """`module:function`, or `file.py:function`, as the worker holds it."""

    def __init__(self, reference: str, signature: str) -> None:
        self._function = _imported(reference)
        self._taken = set(inspect.signature(self._function).parameters)
        kinds = {one.kind for one in inspect.signature(self._function).parameters.values()}
        self._takes_all = inspect.Parameter.VAR_KEYWORD in kinds
        self._settled = signature != "auto"
        self.signature = signature if self._settled else _signature_of(self._function, self._taken)

    def settle(self, prompt: str, text: str, columns: Mapping[str, Any]) -> str:
        """The signature that is used: a function that fails on texts and not on messages wants messages."""
        if self._settled or self.signature != "trl":
            return self.signature
        for tried in ("trl", "trl-chat"):
            self.signature = tried
            try:
                self.reward_rows(prompt, text, columns)
                return tried
            except Exception:  # noqa: BLE001  the audit's own calls tell it
                continue
        self.signature = "trl"
        return "trl"

    def reward_rows(self, prompt: str, text: str, columns: Mapping[str, Any]) -> Any:
        """What the function returns for one completion."""
        if self.signature == "verl":
            others = {name: value for name, value in columns.items() if name not in ("data_source", "ground_truth")}
            given = {
                "data_source": columns.get("data_source", "audit"),
                "solution_str": text,
                "ground_truth": columns.get("ground_truth", columns.get("answer")),
                "extra_info": others,
            }
            return _score_of(self._called(given))
        completion = [{"role": "assistant", "content": text}] if self.signature == "trl-chat" else text
        asked = [{"role": "user", "content": prompt}] if not isinstance(completion, str) else prompt
        given = {"prompts": [asked], "completions": [completion], **{name: [value] for name, value in columns.items()}}
        found = self._called(given)
        if not hasattr(found, "__len__") or len(found) != 1:
            raise ValueError(f"returned {found!r:.80} for one completion, expected a list of one reward")
        return _score_of(found[0])

    def _called(self, given: Mapping[str, Any]) -> Any:
        kept = {name: value for name, value in given.items() if self._takes_all or name in self._taken}
        found = self._function(**kept)
        return asyncio.run(found) if inspect.iscoroutine(found) else found


def _imported(reference: str) -> Callable[..., Any]:
    module, _, name = reference.rpartition(":")
    if not module:
        raise ValueError(f"{reference!r} is no MODULE:FUNCTION")
    if module.endswith(".py"):
        spec = importlib.util.spec_from_file_location(pathlib.Path(module).stem, module)
        if spec is None or spec.loader is None or not pathlib.Path(module).is_file():
            raise ValueError(f"there is no file {module}")
        loaded = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(loaded)
    else:
        loaded = importlib.import_module(module)
    found = getattr(loaded, name)
    if not callable(found):
        raise ValueError(f"{reference} is no function")
    return found  # type: ignore[no-any-return]


def _signature_of(function: Callable[..., Any], taken: set[str]) -> str:
    if "solution_str" in taken:
        return "verl"
    if "completions" in taken:
        return "trl"
    raise ValueError(
        f"takes {inspect.signature(function)}: neither TRL's completions nor verl's solution_str; "
        "say which with --signature"
    )


def _score_of(found: Any) -> Any:
    """verl's functions may return a dict."""
    if isinstance(found, Mapping):
        found = found.get("score", found.get("reward_score"))
    return found.item() if hasattr(found, "item") else found


class Gym:
    """A data set of reasoning-gym, as the worker holds it. Its own `extract_answer` finds the answer in a completion."""

    def __init__(self, name: str, seed: int, count: int) -> None:
        try:
            import reasoning_gym
        except ImportError:
            raise ValueError("needs reasoning-gym: pip install reasoning-gym") from None
        self._data = reasoning_gym.create_dataset(name, seed=seed, size=count)
        self._rows = [self._data[row] for row in range(count)]
        if any(row["answer"] is None for row in self._rows):
            raise ValueError("has rows without an answer of their own, so nothing is known to be right")
        self._extract = reasoning_gym.utils.extract_answer

    def rows(self) -> list[tuple[str, str]]:
        """Question and gold answer of each row."""
        return [(str(row["question"]), str(row["answer"])) for row in self._rows]

    def reward_rows(self, row: int, text: str, bare: bool) -> Any:
        """`score_answer`, of the text itself or of what is found in it."""
        return self._data.score_answer(text if bare else self._extract(text), self._rows[row])


_Arguments = Callable[[Case, Writing, Questions], tuple[Any, ...]]
"""What the worker's `reward_rows` is given for a case."""


class Foreign:
    """A subject in a worker process. A call that hangs or ends the process costs the rest of its attack."""

    ability = Ability(ours=False, knows_finish=False)

    def __init__(self, name: str, worker: Worker, arguments: _Arguments) -> None:
        self.name = name
        self._worker = worker
        self._arguments = arguments
        self._lost = 0
        self._lost_cells: dict[tuple[str, str], Failure] = {}

    def stop(self) -> None:
        """Ends its process."""
        self._worker.stop()

    def reward_rows(self, cases: Sequence[Case], writing: Writing, questions: Questions) -> list[Rewarded]:
        found: list[Rewarded] = []
        for case in cases:
            cell = (case.template, case.attack.name)
            if self._lost >= GIVE_UP:
                found.append(Failure("not called", f"{GIVE_UP} calls hung or ended their process"))
            elif cell in self._lost_cells:
                found.append(self._lost_cells[cell])
            else:
                found.append(self._rewarded(case, writing, questions))
                last = found[-1]
                if isinstance(last, Failure) and last.kind in ("hung", "died"):
                    self._lost += 1
                    self._lost_cells[cell] = Failure("not called", f"an earlier call of this attack {last.kind}")
        return found

    def _rewarded(self, case: Case, writing: Writing, questions: Questions) -> Rewarded:
        arguments = self._arguments(case, writing, questions)
        first = self._called(arguments)
        if case.attack.name != RIGHT or isinstance(first, Failure):
            return first
        again = self._called(arguments)
        return first if again == first else Failure("unstable", f"two calls with the same text: {first} and {again}")

    def _called(self, arguments: tuple[Any, ...]) -> Rewarded:
        try:
            found = self._worker.call("reward_rows", *arguments)
        except Trouble as trouble:
            return Failure(trouble.kind, trouble.message)
        try:
            reward = float(found) if isinstance(found, (int, float)) else math.nan
        except OverflowError:
            reward = math.inf
        return reward if math.isfinite(reward) else Failure("no number", f"returned {found!r:.80}")


def function(reference: str, signature: str, deadline: float, questions: Questions) -> tuple[Foreign, str]:
    """The subject of a function, and the signature that it is called by."""
    if signature not in ("auto", *SIGNATURES):
        raise misuse("signature", f"is {signature!r}, expected auto, {', '.join(SIGNATURES)}")
    worker = Worker(Target(Function, (reference, signature)), deadline)

    def arguments(case: Case, writing: Writing, questions: Questions) -> tuple[Any, ...]:
        asked = writing.format or _ASKED
        return questions.prompts(asked)[case.question], case.text, questions.columns(asked)[case.question]

    first = questions.prompts(_ASKED)[0], questions.rows[0].answers["right"], questions.columns(_ASKED)[0]
    try:
        taken = str(worker.call("settle", *first, seconds=START))
    except Trouble:  # the audit's own calls tell it
        taken = signature
    worker.target = Target(Function, (reference, taken))
    return Foreign(reference, worker, arguments), taken


def gym(name: str, seed: int, count: int, deadline: float) -> tuple[Foreign, list[dict[str, str]], list[str]]:
    """The subject of a data set of reasoning-gym, its rows' answers by kind, and its prompts. The gold answer of another
    row is a wrong one where the data set itself, given it alone, says so."""
    worker = Worker(Target(Gym, (name, seed, count)), deadline)
    try:
        rows = worker.call("rows", seconds=START)
        answers = [_kinds(worker, row, gold, [other for _, other in rows]) for row, (_, gold) in enumerate(rows)]
    except Trouble as trouble:
        worker.stop()
        raise misuse("env", f"{name}: score_answer {trouble.kind} of a bare answer: {trouble.message}") from None

    def arguments(case: Case, writing: Writing, questions: Questions) -> tuple[Any, ...]:
        return case.question, case.text, writing.place == "bare"

    return Foreign(f"reasoning-gym:{name}", worker, arguments), answers, [question for question, _ in rows]


def _kinds(worker: Worker, row: int, gold: str, others: Sequence[str]) -> dict[str, str]:
    kinds = {"right": gold, "constant": "0", "empty": "[]"}
    worth = worker.call("reward_rows", row, gold, True)
    wrong = next(
        (other for other in others if other != gold and worker.call("reward_rows", row, other, True) < worth), None
    )
    return kinds if wrong is None else {**kinds, "wrong": wrong, "other": wrong}
