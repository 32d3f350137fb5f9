"""What a third party's environment is good for as a task: does it repeat, reward only what is right, and at what cost.

Exit code 1 when a rule is broken (docs/external.md).
"""

from __future__ import annotations

import dataclasses
import json

from ..core.errors import misuse
from ..measure.benchmark.bar import Bar
from ..rows.external import survey
from ..rows.external.check import measure
from ..rows.external.check_report import COLUMNS, broken_rules, spellings, table, to_json
from ..rows.external.confinement import isolation_level
from ..rows.external.keys import level_of
from ..rows.external.pool import Pool
from ..rows.external.settings import Settings, checked, from_environment
from . import Options


def run(options: Options) -> int:
    """Measures, prints, judges."""
    is_survey = options.name.endswith("/*")
    if options.long and not is_survey:
        raise misuse("--long", "belongs to a survey, of a NAME such as rlve/*")
    count = options.count if options.count is not None else 2 if is_survey else 50
    if not 1 <= count <= 10_000:
        raise misuse("--count", f"is {count}, expected 1 to 10000")
    levels = [level_of(text.strip()) for text in (options.levels or ("d0,d2" if is_survey else "d0,d4,d8")).split(",")]
    known = dataclasses.asdict(from_environment())
    tasks = {**known["tasks"], options.name: options.module} if options.module else known["tasks"]
    asked = {**known, "tasks": tasks, "trusted": options.trusted or known["trusted"]}
    settings = checked({**asked, "isolation": options.isolation} if options.isolation else asked, "external check")
    isolation = isolation_level(settings)
    if is_survey:
        return _survey(settings, options, levels, count)
    bar = Bar("external check", "levels")
    found = measure(settings, options.name, levels, count, bar)
    bar.clear()
    pool = Pool(settings)
    version = pool.describe(options.name).version
    pool.close()
    broken = broken_rules(found)
    if options.json:
        print(json.dumps(to_json(options.name, version, found, isolation)))
        return 1 if broken else 0
    print(f"{options.name}@{version}, {count} problems a level, {isolation}; external: not proven, time-limited")
    cells = [COLUMNS, *table(found)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(COLUMNS))]
    for row in cells:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    for sentence in spellings(found):
        print(f"right answers, {sentence}")
    for sentence in broken:
        print(f"broken: {sentence}")
    return 1 if broken else 0


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
