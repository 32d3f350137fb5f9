"""The forms in which an environment may be written, made into the one that a worker calls (protocol.ExternalTask).

| has | is |
|---|---|
| generate(level, seed), verify | what a worker calls |
| generate(rng, difficulty), prompt, and verify or reference, perhaps difficulty | a short class (docs/own_tasks.md) |
| case_generator, prompt_func, verify_score | a class as InternBootcamp's |
"""

from __future__ import annotations

import hashlib
import inspect
import json
import pathlib
import random
import sys
from collections.abc import Mapping
from typing import Any


def in_form(written: Any) -> Any:
    """An environment of any form, as a worker calls it. Raises TypeError, which says what is missing."""
    if hasattr(written, "case_generator"):
        return Bootcamp(written)
    if hasattr(written, "prompt"):
        return Short(written)
    missing = [name for name in ("generate", "verify", "version") if not hasattr(written, name)]
    if missing:
        raise TypeError(f"{type(written).__name__} has no {', no '.join(missing)}, nor a prompt as a short class has")
    return written


class _Wrapped:
    """What both other forms share: the written object says what it is and judges."""

    _needs: tuple[str, ...] = ()

    def __init__(self, written: Any) -> None:
        missing = [name for name in self._needs if not callable(getattr(written, name, None))]
        if missing:
            raise TypeError(f"{type(written).__name__} has no method {', no '.join(missing)}")
        self._own = self.judged_by = written
        self.version = str(getattr(written, "version", None) or _digest(written))
        self.answer_form = str(getattr(written, "answer_form", "..."))
        self.accepts_empty = bool(getattr(written, "accepts_empty", False))
        if isinstance(runs_answers := getattr(written, "runs_answers", None), bool):
            self.runs_answers = runs_answers
        if hasattr(written, "anchors"):
            self.anchors = written.anchors


class Short(_Wrapped):
    """A class with generate(rng, difficulty), prompt(problem), and verify(problem, text) or reference(problem)."""

    _needs = ("generate", "prompt")

    def __init__(self, written: Any) -> None:
        super().__init__(written)
        if not hasattr(written, "verify") and not hasattr(written, "reference"):
            raise TypeError(f"{type(written).__name__} needs verify(problem, text) or reference(problem)")

    def generate(self, level: int, seed: int) -> tuple[Any, str]:
        """Its problem and prompt; without a method difficulty it is handed the level itself."""
        difficulty = self._own.difficulty(level) if hasattr(self._own, "difficulty") else level
        problem = self._own.generate(random.Random(seed), difficulty)
        return problem, self._own.prompt(problem)

    def verify(self, problem: Any, text: str) -> Mapping[str, Any]:
        """True, False, or a number from 0 to 1 that is the quality; or a verdict as every environment's. Without a method
        verify: does the text equal the reference?"""
        if not hasattr(self._own, "verify"):
            return _as_verdict(equals(text, self._own.reference(problem)))
        return _as_verdict(self._own.verify(problem, text))

    def gold(self, problem: Any) -> str | None:
        """Its reference as a model writes it."""
        return text_of(self._own.reference(problem)) if hasattr(self._own, "reference") else None


class Bootcamp(_Wrapped):
    """A class with case_generator(), prompt_func(case) and verify_score(output, case), as InternBootcamp's are."""

    _needs = ("case_generator", "prompt_func", "verify_score")

    def generate(self, level: int, seed: int) -> tuple[Any, str]:
        """A case by the global generators of chance, which it draws from: the only way that it has. Only d0, since its
        parameters are fixed when it is made."""
        if level:
            raise ValueError(
                "a class with case_generator has one level, d0: its parameters are those of its constructor"
            )
        random.seed(seed)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(seed)
        case = self._own.case_generator()
        return case, self._own.prompt_func(case)

    def verify(self, problem: Any, text: str) -> Mapping[str, Any]:
        """Its score, 0 to 1, of the answer as its prompt asks for it. Penalties for short outputs and for a missing
        `</think>` are left out: the row's format and the reward's length penalty say that."""
        known = inspect.signature(self._own.verify_score).parameters
        without = {name: False for name in ("short_penalty", "format_penalty") if name in known}
        return _as_verdict(self._own.verify_score(text, problem, **without))

    def gold(self, problem: Any) -> str | None:
        """A reference, where the class has one for our check: such classes need none."""
        return text_of(self._own.reference(problem)) if hasattr(self._own, "reference") else None


def text_of(answer: Any) -> str:
    """An answer as a model writes it: a text as it is, all else as JSON."""
    return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)


def equals(text: str, answer: Any) -> bool:
    """Texts are compared but for their blanks, fractions by value, all else as JSON: 7 is neither 7.0 nor "7"."""
    if isinstance(answer, str):
        return text.split() == answer.split()
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        return False
    if isinstance(answer, float) and _is_number(given):
        return bool(given == answer)
    return json.dumps(given, sort_keys=True) == json.dumps(answer, sort_keys=True)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _as_verdict(said: Any) -> Mapping[str, Any]:
    if isinstance(said, Mapping):
        return said
    said = said.item() if hasattr(said, "item") else said  # NumPy's
    if isinstance(said, bool):
        return {"reward": 1 if said else -1, "correct": said}
    if not _is_number(said) or not 0 <= said <= 1:
        raise ValueError(f"the verdict is {said!r:.60}, expected True, False, a number from 0 to 1, or a mapping")
    return {"reward": 2 * said - 1}


def _digest(written: Any) -> str:
    """Of the file of its class: problems of two texts of a class never have one key."""
    try:
        source = pathlib.Path(inspect.getfile(type(written))).read_bytes()
    except (OSError, TypeError):
        raise TypeError(f"{type(written).__name__} has no version, and no file that could give it one") from None
    return hashlib.sha256(source).hexdigest()[:8]
