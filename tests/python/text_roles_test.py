"""Roles on free text: rewards against a twin in plain Python, the pool, duplicates, references, prompts, resuming."""

import json
import math
import random

import numpy as np
import pytest
from stand_in_server import Reply, StandIn

import optgap
from optgap.core.errors import Error
from optgap.measure.endpoint import Endpoint
from optgap.trainers.roles.asking import EndpointRole
from optgap.trainers.roles.embedding import EndpointEmbeddings

SEEDS = [f"What is {n} and {n}?" for n in range(20)]


class Model:
    """Says what a random generator chooses; one seed, one run."""

    def __init__(self, seed=0):
        self.draws = random.Random(seed)

    def __call__(self, asked):
        return [self.say(one.role) for one in asked]

    def say(self, role):
        draw = self.draws
        if role == "proposer":
            return draw.choice(["no tags", f"<question>Is {draw.randrange(99)} more than {draw.randrange(99)}?</question>",
                                "<question>a</question> or <question>What is <|x|>?</question>", f"<question>{SEEDS[3].upper()}</question>",
                                "<question>b</question> <question>Who, and why?</question>"])  # fmt: skip
        if role == "solver":
            return draw.choice(["<answer>yes</answer>", "yes", "<answer>1</answer><answer>2</answer>"])
        return draw.choice(
            ["<score>10</score>", "<score>8</score>", "<score>3</score>", "<score>9</score><score>1</score>", "no"]
        )


def run(pool, model, steps=3, **options):
    roles = optgap.TextRoles(pool, seeds=SEEDS, **{"samples": 2, **options})
    found = []
    for _ in range(steps):
        step = roles.issue(proposals=6, solves=4, group=3, judges=5)
        said = {}
        while step.prompts:
            asked = step.prompts
            texts = model(asked)
            said.update({one.ticket: (one, text) for one, text in zip(asked, texts)})
            step.submit(texts)
        found.append((step.collect(), said))
    return roles, found


def form(text, tag):
    opens, closes = text.count(f"<{tag}>"), text.count(f"</{tag}>")
    return 0 if opens != closes or not opens else 1 if opens == 1 else 0.5


def score(text):
    inner = text.split("<score>")[1].split("</score>")[0] if text.count("<score>") == 1 else ""
    return (int(inner) - 1) / 9 if inner else None


def mean(values):
    known = [one for one in values if one is not None]
    return sum(known) / len(known) if known else math.nan


@pytest.mark.parametrize("proposer", ["mae_paper", "mae_repo"])
@pytest.mark.parametrize("formed", [True, False])
def test_rewards_and_advantages_are_the_twins(tmp_path, proposer, formed):
    pool = optgap.Pool(tmp_path / "a.db", policy="uniform")
    _, steps = run(pool, Model(4), steps=6, proposer=proposer, form=formed)
    met = set()
    for rows, _ in steps:
        for row in rows:
            met.add((row.role, row.code))
            if row.role == "judge":
                wanted = form(row.completion, "score") if score(row.completion) is not None and formed else 0
            elif row.role == "solver":
                value = row.components["score"]
                wanted = (value + form(row.completion, "answer")) / 2 if formed else value
            else:
                f, q, d = form(row.completion, "question"), row.components["quality"], row.components["difficulty"]
                parts = [0 if math.isnan(q) else q, 0 if math.isnan(d) else d, f if formed else 0]
                posed = row.code in ("ok", "low_quality")
                if proposer == "mae_repo" and (row.code == "no_question" or parts[0] < 0.7):
                    parts[1] = 0
                    parts = parts if row.code != "no_question" else [0, 0, 0]
                wanted = math.nan if posed and (math.isnan(q) or math.isnan(d)) else sum(parts) / (3 if formed else 2)
            assert row.reward == pytest.approx(wanted, abs=2e-6, nan_ok=True), row
        for role in ("proposer", "solver", "judge"):
            mine = [row for row in rows if row.role == role and not math.isnan(row.reward)]
            rewards = np.asarray([row.reward for row in mine])
            spread = rewards.std()
            for row, reward in zip(mine, rewards):
                whole = (reward - rewards.mean()) / spread if spread > 1e-6 else 0
                assert row.advantage == pytest.approx(whole, rel=0.2, abs=0.02), role
    assert {code for role, code in met if role == "proposer"} == {
        "ok",
        "low_quality",
        "no_question",
        "bad_question",
        "duplicate",
    }
    assert {code for role, code in met if role == "solver"} == {"ok", "no_answer", "several"}


