"""lm-evaluation-harness (lm-eval): what the files of `optgap lm-eval-task DIR` call.

    optgap lm-eval-task DIR
    lm_eval --model local-chat-completions --model_args model=my-model,base_url=http://localhost:8000/v1/chat/completions \\
        --include_path DIR --tasks optgap_forge --apply_chat_template
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

from optgap.core.files.run_folder import replace
from optgap.trainers.common.evaluation import evaluate

METRICS = ("sr", "quality", "normalized", "optimal")
"""What a document's result holds: feasible, quality (0 where infeasible), quality over the floor, proven optimal."""

COLUMNS = ("key", "task", "level", "style", "format", "prompt", "answer", "ground_truth")
"""Of a document."""


def process_results(doc: Mapping[str, Any], results: Sequence[Any]) -> dict[str, float]:
    """The metrics of one document. The harness says nothing of how generation ended: only the text counts."""
    text = results[0] if results and isinstance(results[0], str) else ""
    found = evaluate([text], [doc["ground_truth"]])
    row = found.rows[0]
    return dict(zip(METRICS, (row["feasible"], row["quality"], row["normalized"], float(found.optimal[0]))))


def load(path: str | pathlib.Path) -> dict[str, Any]:
    """The documents of a JSONL file, as the split `test`."""
    from datasets import Dataset

    with open(path, encoding="utf-8") as lines:
        return {"test": Dataset.from_list([json.loads(line) for line in lines])}


def write(
    folder: str | pathlib.Path, rows: Mapping[str, Sequence[Mapping[str, Any]]], group: str, options: Mapping[str, Any]
) -> list[str]:
    """Writes a group of tasks, one per task of `rows` (`optgap.data.benchmark_set`): YAML, JSONL, and the module they call.
    Returns the names of the files. `options`: generation_kwargs."""
    here = pathlib.Path(folder)
    here.mkdir(parents=True, exist_ok=True)
    files = {"utils.py": _MODULE, f"{group}.yaml": _group_yaml(group, list(rows))}
    for task, of in rows.items():
        documents = ({name: _plain(row[name]) for name in COLUMNS} for row in of)
        files[f"{task}.jsonl"] = "".join(json.dumps(document) + "\n" for document in documents)
        files[f"{group}_{task}.yaml"] = _task_yaml(group, task, of[0], options)
    for name, text in files.items():
        replace(here / name, text)
    return list(files)


def _plain(value: Any) -> Any:
    """An answer as text, as a model would write it."""
    return json.dumps(value) if isinstance(value, list) else value


_MODULE = '''"""What the tasks in this folder call: written by `optgap lm-eval-task`."""

import pathlib

import optgap.measure.evaluators.lm_eval
from optgap.measure.evaluators.lm_eval import process_results


def load(file, **_):
    return optgap.measure.evaluators.lm_eval.load(pathlib.Path(__file__).parent / file)
'''


def _group_yaml(group: str, tasks: Sequence[str]) -> str:
    names = "".join(f"  - {group}_{task}\n" for task in tasks)
    means = "".join(f"  - {{metric: {name}, aggregation: mean, weight_by_size: true}}\n" for name in METRICS)
    return f"group: {group}\ntask:\n{names}aggregate_metric_list:\n{means}metadata:\n  version: 1.0\n"


def _task_yaml(group: str, task: str, row: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    version = row["key"].split(":")[0].split("@")[1]
    metrics = "".join(f"  - {{metric: {name}, aggregation: mean, higher_is_better: true}}\n" for name in METRICS)
    generation = "".join(f"  {name}: {json.dumps(value)}\n" for name, value in options.items())
    return f"""task: {group}_{task}
task_alias: {task}
custom_dataset: !function utils.load
dataset_kwargs:
  file: {task}.jsonl
test_split: test
output_type: generate_until
num_fewshot: 0
doc_to_text: prompt
doc_to_target: answer
process_results: !function utils.process_results
generation_kwargs:
  until: []
{generation}metric_list:
{metrics}metadata:
  version: {version}.0
"""
