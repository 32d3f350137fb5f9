"""The one table of codes: names and numbers of what a row's verdict may be."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from optgap import _native


@functools.cache
def codes(kind: str = "answer") -> Mapping[str, int]:
    """Numbers by name, in the order in which the first that applies is given. Rows and files carry names; arrays in a process
    carry numbers.

    Args:
        kind: "answer": what all rows share, "ok" first; "program", "external", "proposal", "judgement": what such a row may
            have beside them. A task's own codes: `Task.codes`.

    Raises:
        KeyError: For a kind that this build does not have.
    """
    return dict(_native.codes()[kind])
