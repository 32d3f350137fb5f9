"""One scorer for rows of every kind."""

from __future__ import annotations

import json
import os
import threading
import warnings
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from optgap.core import arguments
from optgap.core.arguments import Text
from optgap.core.engine import Engine
from optgap.core.errors import misuse
from optgap.rows.columns import ScoredColumns

Row = dict[str, Any]
Spec = str | Mapping[str, Any]

MAX_SCORERS = 8
"""`score` keeps as many, one for each set of options; the one that was used longest ago goes first."""

_FORMER = {"outbox": "improved", "chains": "rubrics", "chain_preset": "rubric_preset"}
"""Former names of options, which the native scorer reads, too (host/specs/renamed.hpp)."""


class Runner(Protocol):
    """What a Scorer needs of a ProgramRunner."""

    _native: Any
    _isolation: str


class Scorer:
    """What `optgap score` is, in this process: rows of any kind in, the same rows with rewards and advantages out.

    Keeps what is expensive between calls: proven baselines, compiled rubrics, open sandboxes. Thread-safe: calls take
    turns, and the GIL is released during work. An interrupt of the main thread ends a call whose programs run. After os.fork
    the child makes one of its own on first use.

    Args:
        engine: That grades; None makes one with the defaults.
        reward: Name or spec, as `optgap score --reward`.
        advantage: Name or spec of an estimator, or {"roles": {...}}.
        format: Of rows that name none; None is forge's.
        force_format: `format` overrules what rows name.
        budget: Steps to solve an instance whose row has no baseline; -1 is the task's default.
        improved: File to which answers that beat their baselines are appended.
        kinds: Packages with kinds of rows of your own: a name, several with commas, or a list of names (docs/kinds.md).
        runner: A ProgramRunner in whose sandbox programs run, in place of `isolation` and `slots`: all that share it share
            its slots, those of the node's daemon where it uses them. Closing it ends the programs.
        options: Of the kinds of rows, each as on the command line with `_` for `-`: isolation, slots, limits, external,
            environments, trusted, rubric_preset, rubrics, judge, judge_parser, proposals, held_out, … (docs/rows.md).

    Raises:
        Error: For an option that is unknown, or does not fit.
    """

    def __init__(
        self,
        engine: Engine | None = None,
        *,
        reward: Spec = "forge",
        advantage: Spec = "grpo",
        format: Spec | None = None,
        force_format: bool = False,
        budget: int = -1,
        improved: str | os.PathLike[str] | None = None,
        kinds: str | Sequence[str] | None = None,
        runner: Runner | None = None,
        **options: Any,
    ) -> None:
        if runner is not None:
            if "isolation" in options or "slots" in options:
                raise misuse("runner", "has an isolation and slots of its own: leave those away")
            options = {**options, "isolation": runner._isolation}
        self._runner = runner
        self._engine = engine if engine is not None else Engine()
        for former in _FORMER.keys() & options.keys():
            warnings.warn(f"{former} is {_FORMER[former]} now", DeprecationWarning, stacklevel=2)
        given = {
            "reward": reward,
            "advantage": advantage,
            "format": format,
            "improved": improved,
            "kinds": kinds,
            **options,
        }
        known = {name: _plain(value) for name, value in given.items() if value is not None}
        self._options = json.dumps({**known, "force_format": bool(force_format), "budget": int(budget)}, default=repr)
        self._lock = threading.Lock()
        self._made: tuple[int, Any] | None = None
        self._native()

    def _native(self) -> Any:
        """This process's."""
        with self._lock:
            if self._made is None or self._made[0] != os.getpid():
                runner = None if self._runner is None else self._runner._native
                made = self._engine._native.scorer(self._options, self._engine._source.native, runner)
                self._made = (os.getpid(), made)
            return self._made[1]

    def score(self, rows: Iterable[Mapping[str, Any]]) -> list[Row]:
        """Scores rows as one run: groups, duplicates and ranks are of these rows alone.

        Args:
            rows: Of any kind, as in a file of JSONL; values are what JSON holds, or NumPy's.

        Returns:
            The rows in their order, each with the columns that its kind adds (docs/rows.md); one that cannot be scored
            has `error`, {row, field, rule}, instead.

        Raises:
            Error: For what is no row: a value that JSON does not have. It names the row.
        """
        scored: list[Row] = self._native().score(rows)
        return scored

    def explain(self, row: Mapping[str, Any], level: str = "full", *, instance: int | None = None) -> str:
        """One row for people, as `optgap explain` prints it.

        Args:
            row: Of any kind, as `score` takes it; or an `answer` in place of the completion. It is a run of its own.
            level: "full" is everything: the answer in its text, the broken rule, the optimum, the reward's arithmetic.
                "verdict", "rule" and "place" are what a model may see, as in `feedback`.
            instance: Of a row whose completion is a program: the hidden instance to show, from 0 on; None: the first
                that is not feasible.

        Returns:
            Several lines for "full", else one.

        Raises:
            Error: For a row that cannot be scored, with its field and rule; for a level or an instance that there is
                not.
        """
        if level != "full":
            if instance is not None:
                raise misuse("instance", "has no effect on feedback: hidden instances are not shown to models")
            return self.feedback(row, level)
        at = -1 if instance is None else arguments.integer(instance, "instance", 0, 2**31 - 1)
        return str(self._native().explain(row, at))

    def feedback(self, row: Mapping[str, Any], level: str = "rule") -> str:
        """What a model may be told of its row (docs/feedback.md): never the optimum, a bound or the baseline.

        Args:
            row: As `explain` takes it.
            level: "verdict" tells whether the form is right and whether a rule is broken; "rule" adds the rule in one
                sentence, "place" where it is broken.

        Returns:
            One line of at most 1000 bytes, printable whatever the completion holds.

        Raises:
            Error: For a row that cannot be scored, with its field and rule, and for a level that there is not.
        """
        return str(self._native().feedback(row, arguments.name(level, "level")))

    def score_columns(
        self, rows: Sequence[Mapping[str, Any] | str], completions: Sequence[Text], *, finish: Sequence[str] | None = None,
        length: npt.ArrayLike | None = None, group: npt.ArrayLike | None = None,
    ) -> ScoredColumns:  # fmt: skip
        """The same of rollouts as a trainer holds them, as arrays: faster, and without advantages.

        Args:
            rows: What `score` takes, without the completion; dicts, or their JSON, which need not be made for every call.
            completions: str or bytes, one a row.
            finish: "stop", "length", "abort" or "unknown" each.
            length: Tokens of each, for a reward that reads them.
            group: A number each. Rows of one group must not bring different baselines for an instance. None: the rows'
                own groups.

        Returns:
            Columns. A row that cannot be graded stands in their `errors`.

        Raises:
            Error: For columns of other lengths, and ways to finish that are none.
        """
        count = len(completions)
        texts = [row if isinstance(row, str) else json.dumps(dict(row), default=_listed) for row in rows]
        return ScoredColumns(
            **self._native().score_columns(
                texts, completions, arguments.finish_rows(finish, count),
                arguments.optional(length, np.int32, "length", count), arguments.optional(group, np.int32, "group", count),
            )
        )  # fmt: skip

    def close(self) -> None:
        """Ends the programs that run and returns when no call is under way: rows of such programs are masked, and later
        calls raise Error."""
        self._native().close()

    def __enter__(self) -> Scorer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def remarks(self) -> list[str]:
        """What `optgap score` says on stderr of the rows of the last call."""
        return list(self._native().told())

    @property
    def fingerprint(self) -> str:
        """16 hex digits over all that the numbers depend on beside the rows."""
        return str(self._native().fingerprint)

    @property
    def record(self) -> dict[str, Any]:
        """What the fingerprint is made of."""
        made: dict[str, Any] = json.loads(self._native().record)
        return made


