"""Scored rows and reports of bench-model whose every number is known, for tests of compare and leaderboard."""

import json

FINGERPRINT = "0123456789abcdef"


def scored(key, quality, sample=None, code=None, tokens=None, **more):
    """A row as `optgap score` writes it; a quality of None is an infeasible answer."""
    feasible = quality is not None
    row = {
        "key": key,
        "reward": 1.0 if feasible else -0.5,
        "feasible": int(feasible),
        "quality": quality or 0.0,
        "normalized": quality or 0.0,
        "optimal": float(quality == 1),
        "code": code or ("ok" if feasible else "wrong_length"),
        "fingerprint": FINGERPRINT,
        **more,
    }
    if sample is not None:
        row["sample"] = sample
    if tokens is not None:
        row["usage"] = {"completion_tokens": tokens}
    return row


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def keys(count, task="tsp", level="easy"):
    return [f"{task}@1:test:{level}:{seed}" for seed in range(1, count + 1)]


def folder(path, model, qualities, task="tsp", fingerprint=FINGERPRINT, greedy=0.9, settings=()):
    """A folder of bench-model: an answer of these qualities to each of as many instances."""
    path.mkdir(parents=True)
    rows = [scored(key, quality, 0, tokens=10) for key, quality in zip(keys(len(qualities), task), qualities)]
    write(path / "rollouts.jsonl", rows)
    rate = {
        "sr": sum(quality is not None for quality in qualities) / len(qualities),
        "qr": sum(quality or 0 for quality in qualities) / len(qualities),
        "optimal": sum(quality == 1 for quality in qualities) / len(qualities),
    }
    rate["normalized"] = rate["qr"]
    cell = {
        **rate,
        "intervals": {name: [value / 2, value] for name, value in rate.items()},
        "rollouts": len(qualities),
        "instances": len(qualities),
        "errors": 0,
        "proven": len(qualities),
        "tokens_mean": 10.0,
        "anchors": {
            "floor": {"sr": 1.0, "qr": 0.5, "normalized": 0.0},
            "greedy": {"sr": 1.0, "qr": greedy, "normalized": 0.7},
        },
    }
    report = {
        "optgap_report": 1,
        "fingerprint": fingerprint,
        "settings": {"model": model, "questions": "77", **dict(settings)},
        "tasks": {task: cell},
        "levels": [{"task": task, "level": "easy", **cell}],
        "all": cell,
    }
    (path / "report.json").write_text(json.dumps(report), encoding="utf-8")
    (path / "settings.json").write_text(json.dumps(report["settings"]), encoding="utf-8")
    return str(path)
