"""lm-evaluation-harness' own command on the folder that `optgap lm-eval-task` writes: every number is the engine's."""

import json

from known import VALUES, Known, blocks, means, of_task

(BLOCK,) = blocks("lm-evaluation-harness", "console")


def test_the_group_has_the_engines_numbers(run, server, tmp_path):
    known = Known("forge")
    server.replies.update(known.replies)
    # Its client drops reasoning that comes in a field of its own, and has no finish reason.
    texts = [server.replies[row["prompt"]].text or "" for row in known.rows]
    scored = known.scored(texts)
    assert 0 < means(scored)["sr"] < 1
    write, call = BLOCK.split("\n", 1)
    logged = ("--output_path results", "--output_path results --log_samples")
    script = f"{write} tsp knapsack set_cover --count 10\nmv {write.split()[-1]} moved\n{call}"
    run(script, [("--include_path optgap-tasks", "--include_path moved"), logged])
    (path,) = (tmp_path / "results").glob("*/results_*.json")
    results = json.loads(path.read_text(encoding="utf-8"))["results"]
    for task in ("tsp", "knapsack", "set_cover"):
        found = results[f"optgap_forge_{task}"]
        for name in VALUES:
            assert found[f"{name},none"] == means(of_task(scored, task))[name]
            assert found[f"{name}_stderr,none"] >= 0
        (path,) = (tmp_path / "results").glob(f"*/samples_optgap_forge_{task}_*.jsonl")
        samples = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        assert len(samples) == 10
        for sample in samples:
            assert {name: sample[name] for name in VALUES} == scored[sample["doc"]["key"]]
    assert all(abs(results["optgap_forge"][f"{name},none"] - means(scored)[name]) < 1e-12 for name in VALUES)
    assert [request.body["max_tokens"] for request in server.requests] == [16384] * len(known.rows)
    assert all(request.body["temperature"] == 0 and not request.body["stop"] for request in server.requests)
