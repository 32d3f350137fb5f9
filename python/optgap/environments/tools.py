"""Tools that an episode offers to its model, in OpenAI's and in MCP's form: `submit`, `check`, `run`."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping
from typing import Any

from optgap.__main__ import native_program
from optgap.core import arguments
from optgap.core.errors import Error, misuse
from optgap.environments.answers import answer_text, tool_episode
from optgap.environments.episode import Episode

MAX_CALLS = 256
MAX_PROGRAM = 65_536
"""Bytes of a program that `run` takes, and of its input."""
MAX_OUTPUT = 4_096
"""Bytes of what a program prints that go back to the model."""
_SECONDS = 120
"""Of a run with the start of the sandbox; the program itself has the limits of `train` (docs/programs.md)."""

_DESCRIPTIONS = {
    "submit": ("answer", "Hands in the answer, which ends the turn. The argument is the answer alone, without any reasoning."),
    "check": ("answer", "Says what is wrong with an answer without handing it in: the broken rule, never how good it is."),
    "run": ("program", "Runs a Python program in a sandbox without network and files, and gives what it prints."),
}  # fmt: skip


class Tools:
    """The tools of one episode, with their counts. Pickled with it.

    Args:
        row: As Episode takes it.
        checks: Calls of `check` there may be in the episode, 0 to 256; with 0 the tool is not offered.
        runs: Calls of `run`, the same.
        settings: As Episode takes them. Answers are read without reasoning, as `tool_episode` does.

    Raises:
        Error: As tool_episode; for checks where feedback is "none".
    """

    def __init__(self, row: str | Mapping[str, Any], *, checks: int = 0, runs: int = 0, **settings: Any) -> None:
        left = {
            "check": arguments.integer(checks, "checks", 0, MAX_CALLS),
            "run": arguments.integer(runs, "runs", 0, MAX_CALLS),
        }
        if checks and settings.get("feedback") == "none":
            raise misuse("checks", "have no effect where feedback is none: there is nothing to tell")
        self.episode: Episode = tool_episode(row, **settings)
        self.offered = ["submit", *(name for name, count in left.items() if count)]
        self.left = left

    def schemas(self, form: str = "openai") -> list[dict[str, Any]]:
        """What a model is told of the tools.

        Args:
            form: "openai" (chat completions), "responses" (OpenAI's newer API) or "mcp".

        Raises:
            Error: For another form.
        """
        made = []
        for name in self.offered:
            argument, said = _DESCRIPTIONS[name]
            if name != "submit":
                said += f" At most {self.left[name]} more calls."
            properties: dict[str, Any] = {argument: {"type": "string"}}
            if name == "run":
                properties["input"] = {"type": "string", "description": "What it reads on stdin"}
            schema = {"type": "object", "properties": properties, "required": [argument], "additionalProperties": False}
            if form == "openai":
                made.append({"type": "function", "function": {"name": name, "description": said, "parameters": schema}})
            elif form == "responses":
                made.append({"type": "function", "name": name, "description": said, "parameters": schema})
            elif form == "mcp":
                made.append({"name": name, "description": said, "inputSchema": schema})
            else:
                raise misuse("form", f"is {form!r}, expected openai, responses or mcp")
        return made

    def call(self, name: str, given: Mapping[str, Any] | str) -> str:
        """Does one call of a model's. Whatever a model hands over, it gets a sentence back and no exception.

        Args:
            name: Of the tool.
            given: Its arguments, as a mapping or as JSON text.

        Returns:
            What goes back to the model.
        """
        values = given
        if isinstance(values, str):
            try:
                values = json.loads(values)
            except (ValueError, RecursionError):
                return "The arguments are no JSON."
        if name not in self.offered:
            return f"There is no tool of this name; there are {', '.join(self.offered)}."
        argument = _DESCRIPTIONS[name][0]
        if not isinstance(values, Mapping) or argument not in values:
            return f"The argument {argument} is missing."
        if self.episode.done:
            return "The episode is over."
        if name == "submit":
            return self.submit(values[argument])
        if self.left[name] < 1:
            return f"No call of {name} is left."
        self.left[name] -= 1
        if name == "check":
            return self.episode.check(answer_text(self.episode, values[argument]))
        return run_program(values[argument], values.get("input", ""))

    def submit(self, answer: Any) -> str:
        """Takes a turn of the episode with an answer, and says what goes back to the model.

        Raises:
            Error: As Episode.submit.
        """
        turn = self.episode.submit(answer_text(self.episode, answer))
        return "The answer was taken. The episode is over." if turn.message is None else turn.message


def run_program(program: Any, given: Any = "") -> str:
    """Runs a Python program in the strongest sandbox of this machine (docs/sandbox.md).

    Args:
        program: Its text, at most 64 KiB.
        given: What it reads on stdin, at most 64 KiB.

    Returns:
        What it prints, at most 4096 bytes, or why it did not end well.
    """
    if not isinstance(program, str) or not isinstance(given, str):
        return "Program and input are texts."
    source, stdin = program.encode("utf-8", "replace"), given.encode("utf-8", "replace")
    if len(source) > MAX_PROGRAM or len(stdin) > MAX_PROGRAM:
        return f"Program and input have at most {MAX_PROGRAM} bytes each."
    with tempfile.TemporaryDirectory(prefix="optgap-run-") as folder:
        path, data = os.path.join(folder, "program.py"), os.path.join(folder, "input")
        with open(path, "wb") as file:
            file.write(source)
        with open(data, "wb") as file:
            file.write(stdin)
        command = [str(native_program()), "sandbox", "--run", path, "--input", data, "--slots", "1", "--json"]
        try:
            done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return "The program was not done in time."
    try:
        (ran,) = json.loads(done.stdout)["runs"]
    except (ValueError, KeyError) as broken:
        said = done.stderr.decode("utf-8", "replace").strip() or "no sandbox holds on this machine"
        raise Error(f"run: {said}", "sandbox_unavailable", "run", said) from broken
    printed = str(ran["output"]).encode("utf-8", "replace")
    text = printed[:MAX_OUTPUT].decode("utf-8", "ignore")
    if len(printed) > MAX_OUTPUT:
        text += f"\n… {len(printed) - MAX_OUTPUT} bytes more"
    if ran["code"] in ("ok", "run_no_output"):
        return text or "The program printed nothing."
    errors = str(ran["errors"])[-1000:].strip()
    return f"{ran['code']}: {errors or 'no message'}" + (f"\nIt had printed:\n{text}" if text else "")
