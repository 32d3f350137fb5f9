"""Answers that come alone, as the argument of a tool's call: the text in which they are graded."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from optgap.core.errors import misuse
from optgap.core.keys import format_fields
from optgap.environments.episode import Episode
from optgap.environments.rows import problem_row
from optgap.measure.endpoint.messages import answer_part

FORMAT = "answer_only"
"""A call's argument holds no reasoning: a format that requires some would give every answer of a tool the lowest reward."""


def tool_episode(row: str | Mapping[str, Any], **settings: Any) -> Episode:
    """An episode whose texts are answers alone. Rows keep their own format where it asks for no reasoning; others are read
    in `answer_only`.

    Args:
        row, settings: As Episode takes them.

    Raises:
        Error: As Episode; for a `format` that requires a reasoning part.
    """
    asked = settings.get("format")
    if asked is not None and _requires_reasoning(asked):
        raise misuse(
            "format",
            f"{asked!r} requires a reasoning part, which the argument of a tool never has: every answer would earn the "
            f"lowest reward; take {FORMAT}",
        )
    known = problem_row(row)
    if asked is not None:
        settings = {**settings, "force_format": True}
    elif _has_format(known) and _requires_reasoning(known.get("format") or _default(known)):
        alone = {**format_fields("program"), "reasoning": "none"} if "language" in known else FORMAT
        settings = {**settings, "format": alone, "force_format": True}
    return Episode(row, **settings)


def answer_text(episode: Episode, answer: Any) -> str:
    """The text in which an answer is graded: between the marks of the format, a program in its block, a text as it is.

    Args:
        episode: Of tool_episode.
        answer: A text; or what JSON holds, as some models call tools.
    """
    value = answer if isinstance(answer, str) else json.dumps(answer, default=str)
    if not _has_format(episode.row):
        return value
    if "language" in episode.row:
        return value if "```" in value else f"```{episode.row['language']}\n{value}\n```"
    form = episode.options.get("format") if episode.options.get("force_format") else episode.row.get("format")
    fields = format_fields(form or FORMAT)
    marks = fields["answer"]
    return value if marks[0] and marks[0] in value else answer_part(value, fields)


def _has_format(row: Mapping[str, Any]) -> bool:
    """Rows of rubrics and of roles have none."""
    return not {"chain", "rubric", "rubric_key", "role", "proposal"} & row.keys()


def _default(row: Mapping[str, Any]) -> str:
    return "program" if "language" in row else "forge"


def _requires_reasoning(form: Any) -> bool:
    return bool(format_fields(form).get("reasoning") == "required")
