"""Each adapter driven by its framework's own code, with a model that says known texts: a function a framework, which gives
what the turns earned, or None where the framework asks for the whole alone, and what the episode earned.

Where a package cannot be installed, a stand-in has the signatures that it publishes.
"""

import asyncio
import importlib.util
import json
import sys
import types

import optgap
import optgap.data.dataset

KEY = "tsp@1:train:easy:1"
OPTIMUM = [0, 4, 2, 15, 5, 9, 12, 8, 7, 1, 10, 3, 6, 13, 11, 14]
PROMPT = [{"role": "user", "content": "Solve it."}]


def text(answer):
    return f"<think>hm</think><answer>{answer}</answer>"


BEST, WORSE, BROKEN, NOTHING = text(OPTIMUM), text(list(range(16))), text([0, 1, 2, 1]), "no idea"
TRUTH = json.dumps({"key": KEY, "baseline": {"objective": 361, "bound": 361, "proven": True}, "format": "forge"})


def installed(*names):
    return all(importlib.util.find_spec(name) is not None for name in names)


def by_episode(texts, **settings):
    episode = optgap.Episode({"ground_truth": TRUTH, "prompt": PROMPT}, **settings)
    return [episode.submit(one).earned for one in texts], episode.reward


def by_openenv(texts, **settings):
    from fastapi.testclient import TestClient

    from optgap.environments.openenv.environment import app

    turns = []
    with TestClient(app(**settings)).websocket_connect("/ws") as socket:
        socket.send_json({"type": "reset", "data": {"row": {"ground_truth": TRUTH, "prompt": PROMPT}}})
        assert not socket.receive_json()["data"]["done"]
        for one in texts:
            socket.send_json({"type": "step", "data": {"text": one}})
            said = socket.receive_json()["data"]
            turns.append(said["reward"])
        assert said["done"]
    return turns, sum(turns)


def by_skyrl(texts, **settings):
    import skyrl_gym

    import optgap.environments.skyrl.environment  # noqa: F401

    row = {"prompt": PROMPT, "reward_model": {"ground_truth": TRUTH}, "data_source": "optgap/tsp/easy"}
    env = skyrl_gym.make("optgap", env_config=settings, extras=row)
    prompt, _ = env.init(PROMPT)
    assert prompt == PROMPT
    steps = [env.step(one) for one in texts]
    assert [step["done"] for step in steps] == [False] * (len(texts) - 1) + [True]
    assert type(env).aggregate_metrics([env.get_metrics()])
    return [step["reward"] for step in steps], env.episode.reward


def by_tinker(texts, **settings):
    from optgap.environments.tinker.environment import OptgapMessageEnv

    async def play():
        env = OptgapMessageEnv({"ground_truth": TRUTH, "prompt": PROMPT}, **settings)
        assert await env.initial_observation() == PROMPT
        steps = [await env.step({"role": "assistant", "content": one}) for one in texts]
        assert [step.episode_done for step in steps] == [False] * (len(texts) - 1) + [True]
        return [step.reward for step in steps], env.episode.reward

    return asyncio.run(play())


def _tokenizer():
    from tiny_model import byte_tokenizer

    return byte_tokenizer()


def _ids(tokenizer, one):
    return tokenizer(one, add_special_tokens=False)["input_ids"] + [tokenizer.eos_token_id]


def by_openrlhf(texts, **settings):
    from optgap.environments.openrlhf.agent import executor

    tokenizer, said, seen = _tokenizer(), iter(texts), []

    class Engine:
        async def generate(self, ids, params, **_):
            seen.append(tokenizer.decode(ids))
            one = next(said)
            output = types.SimpleNamespace(
                token_ids=_ids(tokenizer, one), text=one, finish_reason="stop", logprobs=None
            )
            return types.SimpleNamespace(outputs=[output])

    made = executor(tokenizer, **settings)()
    params = types.SimpleNamespace(max_tokens=64, logprobs=None)
    prompt = tokenizer.apply_chat_template(PROMPT, tokenize=False, add_generation_prompt=True)
    got = asyncio.run(made.execute(prompt, TRUTH, params, 8192, tokenizer, Engine()))
    for before, one in zip(seen[1:], texts):
        assert f"{one}<|im_end|>\n<|im_start|>user\n" in before and before.endswith("<|im_start|>assistant\n")
    return None, got["reward"]


