"""The filter, row by row, and rows for supervised training."""

import json
import subprocess
import sys

import pytest
from completion import complete

import optgap
from optgap.data import supervised


@pytest.fixture(scope="module")
def answered(engine):
    """Three instances of two tasks, in rows as `optgap score` writes them: optimal, greedy, and what must fall."""
    asked = engine.generate(["tsp", "knapsack"], "easy", 3, seed=77)
    solved = engine.solve(asked)
    optimal, greedy = solved.answers.tolist(), engine.greedy(asked).tolist()
    rows = []
    for place, key in enumerate(asked.keys):
        rows += [{"key": key, "completion": complete(answer)} for answer in (optimal[place], greedy[place])]
    first = asked.keys[0]
    rows += [
        {"key": first, "completion": complete(optimal[0]) + "  "},
        {"key": first, "completion": "no answer"},
        {"key": first, "completion": complete([0, 0])},
        {"key": first, "completion": complete(optimal[0])[:-12], "finish": "length"},
    ]
    return asked, rows


@pytest.fixture
def scored(answered, run_native, tmp_path):
    lines = run_native("score", "-", lines=[json.dumps(row) for row in answered[1]])
    path = tmp_path / "scored.jsonl"
    path.write_text("".join(line + "\n" for line in lines))
    return path, [json.loads(line) for line in lines]


def chosen(path, tmp_path, **options):
    report = supervised.choose([path], tmp_path / "chosen.jsonl", **options)
    return report, [json.loads(line) for line in (tmp_path / "chosen.jsonl").read_text().splitlines()]


def test_each_row_falls_for_its_reason(scored, tmp_path):
    path, rows = scored
    report, left = chosen(path, tmp_path)
    assert report.rows == len(rows) == 16
    assert report.fell["broken format"] == 2 and report.fell["infeasible"] == 1, "cut off shows as a broken format"
    twice = sum(rows[place]["completion"] == rows[place + 1]["completion"] for place in range(0, 12, 2))
    assert report.fell["repeated"] == 1 + twice
    assert report.kept == len(left) == 16 - sum(report.fell.values())
    assert all(row in rows and row["feasible"] == 1 for row in left), "rows come out as they were"
    assert [rows.index(row) for row in left] == sorted(rows.index(row) for row in left)


def test_the_bound_is_in_or_out(scored, tmp_path):
    path, rows = scored
    assert {row["quality"] for row in chosen(path, tmp_path, quality="1")[1]} == {1.0}
    with pytest.raises(optgap.Error, match="nothing is left"):
        chosen(path, tmp_path, quality=">1")
    middle = sorted(row["quality"] for row in rows if row["feasible"])[2]
    least = {
        mark: min(row["quality"] for row in chosen(path, tmp_path, quality=f"{mark}{middle!r}")[1])
        for mark in ("", ">=", ">")
    }
    assert least[""] == least[">="] == middle < least[">"]
    for wrong in ("best", "2", "<0.5", "nan"):
        with pytest.raises(optgap.Error, match="quality"):
            chosen(path, tmp_path, quality=wrong)


def test_keep_takes_the_best_then_the_shorter_then_the_first(tmp_path):
    row = {"key": "tsp@1:train:easy:1", "format_name": "forge", "format": 1, "feasible": 1, "truncated": False}
    rows = [{**row, "completion": text, "quality": quality}
            for text, quality in (("xx", 0.9), ("long one", 1.0), ("short", 1.0), ("equal", 1.0))]  # fmt: skip
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    for keep, texts in ((1, ["short"]), (2, ["short", "equal"]), (3, ["long one", "short", "equal"])):
        report, left = chosen(path, tmp_path, keep=keep)
        assert [one["completion"] for one in left] == texts and report.fell["beyond keep"] == 4 - keep


def test_levels_take_turns_under_max_per_task(tmp_path):
    rows = [{"key": f"{task}@1:train:{level}:{seed}", "completion": f"{seed}", "format_name": "forge", "format": 1, "feasible": 1,
             "truncated": False, "quality": 1.0}
            for task in ("tsp", "clique") for level in ("easy", "hard") for seed in range(5)]  # fmt: skip
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    report, left = chosen(path, tmp_path, max_per_task=3)
    assert [one["key"].split("@1:train:") for one in left] == [
        [task, where] for task in ("tsp", "clique") for where in ("easy:0", "easy:1", "hard:0")
    ]
    assert report.fell["beyond max_per_task"] == 14


