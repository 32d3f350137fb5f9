"""What an adapter must know of a reward before it scores, of every spec in it: a rule may have one per task
(docs/rewards.md)."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from typing import Any

Rules = str | Mapping[str, Any]


def spec_text(spec: Rules) -> str:
    """A reward's or an estimator's spec as the library reads it: a name, or JSON of a mapping."""
    return spec if isinstance(spec, str) else json.dumps(dict(spec), default=_plain)


def _plain(value: Any) -> Any:
    """Containers of configuration libraries as JSON has them."""
    return dict(value) if isinstance(value, Mapping) else list(value)


def specs(reward: Rules) -> tuple[dict[str, Any], ...]:
    """Every spec that some task may have under this reward, as a mapping. Text that is neither name nor JSON is left to
    the library, which says what is wrong with it."""
    return tuple(dict(spec) for spec in _specs(spec_text(reward)))


def excludes_truncated(reward: Rules) -> bool:
    """Whether the reward may leave a row without one. Most trainers have no place for that."""
    return any(spec.get("truncated") == "exclude" for spec in _specs(spec_text(reward)))


def reads_truncation(reward: Rules) -> bool:
    """Whether the reward depends on how a rollout ended, beside its text."""
    return any(spec.get("truncated", "penalise") != "penalise" for spec in _specs(spec_text(reward)))


def reads_lengths(reward: Rules) -> bool:
    """Whether some spec has a length penalty, which needs the tokens of every rollout."""
    return any("length" in spec for spec in _specs(spec_text(reward)))


def before_length(score: Any, penalty: Any, reward: Rules) -> Any:
    """Rewards before the length penalty, of two columns of float64. Under a penalty they are multiples of 1/4096, so that
    rewards which differ by length alone are equal whatever was rounded on the way; a row without a reward stays NaN."""
    import numpy as np

    value = score - penalty
    return np.rint(value * 4096) / 4096 if reads_lengths(reward) else value


def with_length(reward: Rules, length: Mapping[str, Any]) -> str:
    """The same reward with this length penalty in every spec."""

    def added(spec: Any) -> Any:
        if spec == "recommended":
            raise _refused(
                "'recommended' is the task's own, which has none: name the shape to give it a length penalty"
            )
        return {**(spec if isinstance(spec, Mapping) else {"shape": spec}), "length": dict(length)}

    text = spec_text(reward)
    known = json.loads(text) if text.lstrip().startswith("{") else text
    if not _is_rule(known):
        return json.dumps(added(known))
    named = {name: added(spec) for name, spec in known.get("tasks", {}).items()}
    return json.dumps({"default": added(known.get("default", "forge")), **({"tasks": named} if named else {})})


def _refused(rule: str) -> Exception:
    from optgap.core.errors import Error

    return Error(f"length: {rule}", "invalid_argument", "length", rule)


def _is_rule(known: Any) -> bool:
    return isinstance(known, Mapping) and ("default" in known or "tasks" in known)


@functools.lru_cache(maxsize=256)
def _specs(reward: str) -> tuple[Mapping[str, Any], ...]:
    if reward == "recommended":
        from optgap.core.keys import tasks

        return tuple(spec for text in {task.reward for task in tasks()} for spec in _specs(text))
    if not reward.lstrip().startswith("{"):
        return ({"shape": reward},)
    known = json.loads(reward)
    if not _is_rule(known):
        return (known,)
    parts = [known.get("default", "forge"), *dict(known.get("tasks") or {}).values()]
    return tuple(spec for part in parts for spec in _specs(spec_text(part)))
