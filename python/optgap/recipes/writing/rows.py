"""Data of an arm that does not draw from a curriculum: the commands that make them, and the rewards of what is none of optgap's."""

from __future__ import annotations

import json
import math
import shlex

from ...core.errors import misuse
from .run import Run

OTHERS = {"maths": "Maths()", "judged": "Judge({judge_url!r}, {judge_model!r}{judge_key})", "modelled": "Classifier({reward_model!r})",
          "likely": "Likelier(tokenizer)"}  # fmt: skip
"""Kinds that another reward than optgap's rewards, and how it is made (recipes/rewarding.py)."""
_AS_WORDS = ("bleu", "random")
"""Presets that read the references, or nothing: rubrics of words serve them."""


def others(run: Run) -> list[str]:
    """The run's kinds of rows that optgap does not reward."""
    return [kind for kind in run.kinds if kind in OTHERS]


def rewarding(run: Run, kind: str) -> str:
    """The expression that makes a kind's reward."""
    brought = run.brought
    key = "" if brought.judge_key_env is None else f", api_key_env={brought.judge_key_env!r}"
    return OTHERS[kind].format(
        judge_key=key, judge_url=brought.judge_url, judge_model=brought.judge_model, reward_model=brought.reward_model
    )


def class_of(kind: str) -> str:
    """The class in recipes/rewarding.py."""
    return OTHERS[kind].partition("(")[0]


def refuse_in_process(run: Run, trainer: str) -> None:
    """Raises Error where the reward asks a model that only TRL's process has."""
    for kind, why in (("modelled", "a reward model would be loaded by every reward worker"),
                      ("likely", "a reward function does not see the policy")):  # fmt: skip
        if kind in run.kinds:
            raise misuse("trainer", f"{trainer} has no place for {run.name}: {why}; trl has")


def ranks(run: Run) -> bool:
    """Whether programs are ranked instance by instance."""
    return "programs" in run.kinds


def rewards_file(run: Run, shape: str, name: str) -> dict[str, str]:
    """rewards.py for a trainer that asks a module; nothing where all rows are optgap's. `shape`: of recipes/rewarding.py."""
    kinds = others(run)
    if not kinds:
        return {}
    (kind,) = kinds
    return {
        "rewards.py": f'"""The reward of {run.name} for rows that are none of optgap\'s."""\n\n'
        f"from optgap.recipes.rewarding import {class_of(kind)}, {shape}\n\n{name} = {shape}({rewarding(run, kind)})\n"
    }


def data_lines(run: Run, trainer: str, out: str) -> str:
    """Shell lines that write `out`."""
    if "programs" in run.kinds:
        count = math.ceil(run.steps * run.batch / len(run.tasks))
        # Ranks read objectives alone: a step of search is enough of a baseline.
        return (f"optgap dataset {' '.join(run.tasks)} --candidate program --interface solve --limits river --instances "
                f"{int(run.number('instances_per_prompt'))} --trainer {trainer} --level benchmark --budget 1 --count {count} --seed "
                f"{run.seed} --out {out} --quiet\n")  # fmt: skip
    if "curriculum" in run.kinds:
        return (f"python3 -m optgap.recipes.data curriculum --policy {shlex.quote(json.dumps(run.policy))} --tasks "
                f"{','.join(run.tasks)} --maths {shlex.quote(str(run.brought.data))} --steps {run.steps} --batch {run.batch} "
                f"--share {run.number('rows_share')} --format {run.format} --seed {run.seed} --trainer {trainer} --out {out}\n")  # fmt: skip
    lines, files = "", []
    for kind in run.kinds:
        if kind == "rubrics":
            made, path = rubrics(run)
            lines += made
        else:
            path = str(run.brought.data if kind == "maths" else run.brought.pairs)
        files.append(f"{kind}={shlex.quote(path)}")
    options = f" --preset {run.arm.used('preset')}" if "rubrics" in run.kinds else ""
    options += " --one-level" if run.arm.used("one_level") else ""
    options += f" --share {run.number('rows_share')}" if len(files) == 2 else ""
    count = int(run.arm.used("instances", run.steps * run.batch))
    return lines + (f"python3 -m optgap.recipes.data rows {' '.join(files)} --count {count}{options} --seed {run.seed} "
                    f"--trainer {trainer} --out {out}\n")  # fmt: skip


def rubrics(run: Run) -> tuple[str, str]:
    """Shell lines that make rubrics of the pairs, and the file that has them."""
    pairs = shlex.quote(str(run.brought.pairs))
    by = run.arm.used("keywords_by")
    if by is None and run.checked.has_rubrics:
        return "", str(run.brought.pairs)
    if by is None and run.arm.used("preset") in _AS_WORDS:
        by = "tfidf"
    if by is not None:
        seed = f" --seed {run.seed + 1}" if by == "random" else ""
        share = run.arm.used("keywords_share", 0.15)
        return (
            f"[[ -f made/rubrics.jsonl ]] || optgap rubric make {pairs} --by {by} --share {share}{seed} --out made\n",
            "made/rubrics.jsonl",
        )
    return (
        "# A model writes keywords and checks; --dry-run before --out says what that costs.\n"
        f'[[ -f made/rubrics.jsonl ]] || optgap rubric make {pairs} --base-url "${{RUBRICS_URL:?a server that writes rubrics}}" \\\n'
        '    --model "${RUBRICS_MODEL:?its model}" ${RUBRICS_KEY_ENV:+--api-key-env "$RUBRICS_KEY_ENV"} --out made $([[ -d made ]] && echo --resume)\n',
        "made/rubrics.jsonl",
    )


def script(run: Run, trainer: str, out: str) -> dict[str, str]:
    """data.sh."""
    return {
        "data.sh": f'#!/usr/bin/env bash\n# The data of {run.name}.\nset -euo pipefail\ncd "$(dirname "$0")"\n'
        f"{data_lines(run, trainer, out)}"
    }
