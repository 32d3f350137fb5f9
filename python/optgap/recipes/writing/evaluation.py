"""evaluate.sh: what optgap measures of a model behind a server, and what lm-evaluation-harness has of the paper's sets."""

from __future__ import annotations

from .. import costs
from .run import CONTESTS, Run

_HEAD = """#!/usr/bin/env bash
# The evaluation of {name}. Serve the model first:
#
#   BASE_URL=http://localhost:8000/v1 MODEL={model} ./evaluate.sh
set -euo pipefail
cd "$(dirname "$0")"
: "${{BASE_URL:?a server of the model}}" "${{MODEL:={model}}}"
mkdir -p evaluation
"""

_TASKS = """optgap bench-model --base-url "$BASE_URL" --model "$MODEL" --tasks {tasks} --level {level} --count 100 --samples {samples} \\
    --out evaluation/tasks $([[ -d evaluation/tasks ]] && echo --resume)
"""

_SUITE = """# The environments of {suite} that are tasks of optgap; the report names the others.
optgap bench-model --base-url "$BASE_URL" --model "$MODEL" --suite {suite} --samples 1 \\
    --out evaluation/{suite} $([[ -d evaluation/{suite} ]] && echo --resume)
"""

_PROGRAMS = """optgap generate {tasks} --level benchmark --split test --count 10 --seed 1 --candidate program --interface solve \\
    --limits river --instances {instances} --prompts --quiet > evaluation/problems.jsonl
python3 -m optgap.recipes.data ask evaluation/problems.jsonl --base-url "$BASE_URL" --model "$MODEL" --samples 3 \\
    --max-tokens {tokens} --out evaluation/programs.jsonl
optgap score evaluation/programs.jsonl --isolation auto --quiet > evaluation/scored.jsonl
optgap eval evaluation/scored.jsonl --k 1
"""

_PAIRS = """# EVAL_PAIRS: rows with rubrics that the model was not trained on.
if [[ -n "${{EVAL_PAIRS:-}}" ]]; then
    python3 -m optgap.recipes.data ask "$EVAL_PAIRS" --base-url "$BASE_URL" --model "$MODEL" --max-tokens 1024 --out evaluation/texts.jsonl
    optgap score evaluation/texts.jsonl --rubric-preset paper --isolation auto --quiet > evaluation/scored.jsonl
    optgap eval evaluation/scored.jsonl
fi
"""

_MATHS = """# EVAL_DATA: problems with `prompt` and `answer` that the model was not trained on.
if [[ -n "${{EVAL_DATA:-}}" ]]; then
    python3 -m optgap.recipes.data ask "$EVAL_DATA" --base-url "$BASE_URL" --model "$MODEL" --temperature 0 --max-tokens 8192 \\
        --out evaluation/maths.jsonl
    python3 -m optgap.recipes.data right evaluation/maths.jsonl
fi
"""

_HARNESS = """if command -v lm_eval > /dev/null; then
    lm_eval --model local-completions --model_args "model=$MODEL,base_url=$BASE_URL/completions,tokenizer=${{TOKENIZER:-$MODEL}}" \\
        --tasks {harness} --output_path evaluation/harness
else
    echo 'lm_eval is not installed (pip install lm-eval[api]): {harness} left out' >&2
fi
"""


def files(run: Run) -> dict[str, str]:
    """evaluate.sh."""
    arm, parts = run.arm, [_HEAD]
    recipe = arm.recipe
    ours = [task for task in run.tasks if costs.is_ours([task])]
    if recipe == "river":
        parts.append(_PROGRAMS)
    elif ours:
        parts.append(_TASKS)
    if recipe == "rlve":
        parts.append(_SUITE)
    if recipe == "rlvrr":
        parts.append(_PAIRS)
    if "maths" in arm.rows or recipe == "rlvrr":
        parts.append(_MATHS)
    harness = arm.used("harness", [])
    if harness:
        parts.append(_HARNESS)
    text = "".join(parts).format(
        name=run.name, model=run.rl_model if arm.stages else run.model, tasks=",".join(ours) if recipe != "river" else " ".join(
            [task for task in run.tasks if task in CONTESTS.values()] or CONTESTS.values()
        ),
        level="benchmark" if recipe == "forge" else "hard", samples=3 if recipe == "forge" else 1, suite="rlve_ood",
        instances=int(arm.used("instances_per_prompt", 10)), tokens=int(arm.used("response_tokens", 16384)),
        harness=",".join(harness),
    )  # fmt: skip
    return {"evaluate.sh": text}
