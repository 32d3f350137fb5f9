#!/usr/bin/env python3
"""Writes docs/python_api.md from the installed package's docstrings.

tools/python_reference.py            writes the page
tools/python_reference.py --check    exit code 1 when the page is not what the docstrings say
"""

import ast
import dataclasses
import inspect
import pathlib
import re
import sys
import textwrap

import optgap
import optgap.core.device
import optgap.data.dataset
import optgap.measure.report
from optgap.core.columns import Columns
from optgap.core.tickets import RowTickets

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs" / "python_api.md"
HEAD = """# Python: the API

Made from the docstrings by `tools/python_reference.py`; a test compares. [python.md](python.md) is the guide.

Arrays are NumPy's, of one dimension, with one entry per row unless said otherwise. Where a call takes an array it takes
a sequence or a DLPack tensor in host memory, too.
"""
MODULES = {
    "Engine": ["Engine"],
    "Results": [
        "Instances",
        "Answers",
        "Verdicts",
        "Baselines",
        "Improvements",
        "Scores",
        "Twins",
        "NO_OBJECTIVE",
        "InstanceSet",
    ],
    "Rows of every kind": ["score", "explain", "feedback", "Scorer", "ScoredColumns", "score_rows"],
    "Episodes": ["Episode", "Turn"],
    "Programs": ["problems", "ProgramRunner", "ProgramScores", "ProgramScheduler", "CollectedPrograms"],
    "Scheduler": ["Scheduler", "Issued", "Collected", "CollectedRows", "Posed", "Questions", "Checked", "Score"],
    "Runs": [
        "Curriculum",
        "Draws",
        "Statistics",
        "filter_groups",
        "GroupFilter",
        "Filling",
        "FillingBias",
        "FillingPlace",
    ],
    "Pools": [
        "Pool",
        "PoolDraws",
        "PoolReceived",
        "PoolQuestions",
        "PoolQuestionsReceived",
        "PoolStep",
        "PoolRewound",
        "PoolCurriculum",
        "MixedDraws",
        "pool_rows",
        "proposer_prompt",
    ],
    "Roles": ["Roles", "RoleStep", "RoleRow", "Gates", "TextRoles", "TextPrompts", "read_questions"],
    "Names": ["Task", "tasks", "formats", "format_fields", "estimators", "shapes", "load_kinds", "Key", "str_span"],
    "Errors": ["Error"],
}


def signature(name, function):
    """`name(a: int = 1) -> str`, without self and without the modules' names."""
    try:
        found = inspect.signature(function)
    except ValueError:
        return f"{name}()"
    kept = [one for place, one in enumerate(found.parameters.values()) if place or one.name not in ("self", "cls")]
    text = str(found.replace(parameters=kept)).replace("'", "")
    text = re.sub(r"\b(npt|np|collections\.abc|typing|os|optgap\.\w+)\.(?=[A-Za-z])", "", text)
    return name + re.sub(r"(= )([a-z_@]+)(?=[,)])", _quoted, text)


def _quoted(found):
    return found[0] if found[2] in ("None", "True", "False") else f'{found[1]}"{found[2]}"'


def prose(text):
    """A docstring in Markdown: sections of `name: what it is` become lists."""
    lines, out, listing = inspect.cleandoc(text or "").splitlines(), [], False
    for line in lines:
        if line in ("Args:", "Attributes:"):
            listing = True
        elif listing and (entry := re.match(r" {4}([\w, ]+): (.*)", line)):
            out.append(f"- `{entry[1]}`: {entry[2]}")
        elif listing and line.startswith(" " * 8):
            out[-1] += " " + line.strip()
        else:
            listing = listing and not line
            out.append(line)
    return "\n".join(out).strip()


