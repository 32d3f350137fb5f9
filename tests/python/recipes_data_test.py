"""The steps that make a recipe's data: rows for trainers, a server's answers, preferences; and rewards of rows that are none of
optgap's. The scripts of written folders run here, but for training."""

import json
import os
import subprocess
import sys
import sysconfig
import types

import pytest
import recipe_files
from stand_in_server import StandIn

import optgap
from optgap import recipes
from optgap.recipes import rewarding
from optgap.recipes.data import preferences, reading, rows
from optgap.recipes.writing import write
from optgap.trainers.common.evaluation import evaluate


@pytest.fixture(name="given")
def _given(tmp_path):
    return recipe_files.make(tmp_path)


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def script(folder, name, **variables):
    environment = {**os.environ, "PATH": f"{sysconfig.get_path('scripts')}:/usr/bin:/bin", **variables}
    done = subprocess.run([f"./{name}"], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done


def written(recipe, name, trainer, folder, given, **options):
    arm = recipes.load(recipe).arm(name)
    write(arm, trainer, folder, brought=recipe_files.brought(arm, given), **options)
    return folder


PRESETS = {"rlvrr": "paper", "no-content": "no_content", "one-reference": "one_reference", "keyword-share": "found",
           "no-style": "no_style", "no-style-weights": "no_weights", "bleu": "bleu", "random": "random"}  # fmt: skip


@pytest.mark.parametrize("name", PRESETS)
def test_rows_of_rubrics_are_rewarded_by_the_arms_preset(name, given, tmp_path):
    folder = written("rlvrr", name, "trl", tmp_path / name, given)
    script(folder, "data.sh")
    made = lines(folder / "train.jsonl")
    assert len(made) == 6 and {row["data_source"] for row in made} == {f"optgap/chain/{PRESETS[name]}"}
    texts = ["The Moon pulls on the ocean, and bulges of water follow it.", "No."]
    evaluated = evaluate(texts, [made[0]["ground_truth"]] * 2, reward="forge")
    good, bad = (row["score"] for row in evaluated.rows)
    assert 0 <= good <= 1 and (name == "random" or good > bad)


def test_made_rubrics_have_the_share_of_words_that_the_arm_says(given, tmp_path):
    counts = {}
    for name in ("tfidf-15", "tfidf-30", "random-15"):
        folder = written("rlvrr", name, "openrlhf", tmp_path / name, given)
        script(folder, "data.sh")
        rubrics = [json.loads(row["label"])["chain"] for row in lines(folder / "train.jsonl")]
        assert all("style" not in rubric for rubric in rubrics), "made anew: the file's own rubrics have checks"
        counts[name] = sum(
            len(reference["keywords"])
            for rubric in rubrics
            for reference in rubric["content"]["points"][0]["references"]
        )
    assert counts["tfidf-15"] == counts["random-15"] < counts["tfidf-30"]


def test_one_level_is_one_point_that_rewards_the_same_keywords(given):
    pair = reading.pairs(given["pairs"])[0]
    (point,) = rows.flattened(pair.rubric)["content"]["points"]
    assert point["references"] == [{"keywords": ["Moon", "ocean", "bulges", "Earth"], "of": 0}]
    (two, *_), (one, *_) = (rows.of_file("rubrics", given["pairs"], one_level=flag) for flag in (False, True))
    swapped = "Around the Earth go bulges, since the Moon pulls the ocean."  # the order within points, not over them
    scores = [evaluate([swapped], [item.ground_truth], reward="forge").rows[0]["score"] for item in (two, one)]
    assert scores[1] < scores[0]


def test_the_kind_is_read_by_its_former_name(given):
    with pytest.warns(DeprecationWarning, match="kind 'chains' is 'rubrics' now"):
        assert rows.of_file("chains", given["pairs"]) == rows.of_file("rubrics", given["pairs"])


def test_mixes_have_the_share_that_was_asked(given, tmp_path):
    pairs, data = rows.of_file("rubrics", given["pairs"]), rows.of_file("maths", given["data"])
    for count, share, expected in ((8, 0.5, (4, 4)), (100, 0.5, (6, 6)), (6, 0.25, (5, 1)), (100, 0.0, (6, 0))):
        mixed = rows.mixed(pairs, data, count, share, 1)
        assert (sum(one in pairs for one in mixed), sum(one in data for one in mixed)) == expected
    assert (
        rows.mixed(pairs, data, 8, 0.5, 1) == rows.mixed(pairs, data, 8, 0.5, 1) != rows.mixed(pairs, data, 8, 0.5, 2)
    )
    folder = written("rlvrr", "mix", "slime", tmp_path / "mix", given)
    script(folder, "data.sh")
    sources = [row["metadata"]["data_source"] for row in lines(folder / "train.jsonl")]
    assert sorted(sources) == ["maths"] * 6 + ["optgap/chain/paper"] * 6


def test_a_curriculum_with_mathematics_is_the_curriculums_order(given):
    policy = {"policy": "stages", "pass_steps": 2, "passes": 2, "mixture": [1, 0, 1]}
    others = rows.of_file("maths", given["data"])
    made = list(rows.interleaved(policy, ["clique", "tsp"], others, steps=4, batch=6, share=1 / 3, seed=5))
    plan = optgap.Curriculum(policy, ["clique", "tsp"], 5)
    for step in range(4):
        batch = made[6 * step : 6 * step + 6]
        draws = plan.draws(4, 0)
        plan.step()
        mine = sorted((one.task, one.level) for one in batch if one.data_source.startswith("optgap/"))
        assert mine == sorted(zip(draws.task, draws.level))
        assert sum(one.data_source == "maths" for one in batch) == 2
    engine = optgap.Engine("cpu", 1)
    ours = [json.loads(one.ground_truth) for one in made if one.data_source != "maths"]
    instances = engine.instances([one["key"] for one in ours])
    answers = [f"<think>.</think><answer>{answer}</answer>" for answer in engine.solve(instances).answers.tolist()]
    assert {row["score"] for row in evaluate(answers, [json.dumps(one) for one in ours], reward="forge").rows} == {2.0}


def test_programs_of_three_contests_are_ranked(tmp_path):
    from optgap.recipes.writing import rows as data
    from optgap.recipes.writing.run import settle

    line = data.data_lines(settle(recipes.load("river").arm("river"), None, None, 0), "slime", "train.jsonl")
    assert (
        line.count(
            "optgap dataset chests apples pairs --candidate program --interface solve --limits river --instances 10"
        )
        == 1
    )
    small = line.replace("--count 2134", "--count 1").replace("--level benchmark", "--level easy").split("\n")[-2]
    subprocess.run(
        ["bash", "-ec", small],
        cwd=tmp_path,
        check=True,
        env={**os.environ, "PATH": f"{sysconfig.get_path('scripts')}:/usr/bin:/bin"},
    )
    made = lines(tmp_path / "train.jsonl")
    assert [row["metadata"]["data_source"] for row in made] == [
        f"optgap/program/{task}/easy" for task in ("chests", "apples", "pairs")
    ]


def test_preferences_are_the_best_and_the_worst_of_five(given, tmp_path):
    said = iter(range(10**6))

    def policy(request):
        return (
            "The Moon pulls on the ocean, so bulges follow it around the Earth." if next(said) % 5 == 3 else "No idea."
        )

    folder = written("rlvrr", "instruct-dpo", "trl", tmp_path / "dpo", given, model="my-model")
    with StandIn(policy) as server:
        script(folder, "data.sh", POLICY_URL=server.base_url, POLICY="any")
    made = lines(folder / "preferences.jsonl")
    assert made and len(lines(folder / "answers.jsonl")) == 30
    for row in made:
        assert (
            row["prompt"][0]["role"] == "user"
            and "Moon" in row["chosen"][0]["content"]
            and row["rejected"][0]["content"] == "No idea."
        )


def test_rows_that_say_nothing_give_no_preference(tmp_path):
    scored = tmp_path / "scored.jsonl"
    scored.write_text(
        "".join(json.dumps({"prompt": "Why?", "completion": str(n), "reward": 0.5}) + "\n" for n in range(3))
    )
    with pytest.raises(optgap.Error, match="no prompt of 1 has answers that differ"):
        preferences.choose(scored, tmp_path / "out.jsonl")
    scored.write_text(json.dumps({"prompt": "Why?", "completion": "x"}) + "\n")
    with pytest.raises(optgap.Error, match="optgap score"):
        preferences.choose(scored, tmp_path / "out.jsonl")


def test_a_row_asks_its_prompt_its_input_or_its_rubrics():
    for row in (
        {"prompt": "Why?"},
        {"input": "Why?"},
        {"chain": {"prompt": "Why?"}},
        {"prompt": [{"role": "user", "content": "Why?"}]},
    ):
        assert reading.messages_of(row, "line 1") == [{"role": "user", "content": "Why?"}]
    with pytest.raises(optgap.Error, match="line 7 has no prompt"):
        reading.messages_of({"chain": None}, "line 7")


def test_supervised_data_are_references_or_the_policys_answers(given, tmp_path):
    folder = written("rlvrr", "sft-10k", "trl", tmp_path / "references", given)
    script(folder, "data.sh")
    assert lines(folder / "sft.jsonl")[0]["messages"][1]["content"].startswith("The Moon pulls on the ocean")
    folder = written("rlvrr", "own-rlvrr", "trl", tmp_path / "own", given)
    assert "Serve what the arm rlvrr made" in (folder / "data.sh").read_text()
    with StandIn(lambda request: f"My answer to {request.prompt}") as server:
        script(folder, "data.sh", POLICY_URL=server.base_url, POLICY="any")
    assert [row["messages"][1]["content"] for row in lines(folder / "sft.jsonl")][
        0
    ] == "My answer to Why do 0 tides rise?"


def test_an_evaluation_measures_what_it_says(given, tmp_path):
    write(recipes.load("rlvrr").arm("base"), None, tmp_path / "base")
    with StandIn(lambda request: "The Moon pulls on the ocean.") as server:
        done = script(
            tmp_path / "base", "evaluate.sh", BASE_URL=server.base_url, MODEL="any", EVAL_PAIRS=given["pairs"]
        )
    assert "lm_eval is not installed" in done.stderr and "ifeval" in done.stderr
    assert len(lines(tmp_path / "base/evaluation/scored.jsonl")) == 6 and "paper" in done.stdout


def right(text, answer):
    return answer in text


def test_each_trainers_shape_rewards_the_same(given, monkeypatch):
    import asyncio

    stand_in = types.SimpleNamespace(
        parse=lambda text, parsing_timeout: text,
        verify=lambda gold, said, timeout_seconds: right(said, gold.removeprefix("\\boxed{")[:-1]),
    )
    monkeypatch.setitem(sys.modules, "math_verify", stand_in)
    items = rows.of_file("maths", given["data"])[:2]
    truths, texts, wanted = [item.ground_truth for item in items], ["it is 1", "it is 7"], [1.0, 0.0]
    maths = rewarding.Maths()
    function = rewarding.for_trl(maths)
    assert function(texts, truths, ["maths", "maths"]) == wanted
    assert function([[{"role": "assistant", "content": "it is 1"}], "x"], truths, ["maths", "optgap/chain/paper"]) == [
        1.0,
        None,
    ]
    assert [rewarding.for_verl(maths)("maths", text, truth) for text, truth in zip(texts, truths)] == wanted
    samples = [types.SimpleNamespace(response=text, label=truth) for text, truth in zip(texts, truths)]
    assert [asyncio.run(rewarding.for_slime(maths)(None, sample)) for sample in samples] == wanted
    asked = [item.prompt[0]["content"] for item in items]
    found = rewarding.for_openrlhf(maths)([ask + text for ask, text in zip(asked, texts)], asked, truths)
    assert found == {"rewards": wanted, "scores": wanted}


def test_a_judge_rewards_by_its_one_score(given):
    truths = [json.loads(item.ground_truth)["judged"] for item in rows.of_file("judged", given["pairs"])[:4]]
    said = {
        "good": "Fine. <score>10</score>",
        "poor": "<score>1</score>",
        "both": "<score>3</score><score>9</score>",
        "more": "<score>11</score>",
    }
    asked = []

    def judge(request):
        asked.append(request.prompt)
        return next(text for word, text in said.items() if f"## Answer\n\n{word}" in request.prompt)

    with StandIn(judge) as server:
        rewarded = rewarding.Judge(server.base_url, "any").reward_rows(list(said), truths)
    assert rewarded == [1.0, 0.0, 0.0, 0.0] and all("bulges of water" in prompt for prompt in asked)
    assert rewarding.score_of("<score>4</score>") == pytest.approx(1 / 3)


def test_a_missing_package_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "math_verify", None)
    with pytest.raises(optgap.Error, match="pip install 'math-verify"):
        rewarding.Maths()
