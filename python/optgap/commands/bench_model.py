"""Benchmark a language model over an OpenAI-compatible endpoint, or by batch files: vLLM, SGLang, hosted."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from dataclasses import dataclass
from typing import Any

from .. import _native
from ..core.arguments import format_text
from ..core.engine import Engine
from ..core.errors import misuse
from ..core.files.run_folder import one_writer, replace
from ..core.keys import tasks as known_tasks
from ..data import suites
from ..measure import report as pages
from ..measure.benchmark import (
    calibration,
    calibration_run,
    environment_part,
    format_choice,
    own_problems,
    own_run,
    page,
    questions,
    report,
    settings,
    shown,
)
from ..measure.benchmark.bar import Bar
from ..measure.benchmark.batch_files import RepliesFiles, RequestsFile
from ..measure.benchmark.sampling import Answers, Part, Progress, sample
from ..measure.benchmark.table import MISSING
from ..measure.endpoint import Endpoint, Refused, Unreachable
from ..rows.external.naming import adopt, is_outside
from . import Options


def run(options: Options) -> int:
    options.extra_body = {} if options.extra_body is None else _object(options.extra_body)
    _check(options)
    out = options.out or f"bench-{re.sub(r'[^A-Za-z0-9._-]+', '-', options.model)}"
    with one_writer(out):
        settings.refuse_taken(out, options.resume)
        return _run(options, out)


def _run(options: Options, out: str) -> int:
    body = {"temperature": options.temperature, "top_p": options.top_p, "max_tokens": options.max_tokens}
    body |= options.extra_body
    engine = Engine(options.device, options.threads)
    if options.write_requests:
        return _write_requests(options, out, RequestsFile(options.write_requests, options.model, body), engine)
    if options.read_replies:
        return _read_replies(options, out, RepliesFiles(options.read_replies, body), engine)
    endpoint = Endpoint(
        options.base_url, options.model, api_key_env=options.api_key_env, concurrency=options.concurrency or 64,
        timeout=options.timeout or 1800, attempts=options.attempts or 8, body=body,
    )  # fmt: skip
    again = shlex.join(["optgap", *(word for word in options.words if word != "--resume"), "--resume"])
    with endpoint:
        try:
            how = _own if options.problem else _calibrate if options.calibrate else _bench
            return how(options, out, endpoint, engine)
        except KeyboardInterrupt:
            print(f"\noptgap: stopped; what was answered is in {out}. To go on: {again}", file=sys.stderr)
            return 130
        except (Refused, Unreachable):
            if settings.saved(out) is not None:
                print(f"optgap: what was answered is in {out}. To go on later: {again}", file=sys.stderr)
            raise


@dataclass(frozen=True)
class _Begun:
    """A run of the benchmark, begun or gone on with."""

    found: dict[str, Any]
    """Its settings."""
    suites: list[suites.Suite]
    parts: list[Part]
    """Questions, and their twins."""

    @property
    def missing(self) -> int:
        return sum(int((part.table.state == MISSING).sum()) for part in self.parts)


def _bench(options: Options, out: str, endpoint: Endpoint, engine: Engine) -> int:
    run = _begun(options, out, endpoint, engine)
    bar = Bar("bench-model", "rollouts", lines=True, before=sum(part.scored for part in run.parts))
    sample(endpoint, run.parts, options.request_seed, options.system, _progress(options, bar))
    bar.clear()
    return _reported(options, out, run)


def _own(options: Options, out: str, answers: Answers, engine: Engine) -> int:
    bar = Bar("bench-model", "programs", lines=True, before=0)
    progress: Progress = (lambda *_: None) if options.quiet else lambda done, total, rate: bar(done, total, "")
    made, failures = own_run.run(options, out, answers, engine, progress)
    bar.clear()
    print(own_problems.dumped(made) if options.json else own_run.table(made), end="")
    code = _ended(options, out, failures)
    return 1 if any(one["error"] for one in made["problems"]) else code


def _write_requests(options: Options, out: str, file: RequestsFile, engine: Engine) -> int:
    run = _begun(options, out, None, engine)
    sample(file, run.parts, options.request_seed, options.system, lambda done, total, rate: None)
    if not options.quiet:
        print(f"optgap: {file.written} requests in {options.write_requests}; once they are answered the same command with "
              "--read-replies FILE --resume in place of --write-requests makes the report", file=sys.stderr)  # fmt: skip
    return 0


def _read_replies(options: Options, out: str, files: RepliesFiles, engine: Engine) -> int:
    run = _begun(options, out, None, engine)
    before = run.missing
    bar = Bar("bench-model", "rollouts", lines=True, before=sum(part.scored for part in run.parts))
    sample(files, run.parts, options.request_seed, options.system, _progress(options, bar))
    bar.clear()
    if before and run.missing == before:
        raise misuse("read-replies", f"none of the {files.foreign} replies in {', '.join(files.paths)} answers one of the "
                     f"{before} open questions of {out}: written under other settings?")  # fmt: skip
    remarks = [f"{files.foreign} lines answer no open question of this run"] if files.foreign else []
    remarks += (
        [f"{len(files.unreadable)} lines cannot be read, the first: {files.unreadable[0]}"] if files.unreadable else []
    )
    remarks += (
        [f"{run.missing} questions have no reply: --write-requests FILE --resume writes them again"]
        if run.missing
        else []
    )
    if not options.quiet:
        for remark in remarks:
            print(f"optgap: {remark}", file=sys.stderr)
    code = _reported(options, out, run)
    return 1 if run.missing or files.unreadable else code


def _begun(options: Options, out: str, endpoint: Endpoint | None, engine: Engine) -> _Begun:
    """Draws the questions, holds the settings against those of the run in `out`, and takes up what it has."""
    samples = 4 if options.samples is None else options.samples
    share = 0.0 if options.environments else 0.1 if options.twins is None else options.twins
    chosen = [suites.load(name) for name in options.suite or []]
    by_level = options.set is None and not chosen
    if options.set is not None:
        own = None if options.format == "auto" else options.format
        asked = questions.of_set(engine, options.set, options.tasks, options.count, own)
        format = own
    elif chosen:
        first = next((entry for suite in chosen for entry in suite.native), None)
        opening = ("", "d0") if first is None else (first.native or "", first.levels[0])
        format = None if first is None else _format(options, out, endpoint, engine, *opening)
        asked = questions.of_suites(engine, chosen, format or "forge")
    elif options.environments:
        level, count, seed = options.level, options.count or 100, 1 if options.seed is None else options.seed
        format = _format(options, out, endpoint, engine, known_tasks()[0].name, "easy")
        outside = environment_part.of_level(options.tasks, level, count, seed, "test", format)
    else:
        level, count = options.level or "benchmark", options.count or 100
        seed = 1 if options.seed is None else options.seed
        name = known_tasks()[0].name if options.tasks == ["all"] else options.tasks[0]
        format = _format(options, out, endpoint, engine, name, _native.spread_levels(level, 1)[0][0])
        asked = questions.of_level(engine, options.tasks, level, count, seed, "test", format)
    twins = None if options.environments else questions.twins_of(engine, asked, share, seed=1)
    everything = outside if options.environments else asked
    found = {
        **_sampling_settings(options, format), "set": options.set, "tasks": sorted(set(everything.tasks)),
        "suite": [f"{suite.name}#{suite.hash}" for suite in chosen] or None,
        "level": level if by_level else None, "count": count if by_level else options.count,
        "seed": seed if by_level else None, "samples": samples, "twins": share, "questions": everything.digest,
        "twin_questions": None if twins is None else twins.digest,
    }  # fmt: skip
    if options.environments:
        found["environments"] = options.environments
    settings.begin(out, found)
    make: Any = environment_part.EnvironmentPart if options.environments else Part
    parts: list[Part] = [make(engine, everything, samples, os.path.join(out, "rollouts.jsonl"))]
    if twins is not None:
        parts.append(Part(engine, twins, samples, os.path.join(out, "twins.jsonl")))
    for part in parts:
        part.resume()
    return _Begun(found, chosen, parts)


def _reported(options: Options, out: str, run: _Begun) -> int:
    """Writes the report; the exit code."""
    first, *twins = run.parts
    made = report.made({**run.found, "command": _command(run.found)}, first, twins[0] if twins else None, run.suites)
    _write(out, "report.json", report.dumped(made))
    _write_pages(out, page.described(made))
    print(report.dumped(made) if options.json else shown.rates(made), end="")
    return _ended(options, out, [sentence for part in run.parts for sentence in part.failures])


def _calibrate(options: Options, out: str, endpoint: Endpoint, engine: Engine) -> int:
    quality = options.calibrate_quality or 0.0
    seed = 1 if options.seed is None else options.seed
    name = known_tasks()[0].name if options.tasks == ["all"] else options.tasks[0]
    format = _format(options, out, endpoint, engine, name, "d0")
    how: dict[str, Any] = {
        "count": options.count or 16, "samples": options.samples or 1, "seed": seed, "quality": quality,
        "max_prompt_chars": options.max_prompt_chars or 16000,
    }  # fmt: skip
    names = [task.name for task in known_tasks() if task.direct] if options.tasks == ["all"] else options.tasks
    found = {**_sampling_settings(options, format), "calibrate": True, "tasks": names, **how}
    settings.begin(out, found)

    def ask(parts: list[Part]) -> None:
        done = sum(part.scored for part in parts)
        bar = Bar("bench-model", "rollouts of this round", lines=True, before=done)
        sample(endpoint, parts, options.request_seed, options.system, _progress(options, bar))
        bar.clear()

    rounds = calibration_run.Rounds(engine, os.path.join(out, "rollouts"), format=format, ask=ask, **how)
    seen = rounds.run(names)
    made = {**calibration.report_of(seen, quality), "settings": found}
    _write(out, "calibration.json", report.dumped(made))
    _write(out, "curriculum.json", calibration.curriculum_of(seen, quality, seed).state_dict() + "\n")
    described = calibration_run.page_of(made, found)
    _write_pages(out, described)
    print(report.dumped(made) if options.json else shown.bands(made), end="")
    return _ended(options, out, rounds.failures)


def _ended(options: Options, out: str, failures: list[str]) -> int:
    """The exit code of a run that came to its end."""
    if not options.quiet:
        print(f"optgap: {out}/report.html", file=sys.stderr)
    if failures:
        sentence = f"{len(failures)} requests failed for good and are in no rate, the first so: {failures[0]}"
        print(f"optgap: {sentence}; --resume asks them again", file=sys.stderr)
    return 1 if failures else 0


def _check(options: Options) -> None:
    """What the declaration cannot say: numbers out of range, and options without effect."""
    options.tasks = [name for word in options.tasks for name in word.split(",") if name]
    _check_environments(options)
    _check_server(options)
    own_run.check(options)
    for name, low, high in (("concurrency", 1, 1024), ("attempts", 1, 1000), ("count", 1, 10**6), ("samples", 1, 10**4),
                            ("timeout", 0.001, 10**6), ("twins", 0, 1), ("max_tokens", 1, 2**31 - 1),
                            ("temperature", 0, 100), ("top_p", 0, 1), ("calibrate_quality", 0, 1), ("seed", 0, 2**63),
                            ("max_prompt_chars", 1, 2**31)):  # fmt: skip
        value = getattr(options, name)
        if value is not None and not low <= value <= high:
            raise misuse(name, f"is {value}, expected {low} to {high}")
    useless = [(name, "--set") for name in ("level", "seed")] if options.set is not None else []
    useless += [(name, "--suite") for name in ("set", "level", "count", "seed")] if options.suite else []
    if options.suite and options.tasks != ["all"]:
        raise misuse("tasks", "has no effect beside --suite: leave it out")
    useless += [(name, "--calibrate") for name in ("set", "suite", "level", "twins")] if options.calibrate else []
    without = () if options.calibrate else ("calibrate_quality", "max_prompt_chars")
    for name, beside in useless:
        if getattr(options, name) is not None:
            raise misuse(name, f"has no effect beside {beside}: leave it out")
    for name in without:
        if getattr(options, name) is not None:
            raise misuse(name, "has no effect without --calibrate: leave it out")


def _check_environments(options: Options) -> None:
    """Makes environments known, and refuses what they do not have."""
    outside = [name for name in options.tasks if is_outside(name)]
    options.environments = outside
    if not outside:
        if options.trusted:
            raise misuse("trusted", "belongs to environments, such as --tasks FILE.py:CLASS")
        if options.isolation and not options.problem:
            raise misuse("isolation", "belongs to --problem, and to environments, such as --tasks FILE.py:CLASS")
        return
    if len(outside) < len(options.tasks):
        raise misuse("tasks", "of this build and environments in one run: ask them in two")
    for name in ("set", "calibrate", "twins"):
        if getattr(options, name):
            raise misuse(name, f"has no effect on environments such as {outside[0]}: leave it out")
    if options.level is None:
        raise misuse("level", "is missing: environments have levels dN, or a range d0..d4")
    options.tasks = adopt(outside, trusted=options.trusted, isolation=options.isolation)


def _check_server(options: Options) -> None:
    """Exactly one says who answers, and nothing stands beside files that only a server could follow."""
    ways = ("base_url", "write_requests", "read_replies")
    if sum(getattr(options, way) is not None for way in ways) != 1:
        raise misuse("base-url", "expected one of --base-url, --write-requests and --read-replies")
    if options.problem and options.base_url is None:
        raise misuse("problem", "asks a server, expected --base-url")
    if options.base_url is None:
        for name in ("api_key_env", "concurrency", "timeout", "attempts"):
            if getattr(options, name) is not None:
                raise misuse(name, "has no effect without --base-url: leave it out")
        if options.calibrate:
            raise misuse("calibrate", "asks by what was answered before, expected --base-url")


def _format(options: Options, out: str, endpoint: Endpoint | None, engine: Engine, task: str, level: str) -> str:
    """The answer format: as said, as the run in `out` began, or by asking this task."""
    if options.format != "auto":
        return format_text(options.format)
    before = settings.saved(out) if options.resume else None
    if before is not None:
        return str(before["format"])
    if endpoint is None:
        raise misuse("format", "is auto, which asks a server: name one of `optgap formats`, such as answer_only for a model "
                     "whose server sends its reasoning apart, or forge")  # fmt: skip
    opening = [] if options.system is None else [{"role": "system", "content": options.system}]
    chosen = format_choice.chosen(endpoint, engine, engine.generate(task, level, split="val"), opening)
    if not options.quiet:
        print(f"optgap: answer format {chosen}, by the model's first answer", file=sys.stderr)
    return chosen


def _sampling_settings(options: Options, format: str | None) -> dict[str, Any]:
    names = ("model", "temperature", "top_p", "max_tokens", "request_seed", "extra_body", "system")
    return {**{name: getattr(options, name) for name in names}, "format": format, "engine": _native.version}


def _command(found: dict[str, Any]) -> str:
    """The command that asks the same again."""
    words = ["optgap", "bench-model", "--base-url", "URL", "--out", "DIR"]
    for name in ("model", "set", "suite", "tasks", "level", "count", "seed", "samples", "twins", "format", "system",
                 "temperature",
                 "top_p", "max_tokens", "request_seed", "extra_body"):  # fmt: skip
        value = found[name]
        if name == "suite":
            words += [word for suite in value or [] for word in ("--suite", suite)]
            continue
        if name == "tasks" and found["suite"]:
            continue
        if name == "tasks":
            value = found.get("environments", value)
        if value is not None and value != {}:
            if isinstance(value, list):
                text = ",".join(value)
            else:
                text = json.dumps(value) if isinstance(value, dict) else str(value)
            words += [f"--{name.replace('_', '-')}", text]
    return shlex.join(words)


def _progress(options: Options, bar: Bar) -> Progress:
    if options.quiet:
        return lambda done, total, rate: None
    return lambda done, total, rate: bar(done, total, f", SR {100 * rate:.1f} % so far")


def _write_pages(out: str, described: dict[str, Any]) -> None:
    _write(out, "report.md", pages.markdown(described))
    _write(out, "report.html", pages.html(described))


def _write(out: str, name: str, text: str) -> None:
    replace(os.path.join(out, name), text)


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise misuse("extra_body", f"is {text!r}, expected a JSON object")
    return found
