"""Asks what is missing, writes each answer as it comes, and scores beside that."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ...core.engine import Engine
from ...core.results import Baselines
from ..endpoint import Reply, RequestFailed, Unreachable, completion_of
from . import measures
from .questions import Questions
from .rollouts import Place, RolloutFile
from .table import FAILED, MISSING, Graded, Table

_BATCH = 256  # rollouts scored at a time, at most
_PATIENCE = 0.25  # seconds until fewer are scored

Progress = Callable[[int, int, float], None]
"""Told of rollouts done, rollouts in all, and the success rate so far."""


class Part:
    """Questions, their rollouts on disk, and what became of them.

    Proofs of baselines start at once, in a thread of their own, beside the first requests.
    """

    def __init__(self, engine: Engine, questions: Questions, samples: int, path: str) -> None:
        self.questions, self.samples = questions, samples
        self.table = Table(len(questions), samples)
        self.models: Counter[str] = Counter()
        """How many replies named which model."""
        self.failures: list[str] = []
        self.scored = 0
        self.feasible = 0
        self._file = RolloutFile(path, questions.names, samples, "twin_of" if questions.originals else "key")
        self._engine = engine
        self._formats = [_plain_format(text) for text in questions.formats]
        self._pending: list[tuple[Place, str, str]] = []
        self._scored_at = time.monotonic()
        self._begin()

    def _begin(self) -> None:
        """What is computed beside the first requests."""
        self._explicit = self.questions.instances.split < 0
        self._baselines: Future[Baselines] = Future()
        threading.Thread(target=self._prove, name="optgap-baselines", daemon=True).start()

    def _prove(self) -> None:
        try:
            self._baselines.set_result(self._engine.baselines(self.questions.instances, self.questions.baselines))
        except BaseException as failed:
            self._baselines.set_exception(failed)

    @property
    def baselines(self) -> Baselines:
        return self._baselines.result()

    @property
    def proven(self) -> npt.NDArray[np.bool_]:
        """Of each question, whether its optimum is."""
        return self.baselines.proven

    def anchors(self) -> dict[str, dict[str, measures.Floats]]:
        """Of each question, what a constant policy and a greedy pass reach."""
        known = {task.name: task for task in self._engine.tasks}
        senses = np.asarray([known[name].sense == "minimise" for name in self.questions.tasks])
        return measures.anchors_of(self.baselines, senses)

    def resume(self) -> int:
        """Takes up what the file holds; how many rollouts that is."""
        found = 0
        for place, row in self._file.read():
            self._take(place, row)
            found += 1
        self.score()
        return found

    def missing(self) -> Iterator[Place]:
        """What was not asked, sample by sample, so that an early end has seen every question."""
        for sample in range(self.samples):
            for question in range(len(self.questions)):
                if self.table.state[question, sample] == MISSING:
                    yield question, sample

    def store(self, place: Place, said: Reply | RequestFailed) -> None:
        """Writes a row, and scores when enough have come."""
        row = self._row(place, said)
        self._file.append(place, row)
        if isinstance(said, RequestFailed):
            self.table.state[place] = FAILED
            self.failures.append(str(said))
            return
        self._take(place, row)
        if time.monotonic() - self._scored_at > _PATIENCE:
            self.score()

    def score(self) -> None:
        """Scores what is pending."""
        if self._pending:
            places, texts, finish = zip(*self._pending)
            rows, samples = zip(*places)
            scores = self._graded(rows, texts, finish)
            self.table.fill(rows, samples, scores)
            self.scored += len(rows)
            self.feasible += int(scores.feasible.sum())
            self._pending.clear()
        self._scored_at = time.monotonic()

    def _graded(self, rows: Sequence[int], texts: Sequence[str], finish: Sequence[str]) -> Graded:
        """Completions of these questions, graded."""
        formats = [self.questions.formats[row] for row in rows]
        return self._engine.score(
            self.questions.instances, texts, self.baselines, instance_of=rows, finish=finish, format=formats
        )

    def finish(self) -> None:
        """Scores the rest and puts the file in order."""
        self.score()
        self._file.order()

    def close(self) -> None:
        self._file.close()

    def _take(self, place: Place, row: dict[str, Any]) -> None:
        self.table.note(*place, row)
        self.models[row.get("model") or ""] += 1
        self._pending.append((place, row["completion"], row["finish"]))
        if len(self._pending) >= _BATCH:
            self.score()

    def _row(self, place: Place, said: Reply | RequestFailed) -> dict[str, Any]:
        question = place[0]
        row = {"key": self.questions.keys[question], **self._problem(question), "format": self._formats[question]}
        if isinstance(said, RequestFailed):
            return {**row, "error": str(said)}
        return {
            **row,
            "completion": completion_of(said, self.questions.formats[question]),
            "reasoning": said.reasoning,
            "finish": said.finish,
            "usage": said.usage,
            "model": said.model,
            "seconds": round(said.seconds, 4),
        }

    def _problem(self, question: int) -> dict[str, Any]:
        """What a row needs beside its key."""
        row: dict[str, Any] = {}
        if self._explicit[question]:
            row["task"] = self.questions.tasks[question]
            row["instance"] = json.loads(self.questions.instances[[question]].json[0])
        if self.questions.baselines[question] is not None:
            row["baseline"] = self.questions.baselines[question]
        return row


class Answers(Protocol):
    """Who answers: an Endpoint, or files."""

    concurrency: int

    def ask(
        self, requests: Iterable[tuple[tuple[int, Place], Sequence[Mapping[str, Any]], Mapping[str, Any]]]
    ) -> Iterator[tuple[tuple[int, Place], Reply | RequestFailed]]: ...


def sample(
    endpoint: Answers, parts: list[Part], request_seed: int | None, system: str | None, progress: Progress
) -> None:
    """Asks for everything that is missing. What was answered is on disk, however this ends.

    Raises Refused or Unreachable when it makes no sense to go on: also when requests fail for good one after another.
    """
    opening = [] if system is None else [{"role": "system", "content": system}]

    def requests() -> Iterator[tuple[tuple[int, Place], list[dict[str, str]], dict[str, int]]]:
        for number, part in enumerate(parts):
            for place in part.missing():
                question = part.questions.prompts[place[0]]
                fields = (
                    {}
                    if request_seed is None
                    else {"seed": seed_of(request_seed, part.questions.keys[place[0]], place[1])}
                )
                yield (number, place), [*opening, {"role": "user", "content": question}], fields

    total = sum(part.table.state.size for part in parts)
    done = total - sum(int((part.table.state == MISSING).sum()) for part in parts)
    in_a_row = 0
    try:
        for (number, place), said in endpoint.ask(requests()) if done < total else ():
            parts[number].store(place, said)
            done += 1
            progress(done, total, _rate(parts))
            in_a_row = in_a_row + 1 if isinstance(said, RequestFailed) else 0
            if in_a_row >= max(8, endpoint.concurrency):
                raise Unreachable(f"{in_a_row} requests in a row failed for good, the last one so: {said}")
        for part in parts:
            part.finish()
    finally:
        for part in parts:
            part.close()


def _rate(parts: list[Part]) -> float:
    """Share of the scored rollouts that are feasible."""
    return sum(part.feasible for part in parts) / max(1, sum(part.scored for part in parts))


def seed_of(seed: int, key: str, sample: int) -> int:
    """31 bits for one request."""
    return int.from_bytes(hashlib.sha256(f"{seed} {key} {sample}".encode()).digest()[:4], "big") >> 1


def _plain_format(text: str) -> Any:
    return json.loads(text) if text.lstrip().startswith("{") else text