def own_fields(kind):
    """(name, type, the string literal below it or "") of the attributes that the class itself declares."""
    body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0].body
    for line, below in zip(body, [*body[1:], None]):
        if isinstance(line, ast.AnnAssign) and not ast.unparse(line.annotation).startswith("ClassVar"):
            noted = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
            note = " ".join(inspect.cleandoc(below.value.value).split()) if noted else ""
            yield line.target.id, ast.unparse(line.annotation), note


def is_record(kind):
    return dataclasses.is_dataclass(kind) or issubclass(kind, tuple)


def class_page(name, kind):
    yield f"### {name}\n"
    if not is_record(kind) and kind is not Columns:
        yield f"```text\n{wrapped(signature(name, kind))}\n```\n"
    yield prose(kind.__doc__) + "\n"
    if is_record(kind):
        for field, of, note in own_fields(kind):
            yield f"- `{field}` {of}" + (f": {note}" if note else "")
        yield ""
    for member, value in members(kind):
        if isinstance(value, property):
            yield f"- `.{member}`: {' '.join(prose(value.__doc__).split())}"
    yield ""
    for member, value in members(kind):
        if inspect.isfunction(value) and hasattr(value, "__wrapped__"):
            yield f"#### {name}.{member}\n\n`{value.__wrapped__.__qualname__}` of the engine's own scheduler.\n"
        elif not isinstance(value, property):
            yield call_page(f"#### {name}.{member}", member, getattr(kind, member))


def call_page(heading, name, function):
    return f"{heading}\n\n```text\n{wrapped(signature(name, function))}\n```\n\n{prose(function.__doc__)}\n"


def members(kind):
    """The class's own members that have a docstring, in the order of the source."""
    seen = {}
    for member, value in vars(kind).items():
        documented = isinstance(value, (property, classmethod)) or inspect.isfunction(value)
        if documented and not member.startswith("_") and value.__doc__:
            seen[member] = value
    return list(seen.items())


def wrapped(text, width=100):
    if len(text) <= width:
        return text
    head, rest = text.split("(", 1)
    arguments, tail = rest.rsplit(")", 1)
    parts, depth, start = [], 0, 0
    for place, char in enumerate(arguments):
        depth += (char in "[(") - (char in "])")
        if char == "," and depth == 0:
            parts.append(arguments[start:place].strip())
            start = place + 1
    return "\n".join([f"{head}(", *(f"    {one}," for one in [*parts, arguments[start:].strip()]), f"){tail}"])


def page():
    parts = [HEAD]
    for title, names in MODULES.items():
        parts.append(f"## {title}\n")
        if title == "Results":
            parts.extend(class_page("Every result", Columns))
        for name in names:
            value = getattr(optgap, name)
            if inspect.isclass(value):
                parts.extend(class_page(name, value))
                if name == "Scheduler":
                    parts.extend(class_page(RowTickets.__name__, RowTickets))
            elif callable(value):
                parts.append(call_page(f"### {name}", name, value))
            else:
                parts.append(f"### {name}\n\n`{value}`: an objective that does not exist.\n")
    parts.append("## optgap.data.dataset\n")
    parts.append(call_page("### export", "export", optgap.data.dataset.export))
    parts.extend(class_page("Report", optgap.data.dataset.Report))
    parts.append("## optgap.measure.report\n")
    for function in (optgap.measure.report.html, optgap.measure.report.markdown):
        parts.append(call_page(f"### {function.__name__}", function.__name__, function))
    parts.append("## optgap.core.device\n")
    for kind in (optgap.core.device.DeviceStore, optgap.core.device.DeviceSet, optgap.core.device.Column):
        parts.extend(class_page(kind.__name__, kind))
    missing = set(optgap.__all__) - {name for names in MODULES.values() for name in names}
    assert not missing, f"MODULES lacks {sorted(missing)}"
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).rstrip() + "\n"


def main():
    wanted = page()
    if "--check" in sys.argv[1:]:
        return 0 if PAGE.exists() and PAGE.read_text(encoding="utf-8") == wanted else 1
    PAGE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
