"""What each framework does beside playing texts: tasks, sessions, cut-off texts, lines of data sets, what is refused."""

import asyncio
import importlib.util
import json
import types

import pytest
from drivers import (
    BEST,
    BROKEN,
    KEY,
    NOTHING,
    OPTIMUM,
    PROMPT,
    TRUTH,
    WORSE,
    _ids,
    installed,
    nemo_gym_client,
    response,
)

import optgap


def needs(*names):
    return pytest.mark.skipif(not installed(*names), reason=f"needs {', '.join(names)}")


@needs("openenv")
def test_openenv_names_and_draws_tasks():
    from fastapi.testclient import TestClient

    from optgap.environments.openenv.environment import TASKS, OptgapAction, OptgapEnvironment, app

    env = OptgapEnvironment("tsp", "easy", turns=2)
    assert env.list_splits() == ["train", "val", "test"] and env.num_tasks("val") == TASKS
    assert env.get_task("train", 1)["key"].startswith(KEY)
    assert [task["index"] for task in env.get_task_range("val", 3, 5)] == [3, 4]
    with pytest.raises(IndexError):
        env.get_task("train", TASKS)
    with pytest.raises(optgap.Error, match="split"):
        env.reset(split="dev")
    with pytest.raises(optgap.Error, match="reset"):
        env.step(OptgapAction(text="x"))
    first = env.reset(split="train", index=1)
    assert first.key == env.reset(seed=1).key == env.get_task("train", 1)["key"]
    assert not first.done and first.reward is None and first.messages[0]["role"] == "user"
    said = env.step(OptgapAction(text=BROKEN))
    assert said.metadata["text_reward"] == -0.5 and "stands there twice" in said.message
    assert optgap.Episode.resume(env.state.episode).messages == said.messages
    assert env.step(OptgapAction(text=BEST, finish="length")).done
    for wrong in ({"task": "nope"}, {"level": "silly"}):
        with pytest.raises(optgap.Error):
            OptgapEnvironment(**wrong)
    client = TestClient(app(turns=2))
    assert client.get("/health").status_code == 200
    assert set(client.get("/schema").json()) >= {"action", "observation", "state"}


@needs("skyrl_gym")
def test_skyrl_reads_its_settings():
    import skyrl_gym

    import optgap.environments.skyrl.environment  # noqa: F401

    row = {"reward_model": {"ground_truth": TRUTH}, "prompt": PROMPT, "max_turns": 1}
    env = skyrl_gym.make("optgap", env_config={}, extras=row)
    assert env.max_turns == 1 and env.init(None)[0] == PROMPT
    assert env.step(BEST)["done"] and env.get_metrics()["feasible"] == 1
    cut = skyrl_gym.make("optgap", env_config={"budget": 5}, extras=row).step(BEST)
    assert cut["postprocessed_action"] == BEST[:5] and cut["reward"] == -2.5
    for config, extras in (({}, {}), ({"fame": 1}, row)):
        with pytest.raises(optgap.Error):
            skyrl_gym.make("optgap", env_config=config, extras=extras)


@needs("tinker_cookbook", "torch")
def test_tinker_pays_nothing_for_rambling():
    from optgap.environments.tinker.environment import OptgapMessageEnv, env

    renderer = types.SimpleNamespace(get_stop_sequences=lambda: ["<|im_end|>"])
    made = env(renderer, TRUTH, turns=2)
    step = asyncio.run(made.step([1, 2, 3], extra={"stop_reason": "length"}))
    assert step.episode_done and step.reward == -2.5
    assert made.failed_parse_reward == -2.5 and made.example_id == KEY
    parted = {
        "role": "assistant",
        "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": f"<answer>{OPTIMUM}</answer>"}],
    }
    inner = OptgapMessageEnv(TRUTH, turns=1)
    assert asyncio.run(inner.step(parted)).reward == 2.0


@needs("nemo_gym")
def test_nemo_gym_grades_single_responses():
    from optgap.environments.nemo_gym.responses import line
    from optgap.environments.nemo_gym.single import OptgapServer

    client = nemo_gym_client(OptgapServer, episode={"reward": "forge", "turns": 3})
    for text, cut, reward in (
        (BEST, False, 2.0),
        (BROKEN, False, -0.5),
        (NOTHING, False, -2.5),
        (BEST + " and", True, -2.5),
    ):
        said = client.post("/verify", json={**line(TRUTH, PROMPT), "response": response(text, cut)}).json()
        assert said["reward"] == reward and not said["mask_sample"] and said["ground_truth"] == TRUTH
    assert client.post("/verify", json={**line(TRUTH, "Solve it."), "response": response(BEST)}).json()["reward"] == 2.0