def by_areal(texts, **settings):
    from areal.api import ModelResponse
    from areal.api.cli_args import GenerationHyperparameters

    from optgap.environments.areal.workflow import OptgapWorkflow

    tokenizer, said = _tokenizer(), iter(texts)

    class Engine:
        async def agenerate(self, request):
            ids = _ids(tokenizer, next(said))
            return ModelResponse(input_tokens=request.input_ids, output_tokens=ids, output_logprobs=[-1.0] * len(ids),
                                 output_versions=[3] * len(ids), stop_reason="stop")  # fmt: skip

    workflow = OptgapWorkflow(GenerationHyperparameters(), tokenizer, **settings)
    got = asyncio.run(workflow.arun_episode(Engine(), {"prompt": PROMPT, "ground_truth": TRUTH}))
    assert len({column.shape for name, column in got.items() if name != "rewards"}) == 1
    assert int(got["loss_mask"].sum()) == sum(len(_ids(tokenizer, one)) for one in texts)
    return None, float(got["rewards"][0])


def by_verl(texts, **settings):
    from hydra.utils import instantiate
    from verl.experimental.agent_loop.agent_loop import _agent_loop_registry
    from verl.utils.dataset.rl_dataset import RLHFDataset
    from verl_rig import configuration

    import optgap.environments.verl.loop  # noqa: F401

    tokenizer, said = _tokenizer(), iter(texts)

    class Server:
        async def generate(self, request_id, prompt_ids, sampling_params, **_):
            ids = _ids(tokenizer, next(said))
            return types.SimpleNamespace(token_ids=ids, log_probs=[-1.0] * len(ids), extra_fields={}, num_preempted=0,
                                         routed_experts=None)  # fmt: skip

    async def play():
        config = configuration(
            tokenizer, "actor_rollout_ref.rollout.response_length=4096", "actor_rollout_ref.rollout.prompt_length=512"
        )
        wrapped = types.SimpleNamespace(config=config)
        loop = instantiate(
            {**_agent_loop_registry["optgap_agent"], **settings}, trainer_config=wrapped, server_manager=Server(), tokenizer=tokenizer,
            processor=None, dataset_cls=RLHFDataset, data_config=types.SimpleNamespace(config=config.data), hf_model_type=None,
            _convert_="all", _recursive_=False,
        )  # fmt: skip
        return await loop.run(
            {"temperature": 1.0}, raw_prompt=PROMPT, reward_model={"style": "rule", "ground_truth": TRUTH}
        )

    got = asyncio.run(play())
    assert len(got.response_ids) == len(got.response_mask) == len(got.response_logprobs)
    assert sum(got.response_mask) == sum(len(_ids(tokenizer, one)) for one in texts)
    assert got.num_turns == 2 * len(texts)
    return got.extra_fields["turn_scores"], got.reward_score


def by_slime(texts, **settings):
    """By the signatures of its repository."""
    tokenizer, said = _tokenizer(), iter(texts)
    from slime_stand_in import Sample as Base

    class Sample(Base):
        def append_response_tokens(self, args=None, *, tokens=None, log_probs=None, trainable=True, meta_info=None, text=None,
                                   update_terminal_info=True):  # fmt: skip
            assert trainable == (log_probs is not None)
            self.tokens = self.tokens + list(tokens)
            self.response, self.response_length = self.response + text, self.response_length + len(tokens)

    async def once(args, sample, sampling_params):
        assert sample.status == Sample.Status.PENDING
        sampling_params["max_new_tokens"] -= sample.response_length
        one = next(said)
        ids = _ids(tokenizer, one)
        sample.append_response_tokens(args, tokens=ids, log_probs=[-1.0] * len(ids), text=one + "<|im_end|>")
        sample.status = Sample.Status.COMPLETED
        return sample

    module = types.ModuleType("slime.rollout.sglang_rollout")
    module.generate, module.GenerateState = once, lambda args: types.SimpleNamespace(tokenizer=tokenizer)
    known = {
        "slime": types.ModuleType("slime"),
        "slime.rollout": types.ModuleType("slime.rollout"),
        module.__name__: module,
    }
    before = {name: sys.modules.get(name) for name in known}
    sys.modules.update(known)
    try:
        from optgap.environments.slime.rollout import generate

        sample = Sample(prompt=tokenizer.apply_chat_template(PROMPT, tokenize=False), label=TRUTH, status=Sample.Status.PENDING,
                        response_length=0)  # fmt: skip
        args = types.SimpleNamespace(reward_key="score", optgap_episode=settings)
        params = {"max_new_tokens": 8192}
        sample = asyncio.run(generate(args, sample, params))
    finally:
        for name, module in before.items():
            sys.modules.pop(name) if module is None else sys.modules.__setitem__(name, module)
    assert params == {"max_new_tokens": 8192} and sample.reward["turns"] == len(texts)
    return None, sample.get_reward_value(args)


