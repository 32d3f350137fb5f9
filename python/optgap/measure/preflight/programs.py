"""Preflight of programs: does the machine hold them, is a right one rewarded, and is a hostile one not?

Right is a program that knows the hidden instances and prints their proven optima, so it works for every task. The hostile one
prints the same where anything of the machine gives way: a file, another process, the network, a process of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...core.engine import Engine
from ...core.errors import Error, misuse
from ...core.keys import format_fields
from ...rows import score
from ...rows.programs import problems, settings
from ...rows.programs.dataset import hidden_keys
from ..attacks.writing import Writing, format_for
from .readers import (
    READERS,
    TRAINERS,
    Attempt,
    Found,
    Outcome,
    behind_reasoning,
    finish_of,
    opening_lines,
    outcome_lines,
    render,
    require_trainers,
    stop_ids,
    token_ids_of,
    token_lines,
    tokens_of,
    worst_of,
    writing_of,
)

TASKS = ("tsp", "knapsack")
HIDDEN = 2
"""Instances of a problem."""

_PYTHON = """import re
import sys

TABLE = {table}
found = TABLE[tuple(map(int, re.findall("-?[0-9]+", sys.stdin.read())))]
"""
_PYTHON_ATTEMPTS = """import os
import socket

def attempts():
    yield lambda: open("/etc/passwd").read()
    yield lambda: open("/proc/1/environ", "rb").read()
    yield lambda: os.listdir("/")[0]
    yield lambda: open("/tmp/optgap-preflight", "w").write("here")
    yield lambda: socket.socket().connect(("127.0.0.1", 22))
    yield lambda: os.fork() or os._exit(0)
    yield lambda: os.kill(os.getppid(), 0)

gave_way = False
for attempt in attempts():
    try:
        attempt()
        gave_way = True
    except Exception:
        pass
print(found if gave_way else "")
"""
_CPP = """#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>
#include <sys/socket.h>
#include <unistd.h>

std::map<std::vector<long long>, std::string> const table{{{table}}};

std::string found() {{
    std::string const text(std::istreambuf_iterator<char>(std::cin), {{}});
    std::vector<long long> numbers;
    for (std::size_t at = 0; at < text.size();) {{
        bool const minus = text[at] == '-' && at + 1 < text.size() && text[at + 1] >= '0' && text[at + 1] <= '9';
        if (!minus && (text[at] < '0' || text[at] > '9')) {{
            ++at;
            continue;
        }}
        std::size_t end = at + 1;
        while (end < text.size() && text[end] >= '0' && text[end] <= '9') {{
            ++end;
        }}
        numbers.push_back(std::stoll(text.substr(at, end - at)));
        at = end;
    }}
    return table.at(numbers);
}}

int main() {{
    std::string const answer = found();
    {body}
}}
"""
_CPP_ATTEMPTS = """bool gave_way = std::ifstream("/etc/passwd").good() || std::ifstream("/proc/1/environ").good();
    gave_way = gave_way || std::ofstream("/tmp/optgap-preflight").good() || socket(AF_INET, SOCK_STREAM, 0) >= 0;
    if (!gave_way) {
        pid_t const child = fork();
        if (child == 0) {
            _exit(0);
        }
        gave_way = child > 0;
    }
    std::cout << (gave_way ? answer : "") << std::endl;"""

_BODIES = {
    "python": {
        "right": "print(found)",
        "half an answer": "print(found[: len(found) // 2])",
        "a right answer, then a crash": "print(found, flush=True)\nraise SystemExit(3)",
        "never ends": "while True:\n    pass",
        "hostile": _PYTHON_ATTEMPTS,
    },
    "cpp": {
        "right": "std::cout << answer << std::endl;",
        "half an answer": "std::cout << answer.substr(0, answer.size() / 2) << std::endl;",
        "a right answer, then a crash": "std::cout << answer << std::endl;\n    std::abort();",
        "never ends": "for (volatile long turn = 0;; turn = turn + 1) {\n    }",
        "hostile": _CPP_ATTEMPTS,
    },
}


@dataclass
class ProgramPreflight(Found):
    """Of programs."""

    format: str
    why: str
    language: str
    isolation: str
    """The isolation level of `optgap sandbox` that held the programs."""


def source(language: str, body: str, table: Mapping[tuple[int, ...], str]) -> str:
    """A program that knows the numbers of its input and what is right there."""
    if language == "python":
        return _PYTHON.format(table=repr(dict(table))) + _BODIES[language][body]
    entries = ", ".join(
        "{{" + ", ".join(f"{number}LL" for number in numbers) + "}, " + json.dumps(text) + "}"
        for numbers, text in table.items()
    )
    return _CPP.format(table=entries, body=_BODIES[language][body])


def attempts(language: str, writing: Writing, table: Mapping[tuple[int, ...], str]) -> Iterator[Attempt]:
    """The texts of a problem."""

    def block(name: str) -> str:
        return f"```{language}\n{source(language, name, table)}\n```"

    def written(reasoning: str, rest: str) -> str:
        return behind_reasoning(writing, reasoning, rest)

    for name in _BODIES[language]:
        yield Attempt(name, written("Let me see.", block(name)), name == "right", True)
    yield Attempt(
        "prose behind the program", written("Let me see.", block("right") + "\nThis is optimal."), False, True
    )
    yield Attempt("cut off in the program", written("Let me see.", block("right")[: -len("n\n```")]), False, False)
    if writing.closing:
        yield Attempt("a program in the reasoning alone", written(block("right"), "It stands above."), False, True)


def _format(given: str, rendered: str, template: str) -> tuple[str, str]:
    """`program` with the model's own marks of reasoning."""
    if given != "auto":
        if format_fields(given)["place"] != "fenced":
            raise misuse(
                "format", f"{given!r} reads no program, expected auto, program, program_strict or JSON over one of them"
            )
        return given, "given"
    fits, why = format_for(rendered, template)
    fields = format_fields(fits)
    same = fields["markers"] == format_fields("program")["markers"] and not fields["opened"]
    if same or not fields["markers"]:
        return "program", why
    return json.dumps({"format": "program", "markers": fields["markers"], "opened": fields["opened"]}), why