def test_nemo_gym_puts_reasoning_back():
    from optgap.environments.nemo_gym.responses import row_of, text_of_response

    said = types.SimpleNamespace(output=[
        types.SimpleNamespace(type="reasoning", content=None, summary=[types.SimpleNamespace(text="hm")]),
        types.SimpleNamespace(type="message", content=f"<answer>{OPTIMUM}</answer>"),
    ])  # fmt: skip
    assert text_of_response(said) == BEST
    assert row_of({"verifier_metadata": {"ground_truth": TRUTH}}) == {"ground_truth": TRUTH}
    with pytest.raises(optgap.Error, match="ground_truth"):
        row_of({"responses_create_params": {}})


def test_trls_class_is_reused_and_owns_its_reward():
    from optgap.environments.trl.environment import environment

    made = environment(checks=1, turns=2)
    env = made()
    for _ in range(2):
        env.reset(prompt=PROMPT, ground_truth=TRUTH)
        assert "keeps every rule" in env.check(str(OPTIMUM)) and "No call" in env.check("[0]")
        assert "stands there twice" in env.submit("[0, 1, 1]")
        assert env.submit(json.dumps(OPTIMUM)).endswith("is over.") and env.get_reward() == 2.0
        assert env.submit("[0]") == "The episode is over."
    env.reset(key=KEY)
    assert env.get_reward() < 0
    assert not hasattr(environment(), "check") and made.submit.__doc__ and "answer:" in made.submit.__doc__
    for wrong in ({"format": "forge"}, {"turns": 0}, {"fame": 1}):
        with pytest.raises(optgap.Error):
            environment(**wrong)
    with pytest.raises(optgap.Error, match="ground_truth"):
        env.reset(prompt=PROMPT)


THINKING = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n"
TEMPLATES = {
    "plain": THINKING + "{% endif %}",
    "opened": THINKING + "<think>\n{% endif %}",
    "closed": THINKING + "<think>\n\n</think>\n\n{% endif %}",
    "lone": THINKING + "</think>\n{% endif %}",
    "granite": THINKING + "{% endif %}{# think between <think></think>, then answer between <response></response> #}",
}


@needs("transformers", "torch")
def test_formats_follow_the_template():
    from tiny_model import byte_tokenizer

    from optgap.environments.rendering import fitted_format, next_turn

    made = {name: byte_tokenizer(template) for name, template in TEMPLATES.items()}
    assert fitted_format(made["plain"], TRUTH) == "forge"
    assert fitted_format(made["opened"], TRUTH)["opened"] is True
    for name in ("closed", "lone"):
        with pytest.raises(optgap.Error, match="take answer_only"):
            fitted_format(made[name], TRUTH)
        assert fitted_format(made[name], TRUTH, "answer_only") == "answer_only"
    with pytest.raises(optgap.Error, match="opens no reasoning part"):
        fitted_format(made["plain"], TRUTH, "forge_prefilled")
    assert fitted_format(made["plain"], {"chain": {}, "prompt": "x"}) is None
    wrapped = BEST.replace("</think>", "</think>\n<response>") + "</response>"
    for form in ("forge", "answer_only"):
        fitted = fitted_format(made["granite"], TRUTH, form)
        assert optgap.Episode(TRUTH, format=fitted, force_format=True).score(wrapped)["reward"] == 2.0
    assert optgap.Episode(TRUTH).score(wrapped)["reward"] == -2.5
    assert (
        next_turn(made["opened"], "Again.") == "\n<|im_start|>user\nAgain.<|im_end|>\n<|im_start|>assistant\n<think>\n"
    )


