"""What an arm costs: prompts, rollouts, tokens, optgap's core-seconds. Arithmetic; every input is named with its source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..core.errors import misuse
from . import costs
from .recipe import Arm

ASSUMED = {
    "kept_share": (0.5, "half of the groups pass the filter"),
    "trace_tokens": (8192.0, "a thinking model's answer, two fifths of the limit"),
}
"""Inputs that are no settings: what is taken, and why."""
LEVELS = ("easy", "medium", "hard")


@dataclass(frozen=True)
class Call:
    """Who writes in one stage, and how much, over the whole stage."""

    stage: str
    who: str
    prompts: float
    rollouts: float
    prompt_tokens: tuple[float, float]
    """Expected, and at most. Each rollout counts its prompt; with a prefix cache decoding reads it once a prompt."""
    response_tokens: tuple[float, float]


@dataclass
class Price:
    """Of one arm."""

    recipe: str
    arm: str
    inputs: list[tuple[str, Any, str]] = field(default_factory=list)
    """Name, value, source."""
    calls: list[Call] = field(default_factory=list)
    core_seconds: dict[str, float] = field(default_factory=dict)
    """"generate", "prove" and "score" of optgap, or "verify" of what is not optgap's."""
    core_source: str = ""
    trained_tokens: float = 0.0
    """Expected tokens of all updates."""
    petaflop: float = 0.0
    """10^15 operations: 6 a parameter and trained token, 2 a parameter and token read or written while decoding."""
    decode_hours: float | None = None
    """Of the expected response tokens at the rate that was given."""
    stated_gpu_hours: tuple[float, float] | None = None
    """As the paper has them, or as its seconds a step give."""
    core_share: tuple[float, float] | None = None
    """Core-seconds over the stated wall time: of one core; least and most."""

    @property
    def rollouts(self) -> float:
        return sum(call.rollouts for call in self.calls)

    def record(self) -> dict[str, Any]:
        """The same as JSON's values."""
        return {
            "recipe": self.recipe,
            "arm": self.arm,
            "inputs": [{"name": name, "value": value, "source": source} for name, value, source in self.inputs],
            "calls": [
                {"stage": call.stage, "who": call.who, "prompts": call.prompts, "rollouts": call.rollouts,
                 "prompt_tokens": {"expected": call.prompt_tokens[0], "most": call.prompt_tokens[1]},
                 "response_tokens": {"expected": call.response_tokens[0], "most": call.response_tokens[1]}}
                for call in self.calls
            ],
            "core_seconds": self.core_seconds,
            "core_source": self.core_source,
            "trained_tokens": self.trained_tokens,
            "petaflop": self.petaflop,
            "decode_hours": self.decode_hours,
            "stated_gpu_hours": self.stated_gpu_hours,
            "core_share": self.core_share,
        }  # fmt: skip


class _Inputs:
    """Numbers of an arm, what is assumed in their place, and a record of what was read."""

    def __init__(self, arm: Arm, given: Mapping[str, float]) -> None:
        self._arm, self._given = arm, given
        self.read: dict[str, tuple[float, str]] = {}

    def has(self, name: str) -> bool:
        return name in self._given or self._arm.used(name) is not None

    def number(self, name: str) -> float:
        setting = self._arm[name]
        if name in self._given:
            self.read[name] = (self._given[name], "given")
        elif name in ASSUMED:
            self.read[name] = (ASSUMED[name][0], f"assumed: {ASSUMED[name][1]}")
        elif setting.value is not None:
            self.read[name] = (setting.value, setting.source)
        elif setting.chosen is not None:
            self.read[name] = (setting.chosen, f"assumed: {setting.why}")
        else:
            raise misuse("assume", f"{self._arm.recipe} {self._arm.name} states no {name}: give {name}=NUMBER")
        return self.read[name][0]


def price(
    arm: Arm,
    *,
    assume: Mapping[str, float] | None = None,
    billions: float | None = None,
    tokens_per_second: float | None = None,
    measure: bool = False,
) -> Price:
    """The price of an arm.

    Args:
        assume: Numbers in place of those stated or assumed, by setting or name of ASSUMED. One that the arm does not read is
            refused.
        billions: Parameters, 10^9; None takes the recipe's.
        tokens_per_second: What the hardware decodes, all of it together; None gives no hours.
        measure: optgap's costs by a measurement of some seconds here; False takes those of the documentation.

    Raises:
        Error: An assumption is unknown or below 0, or the arm states neither a number nor what is assumed in its place.
    """
    given = dict(assume or {})
    if billions is not None:
        given["billions"] = billions
    for name, number in given.items():
        if not number >= 0:
            raise misuse("assume", f"{name} is {number}, expected 0 or more")
    inputs = _Inputs(arm, given)
    found = Price(arm.recipe, arm.name)
    stages = {"teacher": _teacher, "sft": _sft, "dpo": _dpo, "rl": _rl}
    for stage in arm.stages:
        if stage in stages:
            stages[stage](arm, inputs, found)
    if found.calls or found.trained_tokens:
        _operations(inputs, found)
        _own_costs(arm, inputs, found, measure)
        _hardware(arm, inputs, found)
    if tokens_per_second is not None:
        if tokens_per_second <= 0:
            raise misuse("tokens_per_second", f"is {tokens_per_second}, expected more than 0")
        found.decode_hours = sum(call.response_tokens[0] for call in found.calls) / tokens_per_second / 3600
    for name in given:
        if name not in inputs.read:
            raise misuse(
                "assume", f"{name} has no effect on {arm.recipe} {arm.name}, which reads {', '.join(inputs.read)}"
            )
    found.inputs = [(name, value, source) for name, (value, source) in inputs.read.items()]
    return found


