"""Tags by which the texts of roles are read."""

from __future__ import annotations

import re


def form_of(text: str, tag: str) -> float:
    """1 for one pair of tags, 1/2 for several that match in number, else 0."""
    opens, closes = text.count(f"<{tag}>"), text.count(f"</{tag}>")
    return 0.0 if opens != closes or opens == 0 else 1.0 if opens == 1 else 0.5


def inside(text: str, tag: str) -> str | None:
    """Between the last pair of tags, without blanks around; None: there is none, or nothing in it."""
    found = re.findall(f"<{tag}>((?:(?!<{tag}>).)*?)</{tag}>", text, re.DOTALL)
    return found[-1].strip() or None if found else None