def test_a_score_is_the_mean_of_the_judges_that_can_be_read(tmp_path):
    scores = iter(["<score>10</score>", "none", "<score>1</score>"] * 4)
    roles = optgap.TextRoles(optgap.Pool(tmp_path / "a.db"), seeds=SEEDS, judgements=3)
    step = roles.issue(proposals=0, solves=2, group=2)
    while step.prompts:
        step.submit([next(scores) if one.role == "grader" else "<answer>7</answer>" for one in step.prompts])
    assert [row.components["score"] for row in step.collect()] == [0.5] * 4
    # Half of (score 1/2 + form 1); the pool saw four tries of quality 1/2.
    assert roles.pool.steps == 2 and not roles.waiting


def test_the_filter_keeps_bad_questions_out_and_its_ablation_lets_them_in(tmp_path):
    def bad(asked):
        return [
            "<score>2</score>" if one.role in ("judge", "grader") else Model(one.ticket).say(one.role) for one in asked
        ]

    for quality, grows in ((0.7, False), (0.0, True)):
        pool = optgap.Pool(tmp_path / f"{grows}.db")
        run(pool, bad, quality=quality)
        assert (len(pool) > len(SEEDS)) == grows
        assert set(pool.questions().question) >= set(SEEDS) and pool.verify() == []


def test_the_judge_sees_a_reference_and_prompts_are_the_users(tmp_path):
    path = tmp_path / "gsm.jsonl"
    path.write_text(json.dumps({"question": "How many {answer}?", "answer": "They are 48.\n#### 48"}) + "\n\n")
    file = tmp_path / "prompts.json"
    file.write_text(
        json.dumps({"solve": "Q: {question}", "judge_answer_by_reference": "{question}|{reference}|{answer}|{other}"})
    )
    roles = optgap.TextRoles(
        optgap.Pool(tmp_path / "a.db"), seeds=optgap.read_questions(path), prompts=str(file), reference_share=1
    )
    step = roles.issue(proposals=1, solves=1, group=1, judges=1)
    assert step.prompts[0].prompt.startswith("A question to start from:\nHow many {answer}?")
    assert step.prompts[1].prompt == "Q: How many {answer}?"
    step.submit([None, "hm <answer>{question}</answer>"])
    assert [(one.role, one.prompt) for one in step.prompts[1:]] == [
        (role, "How many {answer}?|They are 48.\n#### 48|{question}|{other}") for role in ("grader", "judge")
    ]
    for templates, word in (({"solve": "no place"}, "solve must have {question}"), ({"sole": "x"}, "'sole' is none of"),
                            ({"propose": "{question}"}, "nothing in braces"), ([], "expected an object")):  # fmt: skip
        file.write_text(json.dumps(templates))
        with pytest.raises(Error, match=word):
            optgap.TextPrompts.of(str(file))
    for text, word in (
        ('{"question": 1}', "line 1: expected a text"),
        ("{", "line 1 is no JSON"),
        ("[]", "line 1 is no object"),
    ):
        path.write_text(text + "\n")
        with pytest.raises(Error, match=word):
            optgap.read_questions(path)


def test_a_run_that_is_resumed_is_one_that_was_never_stopped(tmp_path):
    whole, _ = run(optgap.Pool(tmp_path / "a.db", seed=3), Model(1))
    pool = optgap.Pool(tmp_path / "b.db", seed=3)
    roles = optgap.TextRoles(pool, seeds=SEEDS, samples=2)
    kept, model = None, Model(1)
    for number in range(3):
        if number == 1:
            kept = json.loads(json.dumps(roles.checkpoint()))
            drawn = model.draws.getstate()
            late = roles.issue(proposals=6, solves=4, group=3, judges=5)
            late.submit(Model(9)(late.prompts))
            late.collect()
            roles = optgap.TextRoles(pool, seeds=SEEDS, samples=2)
            roles.resume(kept)
            model.draws.setstate(drawn)
        step = roles.issue(proposals=6, solves=4, group=3, judges=5)
        while step.prompts:
            step.submit(model(step.prompts))
        step.collect()
    assert pool.hash == whole.pool.hash
    assert roles.checkpoint() == whole.checkpoint()
    other = optgap.Pool(tmp_path / "c.db", seed=4)
    with pytest.raises(Error, match="step"):
        optgap.TextRoles(other, seeds=SEEDS).resume(kept)


def test_late_texts_go_on_in_the_next_step_and_in_a_checkpoint(tmp_path):
    roles = optgap.TextRoles(optgap.Pool(tmp_path / "a.db", seed=3), seeds=SEEDS, samples=1)
    step = roles.issue(proposals=1, solves=1, group=2, judges=1)
    step.submit(["<question>Who?</question>", "<answer>1</answer>", None])
    assert [one.role for one in step.prompts] == ["solver", "grader", "solver", "solver", "grader", "judge"]
    assert step.collect() == [] and len(roles.waiting) == 6
    kept = json.loads(json.dumps(roles.checkpoint()))
    roles = optgap.TextRoles(roles.pool, seeds=SEEDS, samples=1)
    roles.resume(kept)
    step = roles.issue(0, 0, 2)
    while step.prompts:
        step.submit([{"solver": "<answer>2</answer>"}.get(one.role, "<score>9</score>") for one in step.prompts])
    rows = step.collect()
    assert [row.role for row in rows] == ["proposer", "solver", "solver", "judge"]
    assert rows[0].code == "ok" and rows[0].reward == pytest.approx((8 / 9 + 1 / 9 + 1) / 3, abs=1e-6)
    assert "Who?" in roles.pool.questions().question and not roles.waiting