ROW = {"key": "tsp@1:train:easy:1#aaaaaaaa", "completion": "a tour", "format_name": "forge", "format": 1, "feasible": 1, "truncated": False,
       "quality": 0.9}  # fmt: skip
TWENTY = (
    # What differs from ROW, the reason whose count grows when the row is there, too (another row may be the one that falls),
    # and whether the row is among the chosen at the end.
    ({}, None, False),  # two of the instance are better
    ({"completion": "a tour"}, "repeated", False),
    ({"completion": " a\n tour "}, "repeated", False),  # spaces apart
    ({"completion": "a Tour", "quality": 0.95}, None, False),  # a capital is another text
    ({"format": 0}, "broken format", False),
    ({"format": 0, "feasible": 0, "truncated": True}, "broken format", False),  # the first reason counts
    ({"truncated": True, "completion": "a long tour"}, "cut off", False),
    ({"feasible": 0, "quality": 0.0, "completion": "no tour"}, "infeasible", False),
    ({"quality": 0.49, "completion": "a bad tour"}, "quality", False),
    (
        {"quality": 0.5, "completion": "half a tour", "key": "tsp@1:train:easy:2#bbbbbbbb"},
        None,
        True,
    ),  # the bound is in
    ({"error": {"row": 11, "field": "key", "rule": "missing"}}, "rejected row", False),
    ({"completion": "a tour", "key": "tsp@1:train:easy:3#cccccccc"}, None, True),  # the same text for another instance
    ({"completion": "third", "quality": 1.0}, "beyond keep", True),  # the first leaves
    (
        {"completion": "fourth and long", "quality": 1.0},
        "beyond keep",
        False,
    ),  # "a Tour" leaves; later a level's turn does it
    ({"completion": "fifth", "quality": 0.95}, "beyond keep", False),
    ({"completion": "a tour again", "quality": 0.8}, "beyond keep", False),
    (
        {"completion": "sixth", "key": "tsp@1:train:hard:1#dddddddd"},
        "beyond max_per_task",
        True,
    ),  # the levels take turns: "fourth" leaves
    ({"completion": "seventh", "key": "tsp@1:train:easy:4#eeeeeeee"}, "beyond max_per_task", False),
    ({"completion": "bag", "key": "knapsack@1:train:easy:1#ffffffff"}, None, True),  # another task
    ({"completion": "a\ttour", "key": "tsp@1:train:easy:3#cccccccc"}, "repeated", False),
)


def test_twenty_rows_and_why_each_falls(tmp_path):
    path, fell, rows = tmp_path / "rows.jsonl", {}, []
    for difference, reason, _ in TWENTY:
        rows.append({**ROW, **difference})
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        before, (report, left) = fell, chosen(path, tmp_path, keep=2, max_per_task=4)
        fell = {name: count for name, count in report.fell.items() if count}
        grown = [name for name in fell if fell[name] != before.get(name, 0)]
        assert grown == ([] if reason is None else [reason]), rows[-1]
        assert report.rows == len(rows) and report.kept == len(left) == len(rows) - sum(fell.values())
    assert [row in left for row in rows] == [stays for *_, stays in TWENTY]
    assert str(report) == (f"{len(left)} of 20 rows kept; fell out: 1 rejected row, 2 broken format, 1 cut off, 1 infeasible, "
                           "1 quality, 3 repeated, 4 beyond keep, 2 beyond max_per_task")  # fmt: skip


def test_test_rows_and_rows_without_a_score_are_refused(tmp_path):
    row = {"key": "tsp@1:test:easy:1", "completion": "x", "format_name": "forge", "format": 1, "feasible": 1, "truncated": False,
           "quality": 1.0}  # fmt: skip
    path = tmp_path / "rows.jsonl"
    for one, word in (
        (row, "test split"),
        ({"key": "tsp@1:train:easy:1", "completion": "x"}, "optgap score"),
        ([], "no object"),
    ):
        path.write_text(json.dumps(one) + "\n")
        with pytest.raises(optgap.Error, match=f"line 1.*{word}"):
            chosen(path, tmp_path)
        assert not (tmp_path / "chosen.jsonl").exists()
    path.write_text(json.dumps({"error": {"row": 1}}) + "\n" + json.dumps({**row, "key": "tsp@1:train:easy:1"}) + "\n")
    assert chosen(path, tmp_path)[0].fell["rejected row"] == 1


