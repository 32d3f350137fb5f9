"""What a trainer waits for rewards, with optgap and with per-sample Python verifiers.

One step is 384 groups of 16 completions of 16 kB. Every reward function gets the same step in the same harness, three
times over: all completions at once in one process, all at once over the worker processes, and one by one over the
worker processes while a decode with a long tail goes on. Exposed time runs from the last completion to the last reward.
"""

from __future__ import annotations

import asyncio
import datetime
import gc
import importlib.metadata
import json
import math
import multiprocessing
import os
import pathlib
import platform
import random
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..core.engine import Engine
from ..measure.trainer_costs import trl_steps
from ..measure.trainer_costs.rewards import Absent, Function, Outcome, functions, make_step
from . import Options

TAIL = 0.5
"""Standard deviation of the logarithm of lengths: of 6144 completions the longest takes six times the median."""
LEAD_S = 0.05
"""From the word to start until a step's first completion may be there."""
SIZES = ("groups", "group", "text_bytes", "level", "workers", "decode", "steps")


@dataclass
class Samples:
    """Raw measurements in seconds, an entry per step; `last_s` has one per step and worker."""

    exposed_s: list[float] = field(default_factory=list)
    cpu_s: list[float] = field(default_factory=list)
    last_s: list[float] = field(default_factory=list)


def arrivals(rows: int, decode: float, step: int) -> list[float]:
    """Seconds after the start at which each completion is there."""
    draw = random.Random(step)
    lengths = [draw.lognormvariate(0, TAIL) for _ in range(rows)]
    return [decode * length / max(lengths) for length in lengths]


def _answer(function: Function, rows: Sequence[int], truths: Sequence[Any], due: Sequence[float], loop: Any) -> Any:
    """Rewards one share of a step; `due` on the monotonic clock. Returns what the function returned."""
    if function.way == "batch":
        _wait(max(due))
        return function.call([function.texts[row] for row in rows], truths)
    results: list[Any] = [None] * len(rows)
    if function.way == "sync":
        for at in sorted(range(len(rows)), key=lambda at: due[at]):
            _wait(due[at])
            results[at] = function.call(function.texts[rows[at]], truths[at])
        return results

    async def one(at: int) -> Any:
        await asyncio.sleep(due[at] - time.monotonic())
        return await function.call(function.texts[rows[at]], truths[at])

    async def every() -> Any:
        return await asyncio.gather(*map(one, range(len(rows))))

    return loop.run_until_complete(every())


def _wait(until: float) -> None:
    left = until - time.monotonic()
    if left > 0:
        time.sleep(left)


def _worker(pipe: Any, function: Function, rows: Sequence[int]) -> None:
    """Takes (step, arrivals of its rows) and then the start; sends (finish, CPU seconds, outcomes)."""
    gc.freeze()  # what the parent made is not collected again here, nor in a trainer's worker
    loop = asyncio.new_event_loop()
    while (asked := pipe.recv()) is not None:
        step, due = asked
        truths = function.truths(step, rows)
        pipe.send("ready")
        start = pipe.recv()
        cpu = time.process_time()
        results = _answer(function, rows, truths, [start + one for one in due], loop)
        finish = time.monotonic()
        pipe.send((finish, time.process_time() - cpu, function.read(results)))
    loop.close()


