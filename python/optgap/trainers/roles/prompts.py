"""What a judge is asked. All text is ours: of what a model wrote only numbers travel, written anew."""

from __future__ import annotations

import json

RUBRIC = (
    "Give 1 to 3 if it breaks any rule, 4 to 7 if it keeps all rules and is not the best that there is, "
    "8 to 10 if nothing is better."
)


def judge_prompt(question: str, answer: object) -> str:
    """Asks for a score of an answer.

    Args:
        question: The solver's prompt.
        answer: Its values as they were read; None where nothing could be read.
    """
    given = "nothing that can be read" if answer is None else json.dumps(answer, separators=(",", ":"))
    return (
        f"A problem and an answer to it follow. {RUBRIC} Write the score, one integer, between <score> and </score>.\n\n"
        f"Problem:\n{question}\n\nAnswer:\n{given}"
    )


QUESTION_RUBRIC = (
    "Give 1 to 3 if it cannot be posed, for it breaks a rule of its own or was posed before, 4 to 7 if a greedy answer solves "
    "it, 8 to 10 if it is sound and asks for more than greed."
)


def question_prompt(question: str) -> str:
    """Asks for a score of a problem.

    Args:
        question: The solver's prompt.
    """
    return (
        f"A problem follows, which is not to be solved. {QUESTION_RUBRIC} Write the score, one integer, between <score> and "
        f"</score>.\n\nProblem:\n{question}"
    )
