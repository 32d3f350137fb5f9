"""TRL trains one model as proposer, solver and judge: rows from the pool, rewards by proof, checkpoints; and the page's script."""

import json
import pathlib
import re
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest
from accelerate.utils import DistributedType
from tiny_model import CHATML, byte_tokenizer, random_model
from tiny_trainer import GROUP, logged
from trl_roles_run import run

import optgap
from optgap.trainers.common import ranks
from optgap.trainers.trl import reward as trl
from optgap.trainers.trl.roles import Policy, RolesStream

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs/coevolution.md"
LIFE = pathlib.Path(__file__).with_name("trl_roles_run.py")


def life(folder, kind, kill=""):
    """The run's steps in a process of its own, from its last checkpoint."""
    folder.mkdir(exist_ok=True)
    return subprocess.run(
        [sys.executable, LIFE, str(folder), "4", kind, kill], capture_output=True, text=True, check=False, timeout=300
    )


def told(folder, kind):
    """What a run leaves: the pool, what each batch asked and earned, the roles' state, and the model."""
    pool = optgap.Pool(folder / "pool.db", writes=False)
    last = folder / "out" / "checkpoint-4"
    state = json.loads((last / "trainer_state.json").read_text())
    return (
        pool.hash,
        pool.draw(16).instances.keys if kind == "tasks" else pool.questions().question,
        {path.name: path.read_text() for path in sorted(folder.glob("batch*.json"))},
        state["stateful_callbacks"]["RolesCallback"],
        (last / "model.safetensors").read_bytes(),
    )


@pytest.mark.parametrize("kind", ["tasks", "text"])
def test_a_run_that_is_killed_in_every_step_gives_the_bytes_of_one_that_never_was(kind, tmp_path):
    whole = life(tmp_path / "whole", kind)
    assert whole.returncode == 0, whole.stderr
    for kill in ("1:saved", "1:rewarded", "2:ended", "3:rewarded"):
        done = life(tmp_path / "killed", kind, kill)
        assert done.returncode == -signal.SIGKILL, done.stderr
    done = life(tmp_path / "killed", kind)
    assert done.returncode == 0, done.stderr
    for mine, other in zip(told(tmp_path / "killed", kind), told(tmp_path / "whole", kind)):
        assert mine == other
    if kind == "text":
        assert len(optgap.Pool(tmp_path / "whole" / "pool.db", writes=False)) > 2, "a posed question came into the pool"
    kept = [path.name for path in (tmp_path / "killed").glob("pool.db.dropped-*")]
    assert len(kept) > 1, "what was dropped is kept"


def test_a_batch_is_drawn_rewarded_and_observed_and_a_checkpoint_goes_on(tmp_path):
    seen = []
    made, roles = run(
        tmp_path,
        lambda batch, _: seen.append(batch),
        max_steps=3,
        save_strategy="steps",
        save_steps=1,
        save_total_limit=3,
    )
    steps = roles.pool.steps
    made.train()
    assert [list(batch[0])[::GROUP] for batch in seen] == [
        ["proposer", "solver", "solver", "solver"],
        # Read ahead of the first rewards, or behind them: with judges of the first batch or, one later, none yet.
        *[
            [*["judge"] * ("judge" in batch[0]), "proposer", *["solver"] * (3 - ("judge" in batch[0]))]
            for batch in seen[1:]
        ],
    ]
    assert "judge" in seen[-1][0] and roles.pool.steps == steps + 1 + 3
    codes = {}
    for batch in seen:
        for role, completion, value in zip(batch[0], batch[2], batch[3]):
            text = trl.text_of(completion)
            codes.setdefault((role, text[:10]), []).append(value)
    proposals = [
        value
        for (role, text), values in codes.items()
        if role == "proposer" and text == "<question>"
        for value in values
    ]
    assert proposals and any(value > 0 for value in proposals) and all(value <= 1 for value in proposals)
    broken = [
        value
        for (role, text), values in codes.items()
        if role == "proposer" and text != "<question>"
        for value in values
    ]
    assert set(broken) <= {-1.0}
    solved = [
        value for (role, text), values in codes.items() if role == "solver" and text == "<think>so<" for value in values
    ]
    assert solved and max(solved) > 0
    assert logged(made, "rewards/optgap_roles/mean") and logged(made, "optgap_roles/proposer/reward")
    assert (
        sum(weight > 1 for weight in roles.pool.weights("step").tolist()) > 0
    )  # entries of later steps than the first
    (tmp_path / "other").mkdir()
    other = optgap.Pool(tmp_path / "other" / "pool.db", seed=7)
    for _ in range(9):
        other.step()
    del other  # an open pool is its writer's
    with pytest.raises(optgap.Error, match="resume_from_checkpoint: was written with .*another run's pool"):
        run(tmp_path / "other", max_steps=4)[0].train(resume_from_checkpoint=str(tmp_path / "out" / "checkpoint-3"))


