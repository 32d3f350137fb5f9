"""Tasks of a user's own in Python: `new` writes one, `check` measures one (docs/own_tasks.md)."""

from __future__ import annotations

import re

from ..core.errors import misuse
from ..rows.external.naming import settings_with
from ..rows.external.settings import from_environment
from . import Options
from .external import checked_task

_TEMPLATE = '''"""{summary}. Check it with: optgap task check {file}:{name}"""


class {name}:
    version = "1"  # part of every key: another version makes or judges problems differently
    answer_form = "N"  # what stands for the answer in the prompt's instructions

    def difficulty(self, level):
        """What level d0, d1, … means; generate gets it."""
        return {{"count": 3 + level, "largest": 99}}

    def generate(self, rng, difficulty):
        """A problem. All chance comes from rng, a random.Random of the seed."""
        return [rng.randint(1, difficulty["largest"]) for _ in range(difficulty["count"])]

    def prompt(self, problem):
        return f"Add up how far each number is from the next one: {{problem}}. Answer with the sum."

    def reference(self, problem):
        """The right answer. Where others are right, too, write verify(problem, text): True, False, or a number from 0 to 1."""
        return sum(abs(a - b) for a, b in zip(problem, problem[1:]))
'''


def run(options: Options) -> int:
    if options.verb == "new":
        return _new(options)
    (task,), settings = settings_with(
        from_environment(), [options.name], trusted=options.trusted, isolation=options.isolation, where="task check"
    )
    return checked_task(settings, task, options)


def _new(options: Options) -> int:
    if not options.python:
        raise misuse(
            "--python", "is missing: it is the only language here; tools/new_task.py of a source tree writes C++"
        )
    if not re.fullmatch("[a-z][a-z0-9_]{0,40}", options.name):
        raise misuse(
            "NAME", f"is {options.name!r}, expected a word of small letters, digits and _ such as magic_square"
        )
    name = "".join(word.capitalize() for word in options.name.split("_")) or "Task"
    file = f"{options.name}.py"
    text = _TEMPLATE.format(summary=f"{name}, a task of one's own", name=name, file=file)
    try:
        with open(file, "x", encoding="utf-8") as made:
            made.write(text)
    except FileExistsError:
        raise misuse("NAME", f"{file} exists already, and is left as it is") from None
    if not options.quiet:
        print(f"{file}: optgap task check {file}:{name}")
    return 0