@needs("transformers", "torch")
def test_a_rollout_of_a_thinking_template_earns_what_its_text_is_worth():
    """The template opens the reasoning, so that no text has the opening mark: read by the row's format, each would earn -2.5."""
    from tiny_model import byte_tokenizer

    from optgap.environments.trl.rollout import episode_reward, rollout

    tokenizer = byte_tokenizer(TEMPLATES["opened"])
    for texts, finish, wanted in (
        ((BROKEN, BEST), True, 2.0), ((WORSE, NOTHING), True, -2.5), ((BEST, BROKEN), True, -0.5), ((BEST,), False, -2.5),
    ):  # fmt: skip
        said = iter(texts)
        trainer = types.SimpleNamespace(
            processing_class=tokenizer, max_completion_length=4096, chat_template_kwargs=None
        )

        def single(ids, *_, said=said, finish=finish):
            assert all(tokenizer.decode(one).endswith("assistant\n<think>\n") for one in ids)
            made = [_ids(tokenizer, next(said).removeprefix("<think>")) for _ in ids]
            return [one if finish else one[:40] for one in made], [[-1.0] * len(one) for one in made]

        trainer._generate_single_turn = single
        got = rollout([{"prompt": PROMPT, "ground_truth": TRUTH}], turns=len(texts))([PROMPT], trainer)
        assert len(got["logprobs"][0]) == len(got["completion_ids"][0]) == len(got["env_mask"][0])
        assert episode_reward([""], **{name: got[name] for name in got if name.startswith("optgap")}) == [wanted]
    with pytest.raises(optgap.Error, match="rollout_func"):
        episode_reward([""])
    with pytest.raises(optgap.Error, match="one prompt with different"):
        rollout([{"prompt": PROMPT, "ground_truth": TRUTH}, {"prompt": PROMPT, "ground_truth": KEY}])


@needs("transformers", "torch")
def test_the_models_own_end_of_turn_is_no_part_of_its_text():
    """A mark that no list of ends has, as a new family brings it."""
    from tiny_model import CHATML, byte_tokenizer

    from optgap.environments.trl.rollout import episode_reward, rollout

    tokenizer = byte_tokenizer(CHATML.replace("<|im_end|>", "<|of_ours|>"), eos="<|of_ours|>")
    said = iter((BROKEN, BEST))
    trainer = types.SimpleNamespace(processing_class=tokenizer, max_completion_length=4096)
    trainer._generate_single_turn = lambda ids, *_: ([_ids(tokenizer, next(said)) for _ in ids], None)
    got = rollout([{"prompt": PROMPT, "ground_truth": TRUTH}], turns=2)([PROMPT], trainer)
    assert episode_reward([""], **{name: got[name] for name in got if name.startswith("optgap")}) == [2.0]


@needs("trl", "transformers", "torch")
@pytest.mark.parametrize("turns", [pytest.param(1, marks=pytest.mark.long), 2])
def test_trls_trainer_takes_steps_on_rollouts(tmp_path, turns):
    from datasets import Dataset
    from tiny_model import byte_tokenizer, random_model
    from trl import GRPOConfig, GRPOTrainer

    from optgap.environments.trl.rollout import episode_reward, rollout

    tokenizer = byte_tokenizer()
    rows = [{"prompt": PROMPT, "ground_truth": TRUTH, "data_source": "optgap/tsp/easy"}]
    config = GRPOConfig(
        output_dir=str(tmp_path), per_device_train_batch_size=4, num_generations=4, max_completion_length=32 * turns, max_steps=1,
        report_to=[], use_cpu=True, bf16=False, logging_steps=1, save_strategy="no", disable_tqdm=True,
    )  # fmt: skip
    trainer = GRPOTrainer(
        random_model(tokenizer), reward_funcs=episode_reward, args=config, train_dataset=Dataset.from_list(rows),
        processing_class=tokenizer, rollout_func=rollout(rows, turns=turns, feedback="none"),
    )  # fmt: skip
    trainer.train()
    logged = [line["reward"] for line in trainer.state.log_history if "reward" in line]
    assert logged == [-2.5]  # a random model's texts are no answers


@needs("reasoning_gym")
def test_entries_of_reasoning_gym_have_episodes():
    import reasoning_gym

    import optgap.measure.evaluators.reasoning_gym  # noqa: F401

    data = reasoning_gym.create_dataset("optgap_tsp", size=1, seed=1, level="easy")
    entry = data[0]
    episode = optgap.Episode(entry["metadata"]["ground_truth"], format="answer_only", reward_shape="improve")
    episode.submit("<answer>[0]</answer>")
    turn = episode.submit(f"<answer>{entry['answer']}</answer>")
    assert turn.grade["quality"] == data.score_answer(entry["answer"], entry) == 1.0


def test_records_name_what_there_is():
    """Each adapter's module is where its record says."""
    from optgap.environments.adapter import adapters

    assert len(adapters()) == 12
    for name, record in adapters().items():
        assert record.tested and record.turn and record.interface.count("`") % 2 == 0
        for word in record.interface.split("`")[1::2]:
            head = word.partition("(")[0].rpartition(".")[0]
            if head.startswith(f"{name}."):
                assert importlib.util.find_spec(f"optgap.environments.{head}"), word
