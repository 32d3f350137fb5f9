"""verl's own data loader, reward worker and advantage code around roles: rows from the pool, reward in any order, estimators by role;
and the page's command."""

import asyncio
import json
import math
import pathlib
import random
import re
import shlex
import sys

import numpy as np
import pytest
import ray
import torch
from hydra import compose, initialize_config_dir
from tensordict import TensorDict
from torchdata.stateful_dataloader import StatefulDataLoader
from verl import DataProto
from verl.trainer.ppo.core_algos import get_adv_estimator_fn
from verl.trainer.ppo.ray_trainer import compute_advantage
from verl.trainer.ppo.utils import create_rl_dataset, create_rl_sampler
from verl.utils.dataset.rl_dataset import collate_fn, get_dataset_class
from verl_rig import batch, configuration, scored

import optgap
from optgap import _native
from optgap.trainers.common.role_rows import RoleRows
from optgap.trainers.verl import curriculum as verl_curriculum
from optgap.trainers.verl.data import settings_of
from optgap.trainers.verl.roles import RolesOwner
from optgap.trainers.verl.roles_data import SETTINGS, RolesDataset

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from stand_in_server import StandIn  # noqa: E402

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs/coevolution.md"
PROMPTS, GROUP = 6, 3
TABLE = {"roles": {"proposer": "task_reinforce_pp", "solver": "grpo", "judge": "rae"}}
TOUR = "<think>so</think><answer>[0,1,2,3,4]</answer>"


@pytest.fixture(scope="module")
def server():
    with StandIn(answer=lambda request: TOUR) as made:
        yield made


def settings(pool, server, **options):
    named = {"pool": pool, "tasks": ["tsp"], "length": 60, "group": GROUP, "proposals": 2, "judges": 1,
             "options": {"level": "d3"}, "advantage": TABLE, "wait": 5.0,
             "solver": {"base_url": server.base_url, "model": "policy"}, **options}  # fmt: skip
    given = [f"+data.optgap.{name}={_hydra(value)}" for name, value in named.items() if value is not None]
    return ("data.custom_cls.path=pkg://optgap.trainers.verl.roles_data", "data.custom_cls.name=RolesDataset",
            "data.train_files=optgap", "data.dataloader_num_workers=0", f"data.train_batch_size={PROMPTS}",
            "data.max_prompt_length=6000", f"actor_rollout_ref.rollout.n={GROUP}", "reward.reward_manager.name=optgap",
            *given)  # fmt: skip


