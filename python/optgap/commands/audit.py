"""Does a reward score what is right, and nothing else?

Any reward function (--reward), data set of reasoning-gym or environment (--env), or our own formats (--format; all of them where nothing is
given), against the attacks of optgap.measure.attacks: how often it rewards what it must not, and refuses what it must reward, by template
and attack, with 95 % bounds; and a hill-climbing attacker. docs/audit.md says what counts as rewarded.
"""

from __future__ import annotations

import contextlib
import json
import logging
from collections.abc import Iterator

from ..core.engine import Engine
from ..core.errors import misuse, one_of
from ..core.files.reading import rows_of
from ..measure import attacks
from ..measure.attacks.writing import Writing
from ..measure.audit import climbing, environments, foreign, questions, report, running, subjects, templates, twins
from ..measure.audit.questions import Questions
from ..measure.audit.subjects import Subject
from ..measure.benchmark.bar import Bar
from ..rows.external.naming import adopt, is_outside
from . import Options

GYM = "reasoning-gym:"
_DEADLINE = 5.0
_STEPS = {"ours": 2000, "foreign": 400}


def run(options: Options) -> int:
    """Exit code 0 or 1, as the help says."""
    _refuse_idle_options(options)
    for name in options.through or ():
        one_of("through", name, subjects.THROUGH)
    one_of("signature", options.signature, ("auto", *foreign.SIGNATURES))
    if options.count is None:
        options.count = 10 if options.env else 2
    if options.count < 1:
        raise misuse("count", f"is {options.count}, expected 1 or more")
    if not options.deadline > 0:
        raise misuse("deadline", f"is {options.deadline:g}, expected more than 0 seconds")
    if not 0 < options.rewarded <= 1:
        raise misuse("rewarded", f"is {options.rewarded:g}, expected more than 0 and at most 1")
    found, shown = [], []
    with _without_warnings():
        for subject, asked, writings, notes in _audited(options):
            try:
                found.append(_audit(options, subject, asked, writings, notes))
            finally:
                subject.stop()
            shown.append([row.name for row in asked.rows])
    settings = {
        name: getattr(options, name) for name in ("level", "tasks", "count", "seed", "rewarded", "spec", "signature")
    }
    failed = [made for made in found if not made.passed or (options.strict and made.sum.false_refusal.found)]
    if options.json:
        records = [report.as_json(made, {**settings, "version": attacks.VERSION}) for made in found]
        print(json.dumps({"passed": not failed, "subjects": records}))
    else:
        print("\n\n".join(report.as_text(made, names, options.every) for made, names in zip(found, shown)))
    return 1 if failed else 0


@contextlib.contextmanager
def _without_warnings() -> Iterator[None]:
    """Of what adapters log once of a run."""
    logger = logging.getLogger("optgap")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


def _audit(
    options: Options, subject: Subject, asked: Questions, writings: list[Writing], notes: list[str]
) -> running.Audit:
    """The matrix, the twins and the attacker."""
    bar, climber = (
        Bar(f"audit {subject.name}{more}", unit) for more, unit in (("", "texts"), (", attacker", "templates"))
    )
    texts = attacks.attacks(options.attacks)
    made = running.audit(subject, writings, asked, texts, options.rewarded, (lambda *_: None) if options.quiet else bar)
    size = f"{len(writings)} templates, {len(asked.rows)} questions, {len(texts)} attacks (version {attacks.VERSION})"
    made.notes[:0] = [size, *notes]
    twins.compare(made, subject, writings, asked, options.seed)
    bar.clear()
    steps = _STEPS["foreign" if options.reward or options.env else "ours"] if options.steps is None else options.steps
    for done, writing in enumerate(writings if steps > 0 else []):
        if not options.quiet:
            climber(done, len(writings))
        find = climbing.climb(subject, writing, asked, steps, options.seed)
        made.finds += [find] if find is not None else []
    climber.clear()
    return made


def _refuse_idle_options(options: Options) -> None:
    """A setting without effect is refused."""
    foreign_only = options.reward or options.env
    environment = bool(options.env) and is_outside(options.env)
    idle = {
        "spec": foreign_only and options.spec,
        "through": foreign_only and options.through,
        "templates": foreign_only and options.templates != "formats",
        "data": not options.reward and options.data,
        "signature": not options.reward and options.signature != "auto",
        "tasks": (options.env or options.data) and options.tasks,
        "level": ((options.env and not environment) or options.data) and options.level,
        "trusted": not environment and options.trusted,
        "isolation": not environment and options.isolation,
        "count": options.data and options.count is not None,
        "deadline": (environment or not foreign_only) and options.deadline != _DEADLINE,
    }
    for name, given in idle.items():
        if given:
            raise misuse(name, "has no effect with what is audited here")


