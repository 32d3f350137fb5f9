"""What a third party's environment is good for as a task: does it repeat, reward only what is right, and at what cost.

Exit code 1 when a rule is broken (docs/external.md).
"""

from __future__ import annotations

import dataclasses
import json

from ..core.errors import misuse
from ..measure.benchmark.bar import Bar
from ..rows.external.check import measure
from ..rows.external.check_report import broken_rules, spellings, table, to_json
from ..rows.external.confinement import isolation_level
from ..rows.external.keys import level_of
from ..rows.external.naming import settings_with
from ..rows.external.pool import Pool
from ..rows.external.settings import Settings, from_environment
from ..rows.external_surveys import survey
from . import Options


def run(options: Options) -> int:
    """Measures, prints, judges."""
    is_survey = options.name.endswith("/*")
    if options.long and not is_survey:
        raise misuse("--long", "belongs to a survey, of a NAME such as rlve/*")
    known = from_environment()
    if options.module:
        known = dataclasses.replace(known, tasks={**known.tasks, options.name: options.module})
    (task,), settings = settings_with(
        known, [options.name], trusted=options.trusted, isolation=options.isolation, where="external check"
    )
    if not is_survey:
        return checked_task(settings, task, options)
    return _survey(settings, options, _levels(options, "d0,d2"), _count(options, 2))


def checked_task(settings: Settings, task: str, options: Options) -> int:
    """Measures one environment, prints a table or JSON; the exit code. Reads levels, count and json of the options."""
    levels, count = _levels(options, "d0,d4,d8"), _count(options, 50)
    isolation = isolation_level(settings)
    bar = Bar(f"{options.words[0]} check", "levels")
    found = measure(settings, task, levels, count, bar)
    bar.clear()
    pool = Pool(settings)
    version = pool.describe(task).version
    pool.close()
    broken = broken_rules(found)
    if options.json:
        print(json.dumps(to_json(task, version, found, isolation)))
        return 1 if broken else 0
    print(f"{task}@{version}, {count} problems a level, {isolation}; external: not proven, time-limited")
    print("\n".join(table(found)))
    for sentence in spellings(found):
        print(f"right answers, {sentence}")
    for sentence in broken:
        print(f"broken: {sentence}")
    return 1 if broken else 0


def _levels(options: Options, default: str) -> list[int]:
    return [level_of(text.strip()) for text in (options.levels or default).split(",")]


def _count(options: Options, default: int) -> int:
    count = int(options.count) if options.count is not None else default
    if not 1 <= count <= 10_000:
        raise misuse("--count", f"is {count}, expected 1 to 10000")
    return count


def _survey(settings: Settings, options: Options, levels: list[int], count: int) -> int:
    """Of many environments: the totals, and what is not as it should be."""
    tasks = survey.names(settings, options.name)
    bar = Bar("external check", "environments")
    found = survey.survey(settings, tasks if options.long else survey.sample(tasks), levels, count, bar)
    bar.clear()
    if options.json:
        print(json.dumps(survey.to_json(found, isolation_level(settings))))
    else:
        versions = ", ".join(sorted({one.version for one in found if one.version}))
        of = f"{len(found)} of {len(tasks)} environments"
        print(f"{options.name}@{versions}, {of}, {count} problems a level, {isolation_level(settings)}")
        print("\n".join(survey.table(found)))
    return 1 if any(one.exceptions for one in found) else 0