def _hydra(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {_hydra(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_hydra, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def said(role, ticket):
    """A function of the ticket, so that runs can be compared."""
    draw = random.Random(ticket)
    if role == "judge":
        return f"<score>{draw.randrange(1, 11)}</score>"
    if role == "solver" and draw.random() < 0.5:
        return "I give up"
    if role == "solver":
        return f"<think>so</think><answer>{[0, *draw.sample(range(1, 5), 4)]}</answer>"
    rows = [[0] * 5 for _ in range(5)]
    for a in range(5):
        for b in range(a):
            rows[a][b] = rows[b][a] = draw.randrange(10, 100)
    return f"<question>{json.dumps({'task': 'tsp', 'instance': {'distances': rows}})}</question>"


class Run:
    """As PPOTrainer: a loader, rollouts of each row, rewards, advantages."""

    def __init__(self, tokenizer, server, pool, checkpoint=None):
        verl_curriculum._owner_of.cache_clear()
        self.tokenizer = tokenizer
        self.config = configuration(tokenizer, *settings(pool, server))
        self.dataset = create_rl_dataset(self.config.data.train_files, self.config.data, tokenizer, None, is_train=True)
        self.loader = StatefulDataLoader(self.dataset, batch_size=PROMPTS, num_workers=0, drop_last=True, collate_fn=collate_fn,
                                         sampler=create_rl_sampler(self.config.data, self.dataset))  # fmt: skip
        if checkpoint is not None:
            self.dataset.load_state_dict(checkpoint)
        self.prompts = iter(self.loader)
        self.step_number = 0

    def step(self, shuffled=None):
        """Roles, texts, rewards and advantages by row, in the order of tickets."""
        drawn = next(self.prompts)
        self.step_number += 1
        rollouts = [(place, k) for place in range(PROMPTS) for k in range(GROUP)]
        if shuffled is not None:
            random.Random(shuffled).shuffle(rollouts)
        infos = [drawn["extra_info"][place] for place, _ in rollouts]
        texts = [said(info["role"], info["tickets"][k]) for info, (_, k) in zip(infos, rollouts)]
        rows = [{"data_source": drawn["data_source"][place], "ground_truth": drawn["reward_model"][place]["ground_truth"]}
                for place, _ in rollouts]  # fmt: skip
        data = batch(self.tokenizer, rows, texts)
        data.non_tensor_batch["extra_info"][:] = infos
        data.non_tensor_batch["uid"][:] = uids = [f"{self.step_number}.{place}" for place, _ in rollouts]
        rewards = [row["reward_score"] for row in scored(self.config, data)]
        levels = torch.zeros_like(data.batch["responses"], dtype=torch.float32)
        levels[:, -1] = torch.tensor(rewards)
        mask = torch.ones_like(data.batch["responses"])
        made = DataProto(batch=TensorDict({"token_level_rewards": levels, "response_mask": mask}, batch_size=len(rewards)),
                         non_tensor_batch={"uid": np.array(uids, dtype=object)})  # fmt: skip
        advantages = (
            compute_advantage(made, "optgap_roles", config=self.config.algorithm).batch["advantages"][:, 0].tolist()
        )
        return sorted(zip([info["role"] for info in infos], texts, rewards, advantages))

    def kill(self):
        ray.kill(self.dataset._owner)


def direct(pool, steps):
    """The slow twin: the same texts rewarded by RoleRows in this process, and compared by the native estimators."""
    roles = optgap.Roles(optgap.Engine("cpu", threads=1), optgap.Pool(pool, seed=0), tasks=["tsp"], level="d3")
    rows = RoleRows(roles, prompts=PROMPTS, group=GROUP, proposals=2, judges=1)
    compare, found = _native.RoleAdvantages(json.dumps(TABLE)), []
    for _ in range(steps):
        drawn = rows.rows()
        texts = {}
        for row in drawn:
            texts.update(zip(row["tickets"], sorted(said(row["role"], ticket) for ticket in row["tickets"])))
        rewarded = rows.reward_rows(texts, lambda prompts: [TOUR] * len(prompts), dict.fromkeys(texts, "stop"))
        named = []
        for place, row in enumerate(drawn):
            earned = [
                (0.0 if math.isnan(rewarded[ticket].reward) else rewarded[ticket].reward, texts[ticket])
                for ticket in row["tickets"]
            ]
            named += [(place, row["role"], reward, text) for reward, text in sorted(earned)]
        columns = (
            [["proposer", "solver", "judge"].index(role) for _, role, _, _ in named],
            [place for place, *_ in named],
            [0] * len(named),
        )
        role, group, cohort = (np.asarray(column, np.int32) for column in columns)
        advantages = compare.advantages(role, np.asarray([row[2] for row in named], np.float32), group, cohort)
        found.append(sorted((one, text, reward, float(own)) for (_, one, reward, text), own in zip(named, advantages)))
    return found, roles.pool.hash


def test_rewards_and_advantages_are_those_of_direct_calls_whichever_came_first(
    tokenizer, running_ray, server, tmp_path
):
    run = Run(tokenizer, server, str(tmp_path / "pool.db"))
    found = [run.step(), run.step(shuffled=1)]
    state = run.dataset.state_dict()
    run.kill()
    resumed = Run(tokenizer, server, str(tmp_path / "pool.db"), state)
    expected, digits = direct(str(tmp_path / "direct.db"), 2)
    for mine, other in zip(found, expected):
        assert [row[:3] for row in mine] == [
            (role, text, pytest.approx(reward, abs=1e-6)) for role, text, reward, _ in other
        ]
        # Rows with equal rewards may change places with each other: of those a running mean is read first by one that came first.
        mine, other = (sorted((role, reward, own) for role, _, reward, own in rows) for rows in (mine, other))
        assert [row[2] for row in mine] == pytest.approx([row[2] for row in other], abs=1e-5)
    assert json.loads(state["optgap_roles"])["pool"][1] == digits
    assert {row[0] for row in found[1]} == {"proposer", "solver", "judge"}
    assert any(row[2] > 0 for row in found[0] if row[0] == "proposer") and server.requests
    assert resumed.step()
    with pytest.raises(optgap.Error, match="holds no roles's state"):
        resumed.dataset.load_state_dict({})
    resumed.kill()


def test_a_run_that_is_killed_at_any_step_gives_the_bytes_of_one_that_never_was(
    tokenizer, running_ray, server, tmp_path
):
    steps, pool = 4, tmp_path / "pool.db"
    run = Run(tokenizer, server, str(pool))
    states, found = [run.dataset.state_dict()], []
    for step in range(steps):
        found.append(run.step(shuffled=step))
        states.append(run.dataset.state_dict())
    for step in reversed(range(steps)):
        run.kill()  # the pool is at the last step
        run = Run(tokenizer, server, str(pool), states[step])
        for again in range(step, steps):
            assert run.dataset.state_dict() == states[again]
            assert run.step(shuffled=again) == found[again]
        assert run.dataset.state_dict() == states[steps]
    run.kill()
    assert len(list(tmp_path.glob("pool.db.dropped-*"))) == steps, "what was dropped is kept"
    with pytest.raises(
        optgap.Error, match="data.optgap.pool: cannot go on from a checkpoint of step .* another run's pool"
    ):
        other = optgap.Pool(tmp_path / "other.db", seed=0)
        for _ in range(9):
            other.step()
        del other
        run = Run(tokenizer, server, str(tmp_path / "other.db"), states[steps])
    verl_curriculum._owner_of.cache_clear()
    ray.kill(ray.get_actor("optgap_roles"))


def test_a_row_under_way_is_rewarded_when_verl_asks_for_it_again(tmp_path):
    async def main():
        def made():
            return RolesOwner(
                pool=str(tmp_path / "pool.db"), tasks=["tsp"], prompts=1, group=2, options={"level": "d3"}
            )

        first = made()
        (row,) = await first.rows(1)
        state = await first.state_dict()
        await asyncio.gather(*(first.earned(row["tickets"][0], TOUR, "stop", "a") for _ in range(2)))
        ended = await first.state_dict()
        await first.load_state_dict(state)
        rewarded = await asyncio.gather(*(first.earned(row["tickets"][0], TOUR, "stop", "a") for _ in range(2)))
        assert not any(map(math.isnan, rewarded)) and await first.state_dict() == ended

    asyncio.run(main())


def test_what_is_judged_does_not_depend_on_which_response_came_first(tmp_path):
    async def judged(pool, texts):
        owner = RolesOwner(
            pool=str(tmp_path / pool), tasks=["tsp"], prompts=1, group=2, judges=1, options={"level": "d3"}
        )
        (row,) = await owner.rows(1)
        await asyncio.gather(*(owner.earned(row["tickets"][0], text, "stop", "a") for text in texts))
        (row,) = await owner.rows(1)
        assert row["role"] == "judge"
        return row["prompt"]

    texts = [TOUR, "I give up"]
    assert asyncio.run(judged("a.db", texts)) == asyncio.run(judged("b.db", texts[::-1]))


def test_a_batch_that_lost_a_response_is_rewarded_without_it(tokenizer, running_ray, server, tmp_path):
    async def main():
        owner = RolesOwner(pool=str(tmp_path / "pool.db"), tasks=["tsp"], prompts=2, group=2, options={"level": "d3"},
                                      wait=0.2)  # fmt: skip
        first, second = await owner.rows(2)
        rewarded = await asyncio.gather(owner.earned(first["tickets"][0], TOUR, "stop", "a"), owner.earned(first["tickets"][0], TOUR, "stop", "a"),
                                    owner.earned(second["tickets"][0], TOUR, "stop", "b"))  # fmt: skip
        assert rewarded[0] == rewarded[1] and not math.isnan(rewarded[0]) and math.isnan(rewarded[2])
        rows = await owner.rows(2)
        late = asyncio.ensure_future(owner.earned(second["tickets"][0], TOUR, "stop", "b"))
        others = await asyncio.gather(
            *(owner.earned(row["tickets"][0], TOUR, "stop", f"{k}") for k, row in enumerate(rows) for _ in range(2))
        )
        assert not math.isnan(await late) and not any(map(math.isnan, others))
        assert math.isnan(await owner.earned(10**6, TOUR, "stop", None))
        with pytest.raises(optgap.Error, match="no reward manager"):
            await owner.advantages(["nobody"], [0.0])
        with pytest.raises(optgap.Error, match="data.train_batch_size"):
            await owner.rows(3)

    asyncio.run(main())


@pytest.mark.parametrize("options, field", [
    ({"pool": None}, "data.optgap.pool"), ({"solver": None}, "data.optgap.solver"), ({"group": None}, "data.optgap.group"),
])  # fmt: skip
def test_settings_that_cannot_work_are_refused(tokenizer, running_ray, server, tmp_path, options, field):
    config = configuration(tokenizer, *settings(**{"pool": str(tmp_path / "pool.db"), "server": server, **options}))
    with pytest.raises(optgap.Error, match=field):
        create_rl_dataset(config.data.train_files, config.data, tokenizer, None, is_train=True)


def test_the_manager_refuses_another_group(tokenizer, server):
    from optgap.trainers.verl.reward import RewardManager

    config = configuration(tokenizer, *settings("pool.db", server, group=GROUP + 1))
    with pytest.raises(
        optgap.Error, match=f"data.optgap.group: is {GROUP + 1}, and actor_rollout_ref.rollout.n is {GROUP}"
    ):
        RewardManager(config, tokenizer)


def test_verl_reads_the_command_of_the_page():
    blocks = re.findall(r"^```console\n(python3 -m verl.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    (line,) = [one.replace("\\\n", " ") for one in blocks]
    import verl

    with initialize_config_dir(str(pathlib.Path(verl.__file__).parent / "trainer/config"), version_base=None):
        config = compose("ppo_trainer", shlex.split(line)[3:])
    assert get_dataset_class(config.data) is RolesDataset
    known = settings_of(config.data, SETTINGS)
    assert known["group"] == config.actor_rollout_ref.rollout.n and known["solver"]["model"] == "my-model"
    assert get_adv_estimator_fn(config.algorithm.adv_estimator).__name__ == "optgap_roles"
    _native.RoleAdvantages(json.dumps(known["advantage"]))