def _rl(arm: Arm, inputs: _Inputs, found: Price) -> None:
    steps, batch = inputs.number("steps"), inputs.number("batch")
    if inputs.has("answers_per_question"):
        _roles(steps, batch, inputs, found)
        return
    group = inputs.number("group")
    asked, most = batch, batch
    if inputs.has("oversampled"):
        most = inputs.number("oversampled")
        asked = min(batch / inputs.number("kept_share"), most)
    found.calls.append(_call("rl", "policy", steps * asked, steps * most, group, inputs))
    tokens = inputs.number("mean_prompt_tokens") + inputs.number("mean_response_tokens")
    found.trained_tokens += steps * batch * group * tokens


def _roles(steps: float, batch: float, inputs: _Inputs, found: Price) -> None:
    """Each role writes a batch that trains; a question's difficulty takes further answers, each of them judged."""
    answers, judged = inputs.number("answers_per_question"), inputs.number("judgements_per_answer")
    group = inputs.number("group")
    for who, each in (("proposer", 1), ("solver, for difficulty", answers), ("judge of those", answers * judged),
                      ("judge of questions", 1), ("solver", 1), ("judge", 1)):  # fmt: skip
        prompts = steps * batch * each
        found.calls.append(_call("rl", who, prompts, prompts, group, inputs))
    tokens = inputs.number("mean_prompt_tokens") + inputs.number("mean_response_tokens")
    found.trained_tokens += 3 * steps * batch * group * tokens


def _teacher(arm: Arm, inputs: _Inputs, found: Price) -> None:
    asked = inputs.number("sft_rows") * inputs.number("teacher_samples")
    limit = inputs.number("sft_tokens")
    mean = min(inputs.number("trace_tokens"), limit)
    read = inputs.number("mean_prompt_tokens"), inputs.number("prompt_tokens")
    found.calls.append(
        Call("teacher", "teacher", asked, asked, (asked * read[0], asked * read[1]), (asked * mean, asked * limit))
    )  # fmt: skip


def _sft(arm: Arm, inputs: _Inputs, found: Price) -> None:
    rows, epochs = inputs.number("sft_rows"), inputs.number("sft_epochs")
    prompt = inputs.number("mean_prompt_tokens")
    answer = inputs.number("trace_tokens") if "teacher" in arm.stages else inputs.number("mean_response_tokens")
    found.trained_tokens += rows * epochs * (prompt + answer)


def _dpo(arm: Arm, inputs: _Inputs, found: Price) -> None:
    """The policy answers each prompt several times, and trains on two of the answers."""
    prompts, answers = inputs.number("instances"), inputs.number("dpo_answers")
    found.calls.append(_call("dpo", "policy", prompts, prompts, answers, inputs))
    tokens = inputs.number("mean_prompt_tokens") + inputs.number("mean_response_tokens")
    found.trained_tokens += prompts * inputs.number("epochs") * 2 * tokens


def _call(stage: str, who: str, prompts: float, most: float, group: float, inputs: _Inputs) -> Call:
    return Call(
        stage, who, prompts, prompts * group,
        (prompts * group * inputs.number("mean_prompt_tokens"), most * group * inputs.number("prompt_tokens")),
        (prompts * group * inputs.number("mean_response_tokens"), most * group * inputs.number("response_tokens")),
    )  # fmt: skip


def _operations(inputs: _Inputs, found: Price) -> None:
    parameters = inputs.number("billions") * 1e9
    # A teacher is another model.
    decoded = sum(call.prompt_tokens[0] + call.response_tokens[0] for call in found.calls if call.stage != "teacher")
    found.petaflop = parameters * (6 * found.trained_tokens + 2 * decoded) / 1e15


def _own_costs(arm: Arm, inputs: _Inputs, found: Price, measure: bool) -> None:
    tasks = arm.used("tasks", [])
    prompts = sum(call.prompts for call in found.calls)
    if costs.is_ours(tasks):
        own = costs.measured(tasks, LEVELS) if measure else costs.published(tasks)
        if own is None:
            found.core_source = "the documentation has no figures for some of these tasks: take --measure"
            return
        found.core_seconds = {
            "generate": prompts * own.generate,
            "prove": prompts * own.prove,
            "score": found.rollouts * own.score,
        }
        found.core_source = own.source
        return
    if not tasks and not measure:
        found.core_source = "other data, which optgap does not check"
    if measure:
        raise misuse("measure", f"has no effect: the tasks of {arm.recipe} {arm.name} are none of optgap's")
    if inputs.has("program_seconds"):
        instances, mean = inputs.number("instances_per_prompt"), inputs.number("mean_program_seconds")
        each = min(mean, inputs.number("program_seconds"))
        found.core_seconds = {"verify": found.rollouts * instances * each}
        found.core_source = "programs on hidden instances, the assumed time each; optgap does not run them"
    elif inputs.has("verifier_ms") and found.calls:
        found.core_seconds = {"verify": found.rollouts * inputs.number("verifier_ms") / 1e3}
        found.core_source = "the assumed time of a check that is not optgap's"


def _hardware(arm: Arm, inputs: _Inputs, found: Price) -> None:
    gpu_hours = arm.used("gpu_hours")
    if gpu_hours is not None:
        found.stated_gpu_hours = (gpu_hours[0], gpu_hours[1])
    elif inputs.has("step_seconds") and inputs.has("steps") and any(call.stage == "rl" for call in found.calls):
        hours = inputs.number("steps") * inputs.number("step_seconds") / 3600 * inputs.number("gpus")
        found.stated_gpu_hours = (hours, hours)
    if found.stated_gpu_hours is not None and found.core_seconds:
        walls = [hours * 3600 / inputs.number("gpus") for hours in found.stated_gpu_hours]
        spent = sum(found.core_seconds.values())
        found.core_share = (spent / walls[1], spent / walls[0])