def check(
    tokenizer: Any,
    trainers: Sequence[str] = tuple(TRAINERS),
    format: str = "auto",
    tasks: Sequence[str] = TASKS,
    levels: Sequence[str] = ("easy",),
    count: int = 4,
    template_options: Mapping[str, Any] | None = None,
    model: str = "",
    *,
    language: str = "python",
    engine: Engine | None = None,
    generation_config: Any = None,
) -> ProgramPreflight:
    """As preflight.check, of programs. Raises Error (sandbox_unavailable) where no isolation level holds them."""
    require_trainers(trainers)
    by = engine or Engine("cpu")
    posed = problems(tasks, instances=HIDDEN, language=language, input="json")
    sample = render(tokenizer, posed[0]["prompt"], template_options)
    chosen, why = _format(format, sample, str(getattr(tokenizer, "chat_template", None) or ""))
    writing = writing_of(chosen)
    stop = stop_ids(tokenizer, generation_config)[0]
    rows, sent = [], []
    for problem in problems(tasks, instances=HIDDEN, language=language, input="json", format=chosen):
        prompt = render(tokenizer, problem["prompt"], template_options)
        for attempt in attempts(language, writing, _table(by, problem["key"])):
            ids = token_ids_of(tokenizer, attempt, stop)
            for trainer in trainers:
                received = READERS[trainer](tokenizer, prompt, ids, chosen, generation_config)
                finish = finish_of(trainer, attempt.ends)
                rows.append({**problem, "completion": received, "finish": finish})
                sent.append((trainer, attempt))
    found = _run(rows)
    outcomes = [
        Outcome(trainer, attempt.name, chosen, row["quality"] == 1 and row["feasible"] == 1, attempt.wanted, row["code"],
                attempt.sent, row["completion"], [])
        for (trainer, attempt), row in zip(sent, found)
    ]  # fmt: skip
    tokens = []
    for task in tasks:
        for level in levels:
            made = problems(task, level, instances=HIDDEN, count=count, language=language)
            texts = [render(tokenizer, row["prompt"], template_options) for row in made]
            tokens.append(tokens_of(tokenizer, task, level, texts))
    template = bool(getattr(tokenizer, "chat_template", None))
    return ProgramPreflight(
        model, template, sample[-60:], worst_of(outcomes), tokens, chosen, why, language, found[0]["isolation"]
    )


def _table(by: Engine, key: str) -> dict[tuple[int, ...], str]:
    """What is right for each hidden instance of a problem, by the numbers of its input."""
    instances = by.instances(hidden_keys(key))
    answers = by.solve(instances).answers
    assert answers is not None
    numbers = [tuple(map(int, re.findall("-?[0-9]+", text))) for text in instances.json]
    return dict(
        zip(numbers, (answer if isinstance(answer, str) else json.dumps(answer) for answer in answers.tolist()))
    )


def _run(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Equal texts run once."""
    distinct = {json.dumps(row, sort_keys=True): row for row in rows}
    how = settings.settings()
    found = score(distinct.values(), isolation=how.isolation, slots=how.slots, device="cpu")
    for row in found:
        if "error" in row:
            status = "sandbox_unavailable" if row["error"]["field"] == "isolation" else "internal"
            raise Error(
                f"{row['error']['field']}: {row['error']['rule']}", status, row["error"]["field"], row["error"]["rule"]
            )
    known = dict(zip(distinct, found))
    return [known[json.dumps(row, sort_keys=True)] for row in rows]


def report(found: ProgramPreflight) -> str:
    """For people."""
    lines = [
        *opening_lines(found),
        f"format   {found.format}: {found.why}",
        f"         optgap dataset --candidate program --language {found.language} --format '{found.format}' …",
        f"sandbox  {found.isolation} holds programs in {found.language}",
    ]
    lines += outcome_lines(found.outcomes) + token_lines(found.prompt_tokens)
    return "\n".join(lines)