def measure(function: Function, workers: int, decode: float, steps: int) -> tuple[Samples, list[list[Outcome]]]:
    """A first step is not counted: it starts engines and event loops. Returns all steps' outcomes as well."""
    rows = range(len(function.texts))
    shares = [rows[len(rows) * w // workers : len(rows) * (w + 1) // workers] for w in range(workers)]
    forking = multiprocessing.get_context("fork")  # the texts are there already
    started = []
    for share in shares:
        mine, its = forking.Pipe()
        process = forking.Process(target=_worker, args=(its, function, share), daemon=True)
        process.start()
        its.close()
        started.append((process, mine))
    samples, outcomes = Samples(), []
    for step in range(steps + 1):
        times = arrivals(len(rows), decode, step)
        dues = [[times[row] for row in share] for share in shares]
        for (_, pipe), due in zip(started, dues):
            pipe.send((step, due))
        for _, pipe in started:
            pipe.recv()
        start = time.monotonic() + LEAD_S
        for _, pipe in started:
            pipe.send(start)
        found = [pipe.recv() for _, pipe in started]
        outcomes.append([outcome for _, _, mine in found for outcome in mine])
        if step > 0:
            samples.exposed_s.append(max(finish for finish, _, _ in found) - start - max(times))
            samples.cpu_s.append(sum(cpu for _, cpu, _ in found))
            samples.last_s += [finish - start - max(due) for (finish, _, _), due in zip(found, dues)]
    for process, pipe in started:
        pipe.send(None)
        process.join()
    return samples, outcomes


def quantile(samples: Sequence[float], share: float) -> float:
    """Nearest rank."""
    return sorted(samples)[max(0, math.ceil(share * len(samples)) - 1)]


def measured(function: Function, options: Options, definition: Sequence[Outcome]) -> dict[str, Any]:
    """Samples of the three settings, and how many verdicts equal the property's; none are compared where that is empty."""
    settings = {"at_once_1": (1, 0.0), "at_once": (options.workers, 0.0), "decode": (options.workers, options.decode)}
    row: dict[str, Any] = {"name": function.name, "way": function.way, "role": function.role}
    compared, equal = 0, 0
    for name, (workers, decode) in settings.items():
        samples, outcomes = measure(function, workers, decode, options.steps)
        row[name] = vars(samples)
        for step in outcomes if definition and function.role != "other" else []:
            agreed = [mine.agrees(its) for mine, its in zip(step, definition, strict=True)]
            compared, equal = compared + len(agreed), equal + sum(agreed)
            if not all(agreed):
                at = agreed.index(False)
                row.setdefault("first_difference", {"row": at, "said": step[at], "law": definition[at]})
    row["verdicts"] = {"compared": compared, "equal": equal}
    return row


def _property(function: Function) -> list[Outcome]:
    rows = range(len(function.texts))
    return function.read([function.call(*pair) for pair in zip(function.texts, function.truths(0, rows))])


def _commit() -> dict[str, Any]:
    """Of the checkout this runs in."""

    def git(*arguments: str) -> str:
        done = subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)
        return done.stdout.strip()

    try:
        commit, changes = git("rev-parse", "HEAD"), git("status", "--porcelain")
        return {"commit": commit or "unknown", "uncommitted_changes": bool(changes)}
    except OSError:
        return {"commit": "unknown", "uncommitted_changes": None}


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _cells(row: dict[str, Any], rollouts: int) -> list[str]:
    if "absent" in row:
        return [row["name"], row["absent"]]
    exposed = []
    for name in ("at_once_1", "at_once", "decode"):
        seconds = row[name]["exposed_s"]
        exposed.append(f"{_ms(quantile(seconds, 0.5))} ({_ms(min(seconds))}-{_ms(max(seconds))})")
    last = [_ms(quantile(row["decode"]["last_s"], share)) for share in (0.5, 0.99)]
    cpu = [f"{quantile(row[name]['cpu_s'], 0.5) / rollouts * 1e6:,.0f}" for name in ("at_once_1", "decode")]
    compared, equal = row["verdicts"]["compared"], row["verdicts"]["equal"]
    verdicts = "the property" if row["role"] == "law" else f"{equal} of {compared}" if compared else "-"
    return [row["name"], *exposed, *last, *cpu, verdicts]


def _ms(seconds: float) -> str:
    value = 1e3 * seconds
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def table(report: dict[str, Any]) -> str:
    """Aligned columns, the first one to the left."""
    many = report["workers"]
    header = ["reward function", "at once, 1 process", f"at once, {many}", f"decoding, {many}", "last p50", "p99",
              "CPU-s/1 M", "decoding", "equal verdicts"]  # fmt: skip
    lines = [header, *(_cells(row, report["rollouts"]) for row in report["rows"])]
    widths = [max(len(line[column]) for line in lines if len(line) == len(header)) for column in range(len(header))]
    widths[0] = max(len(line[0]) for line in lines)
    return "\n".join(
        line[0].ljust(widths[0]) + "".join(f"  {cell:>{width}}" for cell, width in zip(line[1:], widths[1:]))
        for line in lines
    )


def run(options: Options) -> int:
    """Exit code 1 when a verdict differs."""
    return _run_trainer(options) if options.trainer else _run_functions(options)


def _run_trainer(options: Options) -> int:
    for name in ("workers", "decode", "oracle"):
        if getattr(options, name) is not None:
            raise ValueError(f"--{name} has no effect with --trainer: the trainer calls the reward itself")
    options.rounds = 3 if options.rounds is None else options.rounds
    if options.quick:
        options.groups, options.group, options.text_bytes, options.level = 10, 4, 500, "easy"
        options.steps, options.rounds = 2, 1
    if min(options.groups, options.steps, options.rounds) < 1 or options.group < 2:
        raise ValueError("--groups, --steps and --rounds are at least 1, --group at least 2")
    load = [os.getloadavg()[0]]
    engine = Engine("cpu", options.threads)
    try:
        samples = trl_steps.measured(engine, options)
    except ImportError as absent:
        raise ValueError(f"--trainer trl needs {absent.name}: pip install 'optgap[examples]'") from None
    report = {
        **_origin(options, engine, load, ("optgap", "numpy", "torch", "transformers", "trl")),
        **{name: getattr(options, name) for name in (*SIZES, "rounds") if name not in ("workers", "decode")},
        "trainer": options.trainer,
        "samples": samples,
        "summary": trl_steps.summary(samples),
    }
    about = (
        f"{options.trainer}: a step has {options.groups} groups of {options.group} completions of {options.text_bytes} bytes, "
        f"level {options.level}; {options.rounds} times {options.steps} steps with each reward, in turns"
    )
    print(json.dumps(report, indent=1) if options.json else f"{_title(report)}\n{about}\n\n{trl_steps.table(report)}")
    return 0


def _origin(options: Options, engine: Engine, load: list[float], packages: Sequence[str]) -> dict[str, Any]:
    """Where numbers come from; `load` holds that before."""
    versions = {"python": platform.python_version(), **{name: _version(name) for name in packages}}
    return {
        "command": shlex.join(["optgap", *options.words]),
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        **_commit(),
        "device": engine.device_name,
        "threads": engine.threads,
        "load": [*load, os.getloadavg()[0]],
        "versions": versions,
    }


def _run_functions(options: Options) -> int:
    if options.rounds is not None:
        raise ValueError("--rounds has no effect without --trainer: say --steps")
    options.workers = 8 if options.workers is None else options.workers
    options.decode = 4.0 if options.decode is None else options.decode
    if options.quick:
        options.groups, options.group, options.text_bytes, options.level = 20, 16, 1000, "easy"
        options.workers, options.decode, options.steps = 2, 0.1, 1
    if min(options.groups, options.group, options.workers, options.steps) < 1 or options.decode < 0:
        raise ValueError("--groups, --group, --workers and --steps are at least 1, --decode at least 0")
    if options.groups * options.group < options.workers:
        raise ValueError("a step has fewer completions than there are workers")
    load = [os.getloadavg()[0]]
    engine = Engine("cpu", options.threads)
    step = make_step(engine, options.level, options.groups, options.group, options.text_bytes)
    here = pathlib.Path(options.oracle or "tests/oracle").resolve()
    chosen = functions(step, options.threads, here if (here / "verdict.py").exists() else None)
    definition = next((_property(one) for one in chosen if isinstance(one, Function) and one.role == "law"), [])
    rows: list[dict[str, Any]] = []
    for one in chosen:
        if not options.quiet and sys.stderr.isatty():
            sys.stderr.write(f"\r{one.name} ({len(rows) + 1} of {len(chosen)})\x1b[K")
        if isinstance(one, Absent):
            rows.append({"name": one.name, "absent": one.reason})
        else:
            rows.append(measured(one, options, definition))
    if not options.quiet and sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
    report = {
        **_origin(options, engine, load, ("optgap", "numpy", "reasoning-gym")),
        "rollouts": options.groups * options.group,
        **{name: getattr(options, name) for name in SIZES},
        "rows": rows,
    }  # fmt: skip
    print(json.dumps(report, indent=1) if options.json else f"{_title(report)}\n{_about(report)}\n\n{table(report)}")
    broken = [row for row in rows if "first_difference" in row]
    for row in broken:
        print(f"optgap: {row['name']}: {row['first_difference']}", file=sys.stderr)
    return 1 if broken else 0


def _title(report: dict[str, Any]) -> str:
    state = " with changes" if report["uncommitted_changes"] else ""
    versions = ", ".join(f"{name} {number or 'not installed'}" for name, number in report["versions"].items())
    return (
        f"{report['device']}, {report['threads']} threads; commit {report['commit'][:12]}{state}; {report['date']}; "
        f"load {report['load'][0]:.1f} before, {report['load'][1]:.1f} after; {versions}"
    )


def _about(report: dict[str, Any]) -> str:
    return (
        f"a step: {report['groups']} groups of {report['group']} completions of {report['text_bytes']} bytes, "
        f"level {report['level']}, decoded in {report['decode']:g} s\n"
        f"ms from the last completion to the last reward, median (least-most) over {report['steps']} steps: all "
        f"completions at once to 1 process or {report['workers']}, and as they come; last: of a process, as they come"
    )