def test_rows_ask_what_was_answered_and_say_it(answered, scored, tmp_path, engine):
    asked, _ = answered
    _, left = chosen(scored[0], tmp_path, quality=1, keep=1)
    count = supervised.export(tmp_path / "chosen.jsonl", tmp_path / "sft.jsonl", system="Be brief.", engine=engine)
    rows = [json.loads(line) for line in (tmp_path / "sft.jsonl").read_text().splitlines()]
    prompts = dict(zip(asked.keys, engine.prompts(asked)))
    assert count == len(rows) == len(left) == 6
    for row, of in zip(rows, left):
        assert row["messages"] == [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": prompts[of["key"]]},
            {"role": "assistant", "content": of["completion"]},
        ]
        assert (row["key"], row["task"], row["level"], row["quality"]) == (
            of["key"],
            of["key"].split("@")[0],
            "easy",
            1.0,
        )
    supervised.export(tmp_path / "chosen.jsonl", tmp_path / "two.jsonl", shape="prompt_completion", engine=engine)
    first = json.loads((tmp_path / "two.jsonl").read_text().splitlines()[0])
    assert first["prompt"] + first["completion"] == rows[0]["messages"][1:]


def test_the_commands_make_a_rubric(scored, tmp_path):
    def run(*words, given=None):
        return subprocess.run(
            [sys.executable, "-m", "optgap", *words], input=given, capture_output=True, text=True, check=True
        )

    filtered = run("filter", str(scored[0]), "--quality", ">0.5", "--keep", "1")
    assert "rows kept; fell out: " in filtered.stderr
    run("dataset", "--from", "-", "--out", str(tmp_path / "sft.parquet"), given=filtered.stdout)
    import pyarrow.parquet

    assert pyarrow.parquet.read_table(tmp_path / "sft.parquet").num_rows == len(filtered.stdout.splitlines())


def test_rows_of_other_kinds_are_told_apart_by_their_problem(tmp_path):
    scored = {"format": 1, "feasible": 1, "truncated": False, "format_name": None}
    asked = {**scored, "chain": {"chain": 1}, "prompt": "Where is Paris?"}
    judge = {**scored, "role": "judge", "completion": "<score>9</score>", "quality": 0.8}
    rows = [
        {**asked, "completion": "On the Seine.", "quality": 0.9},
        {**asked, "completion": "In  France.", "quality": 0.7},
        {**asked, "completion": "In France.", "quality": 0.7},
        {**asked, "completion": "In France.", "quality": 0.7, "prompt": [{"role": "user", "content": "And now?"}]},
        {**judge, "judged": {"key": "tsp@1:train:easy:1", "completion": "a"}},
        {**judge, "judged": {"key": "tsp@1:train:easy:1", "completion": "b"}},
        {**scored, "key": "mine/toy@1:train:d3:17", "completion": "7", "external": {"reward": 1}, "quality": 1.0},
        {**scored, "proposal": {"task": "tsp", "level": "d5", "seed": 1}, "quality": 1.0},
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    report, left = chosen(path, tmp_path, keep=1)
    assert left == [rows[0], *rows[3:]] and (report.fell["repeated"], report.fell["beyond keep"]) == (1, 1)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows[:1] + rows[3:4]))
    supervised.export(path, tmp_path / "sft.jsonl")
    first, second = map(json.loads, (tmp_path / "sft.jsonl").read_text().splitlines())
    assert (first["task"], first["key"]) == ("text", None) and first["messages"][0]["content"] == "Where is Paris?"
    assert second["messages"] == [
        {"role": "user", "content": "And now?"},
        {"role": "assistant", "content": "In France."},
    ]
    path.write_text(json.dumps(rows[4]) + "\n")
    with pytest.raises(optgap.Error, match="line 1 has none, and of rows of the kind judgement none can be made"):
        supervised.export(path, tmp_path / "sft.jsonl")
    path.write_text(json.dumps({**rows[6], "key": "mine/toy@1:test:d3:17"}) + "\n")
    with pytest.raises(optgap.Error, match="test split"):
        chosen(path, tmp_path)