def _listed(value: Any) -> Any:
    """NumPy's numbers and arrays."""
    return value.tolist()


def _plain(value: Any) -> Any:
    """Specs as dicts, paths as text."""
    if isinstance(value, Mapping):
        return dict(value)
    return os.fspath(value) if isinstance(value, os.PathLike) else value


_lock = threading.Lock()
_engines: dict[tuple[str, int], Engine] = {}
_scorers: OrderedDict[Hashable, Scorer] = OrderedDict()


def score(rows: Iterable[Mapping[str, Any]], *, device: str = "auto", threads: int = 0, **options: Any) -> list[Row]:
    """Scores rows of any kind, in this process.

    Keeps a Scorer for each set of options, at most eight.

    Args:
        rows: As Scorer.score takes them.
        device: Where answers are graded: "auto", "cpu" or "cuda".
        threads: Of the engine; 0: all processors.
        options: As Scorer takes them: reward, advantage, isolation, …

    Returns:
        As Scorer.score.

    Raises:
        Error: For an option that is unknown, or does not fit.
    """
    return _scorer(device, threads, options).score(rows)


def explain(
    row: Mapping[str, Any],
    level: str = "full",
    *,
    instance: int | None = None,
    device: str = "auto",
    threads: int = 0,
    **options: Any,
) -> str:
    """One row of any kind for people, as Scorer.explain.

    Args:
        row, level, instance: As Scorer.explain takes them.
        device, threads, options: As in `score`.

    Returns:
        As Scorer.explain.

    Raises:
        Error: For a row that cannot be scored, and for an option that is unknown or does not fit.
    """
    return _scorer(device, threads, options).explain(row, level, instance=instance)


def feedback(
    row: Mapping[str, Any], level: str = "rule", *, device: str = "auto", threads: int = 0, **options: Any
) -> str:
    """What a model may be told of its row, as Scorer.feedback: never the optimum, a bound or the baseline.

    Args:
        row, level: As Scorer.feedback takes them.
        device, threads, options: As in `score`.

    Returns:
        One line of at most 1000 bytes.

    Raises:
        Error: For a row that cannot be scored, and for an option that is unknown or does not fit.
    """
    return _scorer(device, threads, options).feedback(row, level)


def _scorer(device: str, threads: int, options: Mapping[str, Any]) -> Scorer:
    """The kept scorer for these options."""
    plain = {name: _plain(value) for name, value in options.items()}
    name = _name(device, threads, plain)
    with _lock:
        found = _scorers.pop(name, None)
        if found is None:
            if (device, threads) not in _engines:
                _engines[device, threads] = Engine(device=device, threads=threads or None)
            found = Scorer(_engines[device, threads], **plain)
        _scorers[name] = found
        while len(_scorers) > MAX_SCORERS:
            _scorers.popitem(last=False)
    return found


def _name(device: str, threads: int, options: Mapping[str, Any]) -> Hashable:
    """Equal for equal options; text where one of them is a mapping or a list."""
    name = (device, threads, *sorted(options.items()))
    try:
        hash(name)
    except TypeError:
        return json.dumps(name, sort_keys=True, default=repr)
    return name


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_after_fork)
