"""Compare two models on the same instances: paired differences with intervals, and which failures became which."""

from __future__ import annotations

import argparse
import functools
import sys

from ..benchmark import report
from ..comparison import comparison_page, comparison_text, differences, figures, pairing
from ..comparison.model_rows import ModelRows, read
from ..engine import Engine
from ..errors import misuse
from ..rows.scoring import Scorer

_EXAMPLES = """
examples:
  optgap compare base tuned                                      # folders of optgap bench-model
  optgap compare base tuned --html compare.html --json > compare.json
  optgap compare scored-a.jsonl scored-b.jsonl                   # rows of optgap score, or rows that are still to be scored
  optgap compare both.jsonl --models base tuned                  # one file, told apart by its column `model`
  optgap compare base tuned --fail-under 0.02                    # exit code 1: tuned is worse by more than 2 points

Rows are paired by instance and `sample`; without that column the rows of an instance are numbered in their order.
docs/compare.md says more. Exit codes: 0 done; 1 by --fail-under; 2 bad usage, or results that cannot be compared.
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.epilog, parser.formatter_class = _EXAMPLES, argparse.RawDescriptionHelpFormatter
    parser.add_argument("a", metavar="A", help="a folder of optgap bench-model, or a file of rows; the first model's")
    parser.add_argument(
        "b", metavar="B", nargs="?", help="the second model's; without it A is a file with rows of both"
    )
    parser.add_argument(
        "--models",
        nargs=2,
        metavar=("A", "B"),
        help="of one file: the two models by its column `model` (default: its two)",
    )
    parser.add_argument(
        "--anyway",
        action="store_true",
        help="compare what was scored under different fingerprints, or is of different sets",
    )
    parser.add_argument(
        "--fail-under", type=float, metavar="X",
        help="exit with 1 where SR, QR, normalised QR or the optimal share of B is worse than that of A by more than X, "
        "0 to 1, with its whole interval",
    )  # fmt: skip
    parser.add_argument("--html", metavar="FILE", help="write a page, too: .html or .md")
    parser.add_argument("--json", action="store_true", help="the comparison as JSON on stdout instead of tables")
    parser.add_argument("--quiet", action="store_true", help="no remarks on stderr")
    parser.add_argument("--device", default="auto", help=argparse.SUPPRESS)
    parser.add_argument("--threads", type=int, help=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
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
        figures.write_page(options.html, comparison_page.described(made, figures.this_command()))
        if not options.quiet:
            print(f"optgap: wrote {options.html}", file=sys.stderr)
    return _verdict(options, differences.worse(made, options.fail_under)) if options.fail_under is not None else 0


def _check(options: argparse.Namespace) -> None:
    if options.html:
        figures.check_page_name("--html", options.html)
    if options.fail_under is not None and not 0 <= options.fail_under <= 1:
        raise misuse(
            "fail-under", f"is {options.fail_under}, expected 0 to 1: how much worse B may be, as a share of 1"
        )
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


def _verdict(options: argparse.Namespace, worse: list[str]) -> int:
    if worse and not options.quiet:
        names = ", ".join(figures.NAMES[rate] for rate in worse)
        print(
            f"optgap: B is worse than A by more than {options.fail_under}, beyond its interval: {names}",
            file=sys.stderr,
        )
    return 1 if worse else 0
