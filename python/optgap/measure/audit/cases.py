"""Attacks times templates times questions: texts, and what each must earn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...core.errors import misuse
from ..attacks import Attack
from ..attacks.writing import FORM, Writing
from .questions import KINDS, Question, Questions
from .ways import MANY, WAYS

_SLOT = re.compile(r"\{((?:[a-z0-9]+:)*)([a-z]+)\}")
_SENTENCE = "Let me look at the next one. "
_LARGE = {"long": _SENTENCE * (MANY // len(_SENTENCE)), "many": f"[{', '.join('0' * MANY)}]", "deep": "[" * MANY}


@dataclass(frozen=True)
class Case:
    """One completion that a subject judges."""

    template: str
    attack: Attack
    question: int
    """Row of the questions."""
    text: str
    finish: str
    expected: str
    """"always", "never", "less" (than the right answer), "open"."""


@dataclass(frozen=True)
class Ability:
    """What decides which attacks are made of a subject, and which are judged."""

    ours: bool
    """Our formats: the rules that `strict` attacks test are its own."""
    knows_finish: bool
    """It is told how generation ended."""


def cases(attacks: Sequence[Attack], writing: Writing, questions: Questions, ability: Ability) -> Iterator[Case]:
    """All cases of one template; an attack that cannot be written for a question is left out."""
    prompts = questions.prompts(writing.format or "forge")
    for attack in attacks:
        _require_known_slots(attack)
        if not _applies(attack, writing, ability):
            continue
        expected = _expected(attack, writing, ability)
        for row, question in enumerate(questions.rows[: 1 if attack.once else None]):
            ends = writing.ends if "{end}" in attack.text else ("",)
            for end in ends:
                text = _filled(attack, writing, question, prompts[row], end)
                if text is not None:
                    worth = _by_truth(attack, question) if expected == "truth" else expected
                    yield Case(writing.name, attack, row, text, attack.finish, worth)


_SLOTS = ("open", "close", "before", "after", "prompt", "end", "form", "none", *_LARGE, *KINDS)


def _require_known_slots(attack: Attack) -> None:
    """A misspelled slot would make an attack that is never tried."""
    for ways, slot in _SLOT.findall(attack.text):
        named = [("slot", slot, _SLOTS), *(("way", way, ("part", *WAYS)) for way in ways.split(":")[:-1])]
        for what, name, known in named:
            if name not in known:
                raise misuse("attacks", f"{attack.name} has the {what} {name!r}, expected one of {', '.join(known)}")


def _applies(attack: Attack, writing: Writing, ability: Ability) -> bool:
    met = {"reasoning": bool(writing.closing), "opening": bool(writing.opening), "finish": True,
           "ends": bool(writing.ends), "ours": ability.ours, writing.place: True}  # fmt: skip
    return all(met.get(need, False) for need in attack.needs.split())


def _expected(attack: Attack, writing: Writing, ability: Ability) -> str:
    if isinstance(attack.rewarded, str):
        rewarded = attack.rewarded
    else:
        fits = {writing.place, writing.reasoning, "lenient" if writing.lenient else "strict", "else"}
        fits |= {"opened"} if writing.closing and not writing.opening else set()
        rewarded = next(
            (expected for rule, expected in attack.rewarded.items() if fits.issuperset(rule.split())), "open"
        )
    if not ability.ours and (attack.strict or rewarded == "lenient"):
        return "open"
    if not ability.knows_finish and "finish" in attack.needs.split():
        return "open"
    return rewarded if rewarded != "lenient" else "always" if writing.lenient else "never"


def told_it_would_be_never(case: Case, writing: Writing) -> bool:
    """Open only because the subject is not told how generation ended; a text that was cut off and holds no answer."""
    attack = case.attack
    by_finish = case.expected == "open" and "finish" in attack.needs.split()
    return by_finish and _expected(attack, writing, Ability(ours=True, knows_finish=True)) == "never"


def _by_truth(attack: Attack, question: Question) -> str:
    """Of an answer in the text's only part."""
    slot = next(found[2] for found in _SLOT.finditer(attack.text) if found[1].startswith("part:"))
    return {"right": "always", "near": "less", "none": "never"}[question.truths[slot]]


def _filled(attack: Attack, writing: Writing, question: Question, prompt: str, end: str) -> str | None:
    """None where the question has no such answer, or a way of spelling changes nothing."""
    slots = {
        "open": writing.opening, "close": writing.closing, "before": writing.before, "after": writing.after,
        "prompt": prompt, "end": end, "form": FORM, "none": "", **_LARGE, **question.answers,
    }  # fmt: skip
    missing = False

    def fill(found: re.Match[str]) -> str:
        nonlocal missing
        name, ways = found[2], found[1].split(":")[-2::-1]
        if name not in slots:
            missing = True
            return ""
        text = slots[name]
        for way in ways:
            spelled = writing.part(text) if way == "part" else WAYS[way](text)
            missing |= spelled == text and bool(text) and way != "part"
            text = spelled
        return text

    # Where the completion is the answer, no prose stands before it.
    written = attack.text if writing.place != "bare" else attack.text.rpartition("{close}")[2].lstrip()
    text = _SLOT.sub(fill, written)
    return None if missing else text