def by_trl_rollout(texts, **settings):
    from optgap.environments.trl.rollout import episode_reward, rollout

    tokenizer, said = _tokenizer(), iter(texts)
    trainer = types.SimpleNamespace(processing_class=tokenizer, max_completion_length=8192, chat_template_kwargs={})
    trainer._generate_single_turn = lambda ids, images, fields, count: (
        [_ids(tokenizer, next(said)) for _ in ids],
        None,
    )
    got = rollout([{"prompt": PROMPT, "ground_truth": TRUTH}], **settings)([PROMPT], trainer)
    assert len(got["completion_ids"][0]) == len(got["env_mask"][0])
    assert sum(got["env_mask"][0]) == sum(len(_ids(tokenizer, one)) for one in texts)
    (total,) = episode_reward([""], **{name: got[name] for name in got if name.startswith("optgap")})
    return None, total


def response(one, cut=False):
    """What NeMo-Gym's agents send: a response of OpenAI's newer API."""
    content = [{"type": "output_text", "text": one, "annotations": []}]
    message = {"id": "m", "type": "message", "role": "assistant", "status": "completed", "content": content}
    return {"id": "r", "created_at": 0.0, "model": "known", "object": "response", "output": [message], "parallel_tool_calls": False,
            "tool_choice": "auto", "tools": [], "incomplete_details": {"reason": "max_output_tokens"} if cut else None}  # fmt: skip


def nemo_gym_client(kind, **config):
    """The endpoints of one of NeMo-Gym's servers, without its process and its head server."""
    from unittest.mock import MagicMock

    from fastapi.testclient import TestClient
    from nemo_gym.server_utils import ServerClient

    annotated = kind.model_fields["config"].annotation
    made = annotated(host="127.0.0.1", port=1, entrypoint="app.py", name="optgap", **config)
    return TestClient(kind(config=made, server_client=MagicMock(spec=ServerClient)).setup_webserver())


def by_nemo_gym(texts, **settings):
    from optgap.environments.nemo_gym.responses import line
    from optgap.environments.nemo_gym.several import OptgapGymnasiumServer

    row = {**line(TRUTH, PROMPT), "episode": settings}
    client = nemo_gym_client(OptgapGymnasiumServer)
    assert client.post("/reset", json=row).json() == {"observation": None, "info": {}}
    steps = [client.post("/step", json={**row, "response": response(one)}).json() for one in texts]
    assert [step["terminated"] for step in steps] == [False] * (len(texts) - 1) + [True]
    return [step["reward"] for step in steps], sum(step["reward"] for step in steps)


def by_trl_environment(texts, **settings):
    """Answers go in by the tool, without their reasoning."""
    from optgap.environments.trl.environment import environment

    made = environment(**settings)()
    assert "submit" in made.reset(prompt=PROMPT, ground_truth=TRUTH, data_source="optgap/tsp/easy")
    for one in texts:
        made.submit(one.partition("<answer>")[2].partition("</answer>")[0] or one)
    return None, made.get_reward()


def by_verifiers(texts, **settings):
    import verifiers.v1 as vf

    from optgap.environments.verifiers.taskset import OptgapData, OptgapTask

    data = OptgapData(
        prompt=PROMPT[0]["content"], instance=KEY, ground_truth=TRUTH, episode={**settings, "format": "forge"}
    )
    task = OptgapTask(data)
    nodes = [types.SimpleNamespace(message=vf.AssistantMessage(content=one)) for one in texts]
    episode = task.replayed(types.SimpleNamespace(nodes=nodes, calls=[]))
    return [turn.earned for turn in episode.history], episode.reward


TABLE = {
    "Episode": (by_episode, ()),
    "OpenEnv": (by_openenv, ("openenv",)),
    "SkyRL-Gym": (by_skyrl, ("skyrl_gym",)),
    "Tinker": (by_tinker, ("tinker_cookbook", "torch")),
    "OpenRLHF": (by_openrlhf, ("openrlhf", "torch", "transformers")),
    "AReaL": (by_areal, ("areal", "torch", "transformers")),
    "verl": (by_verl, ("verl", "torch", "transformers")),
    "slime": (by_slime, ("transformers", "torch")),
    "TRL rollout_func": (by_trl_rollout, ("transformers", "torch")),
    "TRL environment_factory": (by_trl_environment, ()),
    "NeMo-Gym": (by_nemo_gym, ("nemo_gym",)),
    "verifiers": (by_verifiers, ("verifiers",)),
}
