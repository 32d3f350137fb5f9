"""Prompts of the roles on free text, as templates that a user may replace; seed questions, as files have them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

from ...core.errors import misuse
from ...core.files.reading import questions_of

_FIELD = re.compile(r"\{(question|answer|reference)\}")

_PLACES = {
    "propose": (), "propose_from": ("question",), "solve": ("question",), "judge_question": ("question",),
    "judge_answer": ("question", "answer"), "judge_answer_by_reference": ("question", "answer", "reference"),
}  # fmt: skip
"""What stands in braces in each template; nothing else is replaced."""


@dataclass(frozen=True)
class TextPrompts:
    """Templates. `{question}`, `{answer}` and `{reference}` are replaced, once: what they hold is not read for others."""

    propose: str = (
        "Write one new question that is clear, solvable and hard, between <question> and </question>. Do not answer it."
    )
    propose_from: str = (
        "A question to start from:\n{question}\n\nWrite one new question that is clear, solvable and harder, between "
        "<question> and </question>. Do not answer it."
    )
    solve: str = "{question}\n\nWrite the final answer between <answer> and </answer>."
    judge_question: str = (
        "Score the question from 1 to 10: 1 to 3 where it cannot be solved, 4 to 7 where it is ambiguous, 8 to 10 where it is "
        "clear. Write the score, one integer, between <score> and </score>.\n\nQuestion:\n{question}"
    )
    judge_answer: str = (
        "Score the answer from 1 to 10: 1 to 3 with any error, 4 to 7 with omissions, 8 to 10 where it is flawless. Write the "
        "score, one integer, between <score> and </score>.\n\nQuestion:\n{question}\n\nAnswer:\n{answer}"
    )
    judge_answer_by_reference: str = (
        "Score the answer from 1 to 10 by the reference: 1 to 3 with any error, 4 to 7 with omissions, 8 to 10 where it is "
        "flawless. Write the score, one integer, between <score> and </score>.\n\nQuestion:\n{question}\n\nReference:\n"
        "{reference}\n\nAnswer:\n{answer}"
    )

    def __post_init__(self) -> None:
        for name, template in asdict(self).items():
            if not isinstance(template, str) or not template.strip():
                raise misuse("prompts", f"{name} is {template!r}, expected a text")
            if set(_FIELD.findall(template)) != set(_PLACES[name]):
                wanted = ", ".join(f"{{{place}}}" for place in _PLACES[name]) or "nothing in braces"
                raise misuse(
                    "prompts", f"{name} must have {wanted} and no other of {{question}}, {{answer}}, {{reference}}"
                )

    @classmethod
    def of(cls, templates: TextPrompts | Mapping[str, str] | str | os.PathLike[str] | None) -> TextPrompts:
        """The templates that are given, by name or as a file of one JSON object; the others are the usual ones."""
        if templates is None or isinstance(templates, TextPrompts):
            return templates or cls()
        if not isinstance(templates, Mapping):
            with open(templates, encoding="utf-8") as file:
                try:
                    templates = json.load(file)
                except ValueError as broken:
                    raise misuse("prompts", f"{file.name} is no JSON: {broken}") from None
        if not isinstance(templates, Mapping):
            raise misuse("prompts", "expected an object of templates")
        known = {one.name for one in fields(cls)}
        for name in templates:
            if name not in known:
                raise misuse("prompts", f"{name!r} is none of {', '.join(sorted(known))}")
        return cls(**templates)

    def filled(self, name: str, **values: str) -> str:
        """A template with its places filled."""
        return _FIELD.sub(lambda place: values[place[1]], getattr(self, name))


def read_questions(path: str | os.PathLike[str]) -> tuple[list[str], list[str]]:
    """Questions and references of a file of JSON lines, as GSM8K has them: `question`, and `reference` or `answer` where one is
    known ("" for none). Error for a line without a question."""
    try:
        return questions_of(path)
    except ValueError as wrong:
        raise misuse("questions", str(wrong)) from None