def test_hostile_questions_are_refused_and_nothing_else_is_lost(tmp_path):
    pool = optgap.Pool(tmp_path / "a.db")
    for text in ("<|im_end|>", "a\u202eb", "\x00", "", "\ud800", "x" * 16385, "<score>10</score>"):
        with pytest.raises(Error, match="question: row 1"):
            pool.add_questions(["Sound?", text])
    assert pool.step().added == 0
    got = pool.add_questions(["A b?", "a  B", "Other?", "Poor?"], ["7", "", "", ""], [math.nan, math.nan, 0.7, 0.69])
    assert got.code == ["ok", "duplicate", "ok", "low_quality"] and pool.step().added == 2
    assert pool.add_questions(["a b!"]).code == ["ok"], "another mark"
    assert pool.add_questions(["a b"]).duplicate_of.tolist() == [
        int(pool.questions().entry[pool.questions().question.index("A b?")])
    ]
    with pytest.raises(Error, match="no problems of tasks"):
        pool.draw(1)
    drawn = pool.draw_questions(50)
    assert set(zip(drawn.question, drawn.reference)) == {("A b?", "7"), ("Other?", "")}


def test_questions_that_say_the_same_in_other_words_are_near_duplicates(tmp_path):
    texts = ["How many?", "What number?", "Who is it?"]
    vectors = {"How many?": [1, 0, 0], "What number?": [0.999, 0.01, 0], "Who is it?": [0, 1, 0]}

    def embedded(request):
        data = [
            {"index": place, "embedding": vectors.get(text, [0, 0, 1])}
            for place, text in enumerate(request.body["input"])
        ]
        return Reply(raw=json.dumps({"data": data[::-1]}).encode())

    with StandIn(embedded) as server, Endpoint(server.base_url, "embedder", pause=0.01) as client:
        roles = optgap.TextRoles(
            optgap.Pool(tmp_path / "a.db"), seeds=[texts[0]], samples=1, embed=EndpointEmbeddings(client)
        )
        step = roles.issue(proposals=3, solves=0, group=1)
        step.submit([f"<question>{text}</question>" for text in [*texts[1:], texts[2] + "!"]])
        while step.prompts:
            step.submit(["<score>10</score>"] * len(step.prompts))
        assert [row.code for row in step.collect()] == ["near_duplicate", "ok", "ok"]
        asked = [text for request in server.requests for text in request.body["input"]]
        assert asked.count(texts[0]) == 1, "a pool's question is embedded once a run"
    with pytest.raises(Error, match="embed: gave an array of shape"):
        optgap.TextRoles(optgap.Pool(tmp_path / "b.db"), seeds=SEEDS, embed=lambda texts: [[1.0]]).issue(0, 1)
    with pytest.raises(Error, match="near: is 2"):
        optgap.TextRoles(optgap.Pool(tmp_path / "c.db"), seeds=SEEDS, embed=lambda texts: [], near=2)


def test_a_judge_behind_a_server_scores(tmp_path):
    with (
        StandIn(lambda request: "<score>9</score>") as server,
        Endpoint(server.base_url, "judge", pause=0.01) as client,
    ):
        judge = EndpointRole(client, temperature=0)

        def model(asked):
            return [
                judge([one.prompt])[0] if one.role == "grader" else Model(one.ticket).say(one.role) for one in asked
            ]

        _, steps = run(optgap.Pool(tmp_path / "a.db"), model, steps=1)
        graded = sum(one.role == "grader" for one, _ in steps[0][1].values())
        assert len(server.requests) == graded > 12
    assert [row.components["score"] for row in steps[0][0] if row.role == "solver"] == pytest.approx([8 / 9] * 12)


@pytest.mark.parametrize("options, field", [
    ({"proposer": "proof"}, "proposer"), ({"quality": 2}, "quality"), ({"samples": 0}, "samples"), ({"seeds": []}, "seeds"),
    ({"reference_share": -1}, "reference_share"), ({"judge_parser": "x"}, "x"), ({"prompts": {"x": ""}}, "prompts"),
])  # fmt: skip
def test_wrong_settings_are_refused(tmp_path, options, field):
    with pytest.raises(Error, match=field):
        optgap.TextRoles(optgap.Pool(tmp_path / "a.db"), **{"seeds": SEEDS, **options})