@pytest.mark.parametrize("options, field", [
    ({"shuffle_dataset": True}, "shuffle_dataset"),
    ({"restore_callback_states_from_checkpoint": True}, "restore_callback_states_from_checkpoint"),
    ({"per_device_train_batch_size": GROUP}, "prompts"),
    ({"save_strategy": "steps", "save_steps": 3, "steps_per_generation": 2}, "save_steps"),
    ({"callbacks": []}, "callbacks"),
])  # fmt: skip
def test_settings_under_which_nothing_fits_are_refused(tmp_path, options, field):
    with pytest.raises(optgap.Error, match=field):
        run(tmp_path, **options)[0].train()


def test_rows_of_an_evaluation_are_rewarded_by_their_own_function(problems, tmp_path):
    roles = optgap.Roles(optgap.Engine("cpu", threads=1), optgap.Pool(tmp_path / "pool.db"), tasks=["tsp"], level="d3")
    given = {"completions": [problems[0]["optimal"]], "prompts": ["p"], "ground_truth": [problems[0]["ground_truth"]],
             "data_source": [problems[0]["data_source"]]}  # fmt: skip
    assert RolesStream(roles, proposals=1).reward()(**given) == [None]
    assert RolesStream(roles, proposals=1, evaluation=trl.RewardFunction("reward")).reward()(**given) == [2.0]


def test_the_first_rank_alone_makes_roles(monkeypatch, tmp_path):
    roles = optgap.Roles(optgap.Engine("cpu", threads=1), optgap.Pool(tmp_path / "pool.db"), tasks=["tsp"], level="d3")
    monkeypatch.setattr(ranks, "count", lambda: 4)
    with pytest.raises(optgap.Error, match="roles: are made on each of 4 ranks"):
        RolesStream(roles, proposals=1).watch(4, GROUP)
    monkeypatch.setattr(ranks, "rank", lambda: 3)
    other = RolesStream(lambda: pytest.fail("made on rank 3"), proposals=1)
    other.watch(4, GROUP)
    assert other.callback().state() == {"args": {}, "attributes": {}}
    with pytest.raises(optgap.Error, match="roles: are those of the first rank, and this is rank 3"):
        other.roles.state  # noqa: B018  raises


def test_a_policy_in_parts_is_not_asked(tmp_path):
    args = SimpleNamespace(steps_per_generation=1, shuffle_dataset=False,
                           distributed_state=SimpleNamespace(distributed_type=DistributedType.FSDP))  # fmt: skip
    with pytest.raises(optgap.Error, match="solve: is None, and the model's parameters lie in parts"):
        RolesStream(lambda: None, proposals=1).callback().on_init_end(args, None, None)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("prompts", [1, 2, 5, 8])
def test_ranks_sample_equal_shares_and_all_texts_come_back_in_order(monkeypatch, count, prompts):
    asked = [f"prompt {place}" for place in range(prompts)]
    policy, shares = Policy(None), []
    monkeypatch.setattr(Policy, "__call__", lambda self, own: [text.upper() for text in own])
    monkeypatch.setattr(ranks, "count", lambda: count)
    for rank in range(count):
        monkeypatch.setattr(ranks, "rank", lambda: rank)  # noqa: B023  called in this round
        monkeypatch.setattr(ranks, "gathered", lambda mine: shares.append(mine) or [mine] * count)
        policy.sample_share(asked)
    assert len({len(share) for share in shares}) == 1
    monkeypatch.setattr(ranks, "gathered", lambda mine: shares)
    assert policy.sample_share(asked) == [text.upper() for text in asked]


def test_a_rank_that_cannot_sample_and_a_first_one_that_fails_are_told_to_all(monkeypatch):
    policy = Policy(None)  # without a model
    with pytest.raises(optgap.Error, match="solve: rank 0 cannot sample"):
        policy.sample_share(["a prompt"])
    stream = RolesStream(lambda: None, proposals=1)
    said = iter([("solve", ["a prompt"]), ("failed", "the disk is full")])
    monkeypatch.setattr(ranks, "told", lambda _: next(said))
    sampled = []
    monkeypatch.setattr(stream.policy, "sample_share", sampled.append)
    with pytest.raises(optgap.Error, match="ranks: stop, since the first one does: the disk is full"):
        stream.reward()._followed()
    assert sampled == [["a prompt"]]


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
    assert session["stream"].roles.pool.steps == 2


def test_free_text_is_posed_answered_and_judged_in_batches(tmp_path):
    seen = []
    made, roles = run(tmp_path, lambda batch, _: seen.append(batch), free_text=True, max_steps=3)
    made.train()
    assert set(seen[0][0]) == {"proposer", "solver"} and set(seen[-1][0]) == {"proposer", "solver", "judge"}
    assert roles.pool.steps == 1 + 3
    earned = {}
    for batch in seen:
        for role, completion, value in zip(batch[0], batch[2], batch[3]):
            earned.setdefault((role, trl.text_of(completion)[:8]), []).append(value)
    assert any(
        value is not None and value > 0 for (role, text), some in earned.items() if role == "proposer" for value in some
    )
    assert {
        value for (role, text), some in earned.items() if role == "judge" and text == "<score>9" for value in some
    } <= {1.0}
    assert logged(made, "optgap_roles/proposer/reward") and logged(made, "optgap_roles/solver/feasible")
