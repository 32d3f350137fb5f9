"""The engine as tools of the Model Context Protocol, for agents of any make: `optgap mcp`."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from optgap.core.engine import Engine
from optgap.core.errors import misuse
from optgap.rows import Scorer

TOOLS = ("score", "explain", "solve", "generate", "draw")
"""`score` and `explain` with level full tell the optimum, `solve` is it: leave them out where an agent is to find answers."""


@dataclass
class Limits:
    """Of one server; a call beyond them gets a sentence back."""

    calls: int = 10_000
    """Of all tools together."""
    rows: int = 64
    """Of one call."""
    bytes: int = 1_048_576
    """Of one call's arguments as JSON."""
    steps: int = 1_000_000
    """Of a proof (docs/scale.md); an instance that is not proven by then has its best answer and a bound."""
    tools: Sequence[str] = TOOLS
    """Those that are offered."""
    isolation: str | None = None
    """Of programs in rows; None: rows of programs are refused."""


@dataclass
class Calls:
    """The tools as Python functions, with what they share."""

    limits: Limits
    engine: Engine
    done: int = 0
    _scorer: Scorer = field(init=False)

    def __post_init__(self) -> None:
        unknown = [name for name in self.limits.tools if name not in TOOLS]
        if unknown or not self.limits.tools:
            raise misuse("tools", f"are {', '.join(unknown) or 'none'}, expected some of {', '.join(TOOLS)}")
        isolation = {} if self.limits.isolation is None else {"isolation": self.limits.isolation}
        self._scorer = Scorer(self.engine, budget=self.limits.steps, **isolation)

    def functions(self) -> list[Callable[..., str]]:
        """Those that are offered, in their order."""
        return [getattr(self, name) for name in TOOLS if name in self.limits.tools]

    def score(self, rows: list[dict[str, Any]]) -> str:
        """Scores rows of any kind: {"key", "completion"} and others. Returns them as a JSON list, each with reward, code,
        feasible, quality and more, or with error {row, field, rule}."""
        self._count(rows)
        self._few(len(rows))
        return json.dumps(self._scorer.score(rows))

    def explain(self, row: dict[str, Any], level: str = "place") -> str:
        """Why a row has its reward. level: verdict, rule or place, which tell no optimum; or full."""
        self._count(row, level)
        return self._scorer.explain(row, level)

    def solve(self, keys: list[str]) -> str:
        """Best known answers of instances by their keys, with proofs: a JSON list of {key, answer, objective, bound, proven}."""
        self._count(keys)
        self._few(len(keys))
        solved = self.engine.solve(self.engine.instances(keys), budget=self.limits.steps)
        assert solved.answers is not None
        rows = zip(keys, solved.answers.tolist(), solved.records())
        return json.dumps([{"key": key, "answer": answer, **record} for key, answer, record in rows])

    def generate(self, task: str, level: str = "easy", count: int = 1, seed: int = 0, split: str = "train") -> str:
        """Instances of a task by consecutive seeds: a JSON list of {key, prompt}. level: easy, medium, hard, benchmark, or d0, d1, …"""
        self._count(task, level, split)
        self._few(count)
        made = self.engine.generate(task, level, count, seed, split)
        return json.dumps([{"key": key, "prompt": prompt} for key, prompt in zip(made.keys, self.engine.prompts(made))])

    def draw(self, tasks: list[str] | None = None, level: str = "easy") -> str:
        """One fresh problem at random, of all tasks or of these: JSON {key, prompt}."""
        self._count(tasks, level)
        names = tasks or [task.name for task in self.engine.tasks if task.direct]
        made = self.engine.generate(random.choice(names), level, 1, random.getrandbits(63))
        return json.dumps({"key": made.keys[0], "prompt": self.engine.prompts(made)[0]})

    def _count(self, *given: Any) -> None:
        if self.done >= self.limits.calls:
            raise misuse("calls", f"all {self.limits.calls} of this server are used")
        size = len(json.dumps(given, default=str))
        if size > self.limits.bytes:
            raise misuse("arguments", f"have {size} bytes, expected at most {self.limits.bytes}")
        self.done += 1

    def _few(self, count: int) -> None:
        if not 1 <= count <= self.limits.rows:
            raise misuse("rows", f"are {count}, expected 1 to {self.limits.rows}")


def server(calls: Calls) -> Any:
    """An MCP server over these, of the package `mcp`.

    Raises:
        Error: Where the package is not installed.
    """
    try:
        from mcp.server.fastmcp import FastMCP as Server
    except ImportError:
        try:
            from mcp.server.mcpserver import MCPServer as Server  # its name from version 2 on
        except ImportError:
            raise misuse("mcp", "is not installed: pip install 'optgap[mcp]'") from None
    made = Server("optgap", instructions="Instances of optimisation problems, and the gap of answers to their optima.")
    for function in calls.functions():
        made.add_tool(function, name=function.__name__, description=_said(function))
    return made


def _said(function: Callable[..., Any]) -> str:
    return " ".join((function.__doc__ or "").split())


def limits_of(given: Mapping[str, Any]) -> Limits:
    """Of options, where those that are None keep their defaults.

    Raises:
        Error: For a number below 1.
    """
    known = {name: value for name, value in given.items() if value is not None}
    for name, value in known.items():
        if isinstance(value, int) and value < 1:
            raise misuse(name, f"is {value}, expected 1 or more")
    return Limits(**known)
