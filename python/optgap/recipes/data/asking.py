"""A file's prompts, answered by a server."""

from __future__ import annotations

import json
import os
from typing import Any

from ...core.files.reading import rows_of
from ...core.files.run_folder import replacing
from ...measure.endpoint import Endpoint, RequestFailed
from .reading import messages_of


def ask(
    source: str | os.PathLike[str], out: str | os.PathLike[str], endpoint: Endpoint, *, samples: int = 1, first: int = 0,
    count: int | None = None, **fields: Any,
) -> int:  # fmt: skip
    """Writes each row `samples` times with its `completion` and `finish`; how many rows there are. A request that failed for good
    is an error: half of a group says nothing.

    Args:
        source: JSONL of rows with `prompt` (or `input`, or a rubric's), a text or messages.
        out: JSONL; it appears when it is whole.
        endpoint: Open; the caller closes it.
        samples: Answers to each prompt.
        first, count: Rows that are left out at the beginning, and the most that are asked; None: all.
        fields: Of every request's body.
    """
    rows = list(rows_of(source))[first:][:count]
    asked = []
    for place, (where, row) in enumerate(rows):
        messages = messages_of(row, where)
        asked += [((place, sample), messages, fields) for sample in range(samples)]
    said = {}
    for at, reply in endpoint.ask(asked):
        if isinstance(reply, RequestFailed):
            raise reply
        said[at] = reply
    with replacing(os.fspath(out)) as file:
        for (place, sample), _, _ in asked:
            reply = said[place, sample]
            row = {**rows[place][1], "completion": reply.text, "finish": reply.finish}
            file.write((json.dumps(row, ensure_ascii=False) + "\n").encode())
    return len(asked)
