"""A folder of `optgap bench-set` as a Hugging Face data set: parquet for each task, and a README with the card's metadata.

optgap bench-set --hf DIR
datasets.load_dataset("DIR", "tsp", split="test")
"""

from __future__ import annotations

import json
import pathlib
import shutil
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from optgap.core.errors import misuse
from optgap.data.benchmark_set import read_bench_set

COLUMNS = {
    "key": "string", "task": "string", "level": "string", "prompt": "string", "ground_truth": "string",
    "answer": "string", "instance": "string", "hash": "string", "style": "int32", "format": "string",
    "prompt_chars": "int32", "objective": "int64", "bound": "int64", "bound_kind": "string", "status": "string",
    "proven": "bool", "steps": "int64", "floor": "int64", "greedy": "int64",
}  # fmt: skip
"""Of every task, so that tasks may be joined: an instance and an answer are JSON, whatever their task."""

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
"""The Hub's words for how many rows there are."""

EVERY = "all"
"""The configuration of all tasks together, which is the default."""


class Part(NamedTuple):
    """A configuration."""

    name: str
    path: str
    rows: int
    memory: int
    download: int
    """Bytes as Arrow and as parquet."""


def arrow() -> Any:
    """pyarrow with its parquet. Raises Error where it is not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise misuse("hf", "parquet needs pyarrow: pip install 'optgap[hf]'") from None
    return pyarrow


def write(made: str | pathlib.Path, folder: str | pathlib.Path) -> int:
    """From a folder that bench-set wrote; the rows written. `folder` is made, and must be empty if it is there."""
    pyarrow = arrow()
    source, here = pathlib.Path(made), pathlib.Path(folder)
    schema = pyarrow.schema([(name, getattr(pyarrow, _arrow_name(kind))()) for name, kind in COLUMNS.items()])
    parts = []
    for task, of in read_bench_set(str(source)).items():
        path = here / _file(task)
        path.parent.mkdir(parents=True, exist_ok=True)
        table = pyarrow.Table.from_pylist([_typed(row) for row in of], schema=schema)
        pyarrow.parquet.write_table(table, path)
        parts.append(Part(task, _file(task), table.num_rows, table.nbytes, path.stat().st_size))
    for picture in sorted(source.glob("*.svg")):
        shutil.copyfile(picture, here / picture.name)
    shutil.copyfile(source / "index.json", here / "index.json")
    (here / "README.md").write_text(_readme(source, parts), encoding="utf-8")
    return sum(part.rows for part in parts)


def _arrow_name(kind: str) -> str:
    return "bool_" if kind == "bool" else kind


def _file(task: str) -> str:
    return f"data/{task}/test-00000-of-00001.parquet"


def _typed(row: Mapping[str, Any]) -> dict[str, Any]:
    values = {name: row[name] for name in COLUMNS}
    for name in ("answer", "instance", "format"):
        if not isinstance(values[name], (str, type(None))):
            values[name] = json.dumps(values[name])
    return values


def _readme(source: pathlib.Path, parts: Sequence[Part]) -> str:
    """The card's metadata, how to load and to score it, and the card as bench-set writes it."""
    index = json.loads((source / "index.json").read_text(encoding="utf-8"))
    _, _, card = (source / "card.md").read_text(encoding="utf-8").partition("\n")
    return f"---\n{_metadata(parts)}---\n\n{_GUIDE}\n## What is in it\n\nWritten by {index['engine']}.\n{card}"


def _metadata(parts: Sequence[Part]) -> str:
    """YAML that the Hub and `datasets` read."""
    sums = [sum(column) for column in zip(*((part.rows, part.memory, part.download) for part in parts))]
    size = next((name for limit, name in SIZES if sums[0] < limit), "n>1M")
    configs = [Part(EVERY, "data/*/test-*.parquet", *sums), *parts]
    lines = [
        "pretty_name: optgap benchmark set",
        "license: apache-2.0",
        "language:", "- en",
        "task_categories:", "- text-generation",
        "size_categories:", f"- {size}",
        "annotations_creators:", "- machine-generated",
        "source_datasets:", "- original",
        "tags:", "- combinatorial-optimization", "- np-hard", "- reasoning", "- verifiable-rewards",
        "configs:",
    ]  # fmt: skip
    for part in configs:
        lines += [f"- config_name: {part.name}", *(["  default: true"] if part.name == EVERY else []),
                  "  data_files:", "  - split: test", f"    path: {part.path}"]  # fmt: skip
    lines.append("dataset_info:")
    for part in configs:
        lines += [f"- config_name: {part.name}", "  features:"]
        lines += [line for column, kind in COLUMNS.items() for line in (f"  - name: {column}", f"    dtype: {kind}")]
        lines += ["  splits:", "  - name: test", f"    num_bytes: {part.memory}", f"    num_examples: {part.rows}",
                  f"  download_size: {part.download}", f"  dataset_size: {part.memory}"]  # fmt: skip
    return "".join(line + "\n" for line in lines)


_GUIDE = """# Benchmark instances of NP-hard problems, with proven optima

All of it is generated from seeds, and nothing was collected from anywhere: other seeds give another set of the same kind.
The instances are of the split `test`, which training exports refuse.

```python
from datasets import load_dataset

rows = load_dataset("DIR", "tsp", split="test")     # a task; without its name all of them
```

| column | |
|---|---|
| `prompt` | what the model is asked; `style` says in which of the task's wordings, `format` how it is to answer |
| `ground_truth` | what scoring needs, as one string: key, baseline and format |
| `key`, `task`, `level`, `hash` | the instance's name, which rebuilds it anywhere |
| `instance`, `answer` | the instance and its best answer, as JSON |
| `objective`, `bound`, `bound_kind`, `status`, `proven`, `steps` | of that answer, and how it was proven |
| `floor`, `greedy` | objectives of a constant policy and of a greedy pass, null where infeasible |

```python
from optgap.trainers.common.evaluation import evaluate

scored = evaluate(completions, rows["ground_truth"]).rows     # feasible, quality, normalized, code … of each
```
"""
