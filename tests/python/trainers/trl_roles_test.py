"""TRL trains one model as proposer, solver and judge: rows from the pool, rewards by proof, checkpoints; and the page's script."""

import json
import pathlib
import random
import re
import shutil

import pytest
from tiny_model import CHATML, byte_tokenizer, random_model
from tiny_trainer import GROUP, logged, trainer

import optgap
from optgap.integrations import trl
from optgap.integrations.roles.trl import RolesStream

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs/coevolution.md"
PROMPTS = 4


def proposal(draw):
    rows = [[0] * 5 for _ in range(5)]
    for a in range(5):
        for b in range(a):
            rows[a][b] = rows[b][a] = draw.randrange(10, 100)
    return f"<question>{json.dumps({'task': 'tsp', 'instance': {'distances': rows}})}</question>"


def texts():
    """What the tiny model may say: proposals, tours and scores, a token each."""
    draw = random.Random(4)
    tours = [f"<think>so</think><answer>{[0, *draw.sample(range(1, 5), 4)]}</answer>" for _ in range(3)]
    return [*(proposal(draw) for _ in range(4)), *tours, "<score>9</score>", "<score>2</score>"]


def run(folder, seen=None, callbacks=None, **options):
    roles = optgap.Roles(optgap.Engine("cpu", threads=1), optgap.Pool(folder / "pool.db", seed=7), tasks=["tsp"], level="d3")
    stream = RolesStream(roles, proposals=1, judges=1, prompt=lambda row: [{"role": "user", "content": row["role"]}])
    paid = stream.reward()

    def reward(prompts, completions, **columns):
        values = paid(prompts, completions, **columns)
        if seen is not None:
            seen.append((columns["role"], columns["tickets"], list(completions), values))
        return values

    reward.__name__ = paid.__name__
    problems = [{"optimal": text, "greedy": text} for text in texts()]
    settings = {"shuffle_dataset": False, "per_device_train_batch_size": GROUP * PROMPTS, "ignore_data_skip": True, **options}
    made = trainer(problems, folder / "out", [reward], stream.dataset(), texts=texts(), **settings)
    for callback in [stream.callback()] if callbacks is None else callbacks:
        made.add_callback(callback)
        callback.on_init_end(made.args, made.state, made.control, model=made.model, processing_class=made.processing_class)
    return made, roles


def test_a_batch_is_drawn_paid_and_observed_and_a_checkpoint_goes_on(tmp_path):
    seen = []
    made, roles = run(tmp_path, seen, max_steps=3, save_strategy="steps", save_steps=1, save_total_limit=3)
    steps = roles.pool.steps
    made.train()
    assert [[role for role in batch[0]][::GROUP] for batch in seen] == [
        ["proposer", "solver", "solver", "solver"],
        # Read ahead of the first rewards, or behind them: with judges of the first batch or, one later, none yet.
        *[[*["judge"] * ("judge" in batch[0]), "proposer", *["solver"] * (3 - ("judge" in batch[0]))] for batch in seen[1:]],
    ]
    assert "judge" in seen[-1][0] and roles.pool.steps == steps + 1 + 3
    codes = {}
    for batch in seen:
        for role, completion, value in zip(batch[0], batch[2], batch[3]):
            text = trl.text_of(completion)
            codes.setdefault((role, text[:10]), []).append(value)
    proposals = [value for (role, text), values in codes.items() if role == "proposer" and text == "<question>" for value in values]
    assert proposals and any(value > 0 for value in proposals) and all(value <= 1 for value in proposals)
    broken = [value for (role, text), values in codes.items() if role == "proposer" and text != "<question>" for value in values]
    assert set(broken) <= {-1.0}
    solved = [value for (role, text), values in codes.items() if role == "solver" and text == "<think>so<" for value in values]
    assert solved and max(solved) > 0
    assert logged(made, "rewards/optgap_roles/mean") and logged(made, "optgap_roles/proposer/reward")
    assert sum(weight > 1 for weight in roles.pool.weights("step").tolist()) > 0  # entries of later steps than the first
    (tmp_path / "resumed").mkdir()
    shutil.copy(tmp_path / "pool.db", tmp_path / "resumed" / "pool.db")
    again, other = run(tmp_path / "resumed", max_steps=4, save_strategy="no")
    other.pool.verify()
    again.train(resume_from_checkpoint=str(tmp_path / "out" / "checkpoint-3"))
    assert again.state.global_step == 4 and other.pool.steps == roles.pool.steps + 1
    (tmp_path / "moved").mkdir()
    shutil.copy(tmp_path / "resumed" / "pool.db", tmp_path / "moved" / "pool.db")
    with pytest.raises(optgap.Error, match="resume_from_checkpoint: was written with .* at step"):
        run(tmp_path / "moved", max_steps=4)[0].train(resume_from_checkpoint=str(tmp_path / "out" / "checkpoint-3"))


@pytest.mark.parametrize("options, field", [
    ({"shuffle_dataset": True}, "shuffle_dataset"),
    ({"restore_callback_states_from_checkpoint": True}, "restore_callback_states_from_checkpoint"),
    ({"per_device_train_batch_size": GROUP}, "prompts"),
    ({"callbacks": []}, "callbacks"),
])  # fmt: skip
def test_settings_under_which_nothing_fits_are_refused(tmp_path, options, field):
    with pytest.raises(optgap.Error, match=field):
        run(tmp_path, **options)[0].train()


def test_rows_of_an_evaluation_are_paid_by_their_own_function(problems, tmp_path):
    roles = optgap.Roles(optgap.Engine("cpu", threads=1), optgap.Pool(tmp_path / "pool.db"), tasks=["tsp"], level="d3")
    given = {"completions": [problems[0]["optimal"]], "prompts": ["p"], "ground_truth": [problems[0]["ground_truth"]],
             "data_source": [problems[0]["data_source"]]}  # fmt: skip
    assert RolesStream(roles, proposals=1).reward()(**given) == [None]
    assert RolesStream(roles, proposals=1, evaluation=trl.RewardFunction("reward")).reward()(**given) == [2.0]


def test_the_script_of_the_page_trains(tmp_path, monkeypatch):
    (script,) = re.findall(r"^```python\n(# train_roles\.py\n.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    monkeypatch.chdir(tmp_path)
    tokenizer = byte_tokenizer(CHATML)
    tokenizer.save_pretrained("my-model")
    random_model(tokenizer).save_pretrained("my-model")
    for long, short in {"max_steps=500": "max_steps=1", "max_completion_length=2048": "max_completion_length=2",
                        "num_generations=8": "num_generations=2", "batch_size=64": "batch_size=10", "judges=2": "judges=1",
                        'output_dir="out"': 'output_dir="out", use_cpu=True, report_to=[], save_strategy="no"'}.items():  # fmt: skip
        assert long in script
        script = script.replace(long, short)
    session = {}
    exec(compile(script, "train_roles.py", "exec"), session)
    assert session["roles"].pool.steps == 2