def _audited(options: Options) -> Iterator[tuple[Subject, Questions, list[Writing], list[str]]]:
    """Subject, questions, templates and notes of each audit."""
    if options.reward:
        asked = _questions(options)
        subject, taken = foreign.function(options.reward, options.signature, options.deadline, asked)
        yield subject, asked, *_templates_of(options, subject, asked, [f"called by the signature {taken}"])
    elif options.env:
        if is_outside(options.env):
            yield _environment(options)
            return
        if not options.env.startswith(GYM):
            raise misuse("env", f"is {options.env!r}, expected {GYM}NAME, FILE.py:CLASS or a name such as mine/toy")
        subject, answers, prompts = foreign.gym(
            options.env.removeprefix(GYM), options.seed, options.count, options.deadline
        )
        asked = questions.of_rows(answers, prompts, [{} for _ in prompts])
        note = "what is right and what is wrong is what its own score_answer says of bare answers: a fault in it is not found"
        yield subject, asked, *_templates_of(options, subject, asked, [note])
    else:
        asked = _questions(options)
        for spec in options.spec or ["forge"]:
            for through in options.through or subjects.THROUGH:
                ours: Subject = subjects.Ours(spec, through)
                writings = templates.ours(options.format or ())
                notes = [f"reward {spec}"]
                if through == "engine" and not options.format:
                    writings += templates.of_families()
                if through == "engine" and options.templates == "trl":
                    writings += templates.of_trl()
                elif through == "engine":
                    why = "say --templates trl" if templates.trl_is_here() else "TRL is not installed"
                    notes.append(f"TRL's chat templates: SKIPPED, {why}")
                yield ours, asked, writings, notes


def _environment(options: Options) -> tuple[Subject, Questions, list[Writing], list[str]]:
    """An environment behind our formats: all of them, or those that were named."""
    (task,) = adopt([options.env], trusted=options.trusted, isolation=options.isolation)
    subject, asked = environments.subject(task, options.level or "d2", options.seed, options.count)
    note = "what is right and what is wrong is what the environment says of bare answers: a fault in it is not found"
    return subject, asked, templates.ours(options.format or ()), [note]


def _templates_of(
    options: Options, subject: Subject, asked: Questions, notes: list[str]
) -> tuple[list[Writing], list[str]]:
    if options.format:
        return templates.ours(options.format), notes
    writings, why = templates.of_subject(subject, asked)
    return writings, [*notes, f"templates: {', '.join(writing.name for writing in writings)} ({why})"]


def _questions(options: Options) -> Questions:
    if options.data:
        return _rows(options.data)
    tasks = "all" if options.tasks is None else options.tasks.split(",")
    return questions.of_tasks(
        Engine("cpu", options.threads), tasks, options.level or "easy", options.count, options.seed
    )


_RIGHT = ("answer", "solution", "ground_truth")
"""Columns that hold the right answer where a row has no `answers`."""


def _rows(path: str) -> Questions:
    """Rows of a user's file. Where `answers` has no wrong one, the right answer of the next row with another stands in."""
    rows = [row for _, row in rows_of(path)]
    if not rows:
        raise misuse("data", f"{path} has no rows")
    answers = []
    for at, row in enumerate(rows, 1):
        said = next((row[name] for name in _RIGHT if row.get(name) is not None), None)
        kinds = dict(row.get("answers") or {"right": said})
        if kinds.get("right") is None:
            raise misuse(
                f"data, line {at}",
                f"has no right answer: expected answers.right, or one of {', '.join(_RIGHT)}; audit writes the "
                "completions itself, and what a model wrote is for `optgap score` and `optgap eval`",
            )
        answers.append(kinds)
    for at, kinds in enumerate(answers):
        others = [other["right"] for other in answers[at + 1 :] + answers[:at] if other["right"] != kinds["right"]]
        kinds.setdefault("other", next(iter(others), None))
        kinds.setdefault("wrong", kinds["other"])
    columns = [{name: value for name, value in row.items() if name not in ("prompt", "answers")} for row in rows]
    return questions.of_rows(answers, [str(row.get("prompt", "")) for row in rows], columns)
