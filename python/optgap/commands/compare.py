"""Compare two models on the same instances: paired differences with intervals, and which failures became which."""

from __future__ import annotations

import functools
import sys

from ..core.engine import Engine
from ..core.errors import misuse
from ..measure.benchmark import report
from ..measure.comparison import comparison_page, comparison_text, differences, figures, pairing
from ..measure.comparison.model_rows import ModelRows, read
from ..rows.scoring import Scorer
from . import Options


def run(options: Options) -> int:
    _check(options)
    scorer = functools.cache(lambda: Scorer(Engine(options.device, options.threads)))
    if options.b is None:
        a, b = _of_one_file(options.a, read(options.a, scorer), options.models)
    else:
        a, b = (_only(path, read(path, scorer)) for path in (options.a, options.b))
    obstacles = pairing.obstacles(a, b)
    if obstacles and not options.anyway:
        raise ValueError(f"{'; '.join(obstacles)}; --anyway compares what both have")
    made = differences.made(a, b, pairing.paired(a, b), obstacles)
    sys.stdout.write(report.dumped(made) if options.json else comparison_text.text_of(made))
    if options.html:
        figures.write_page(options.html, comparison_page.described(made, figures.command_of(options.words)))
        if not options.quiet:
            print(f"optgap: wrote {options.html}", file=sys.stderr)
    return _verdict(options, differences.worse(made, options.fail_under)) if options.fail_under is not None else 0


def _check(options: Options) -> None:
    if options.html:
        figures.check_page_name("--html", options.html)
    if options.fail_under is not None and not 0 <= options.fail_under <= 1:
        raise misuse(
            "fail-under", f"is {options.fail_under}, expected 0 to 1: how much worse B may be, as a share of 1"
        )
    if options.models and len(options.models) != 2:
        raise misuse("models", f"are {len(options.models)}, expected the two that are compared")
    if options.models and options.b is not None:
        raise misuse("models", "has no effect on two results: leave it out, or name one file with rows of both models")


def _of_one_file(path: str, found: dict[str, ModelRows], models: list[str] | None) -> tuple[ModelRows, ModelRows]:
    names = models or list(found)
    missing = [name for name in names if name not in found]
    if missing or len(names) != 2 or names[0] == names[1]:
        said = f"has no rows of {', '.join(missing)}; " if missing else ""
        raise misuse(
            "models", f"{said}{path} has rows of {_listed(found)}: expected two models of one file, or two results"
        )
    return found[names[0]], found[names[1]]


def _only(path: str, found: dict[str, ModelRows]) -> ModelRows:
    if len(found) != 1:
        raise ValueError(
            f"{path} has rows of {_listed(found)}; expected those of one model: compare the file alone, with --models A B"
            if found
            else f"{path} has no rows; expected those of a model"
        )
    return next(iter(found.values()))


def _listed(found: dict[str, ModelRows]) -> str:
    return ", ".join(name or "no `model`" for name in found) or "no model"


def _verdict(options: Options, worse: list[str]) -> int:
    if worse and not options.quiet:
        names = ", ".join(figures.NAMES[rate] for rate in worse)
        print(
            f"optgap: B is worse than A by more than {options.fail_under}, beyond its interval: {names}",
            file=sys.stderr,
        )
    return 1 if worse else 0
