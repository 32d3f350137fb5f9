"""TRL's documented call of reward functions, without TRL: keyword columns of equal length, one list back."""

import importlib.metadata
import pickle
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from hostile import HOSTILE

import optgap
from optgap.trainers.common.evaluation import fingerprint
from optgap.trainers.trl import reward as trl


def batch(rows, completions, truths, sources=None):
    prompts = [f"prompt of {truth}" for truth in truths]
    columns = {"ground_truth": truths, "completion_ids": [[1, 2]] * len(prompts), "trainer_state": object()}
    if sources is not None:
        columns["data_source"] = sources
    return {"prompts": prompts, "completions": completions, **columns}


def messages(text):
    return [{"role": "assistant", "content": text}]


def test_texts_and_messages_are_scored_alike(rows):
    truths = [rows.ground_truths[0]] * 2
    texts = [rows.optimal[0], "x"]
    assert trl.reward(**batch(rows, texts, truths)) == [2.0, -2.5]
    assert trl.reward(**batch(rows, [messages(text) for text in texts], truths)) == [2.0, -2.5]
    blocks = [[{"role": "assistant", "content": [{"type": "text", "text": text}]}] for text in texts]
    assert trl.reward(**batch(rows, blocks, truths)) == [2.0, -2.5]


def test_only_what_the_model_wrote_is_read(rows):
    call = {"role": "assistant", "content": "", "reasoning_content": "a tool helps", "tool_calls": [{}]}
    said = {"role": "assistant", "content": "<think>a tool <answer>[1]</answer></think> I ask it."}
    told = {"role": "tool", "content": "<answer>[0]</answer>"}
    last = {"role": "assistant", "content": rows.optimal[0]}
    for turns in ([call, told, last], [said, told, last], [last, {"role": "assistant", "content": " "}, told]):
        assert trl.reward(**batch(rows, [turns], rows.ground_truths[:1])) == [2.0]
    assert trl.reward(**batch(rows, [[last, told, said]], rows.ground_truths[:1])) == [-2.5]


@pytest.mark.parametrize(
    "last", [{"reasoning_content": "hm, let me"}, {"thinking": "hm, let me"}, {"tool_calls": [{}]}]
)
@pytest.mark.parametrize("format_name", ["forge", "answer_only", "boxed", "harmony_line"])
def test_a_draft_of_an_earlier_turn_is_no_answer(rows, last, format_name):
    """The rollout ended in reasoning, or in a call: it has not answered."""
    list_text = rows.optimal[0].split("<answer>")[1].split("</answer>")[0]
    part = {"boxed": f"\\boxed{{{list_text}}}", "harmony_line": f"Answer: {list_text}"}.get(
        format_name, rows.optimal[0]
    )
    truth = rows.ground_truths[0].replace('"forge"', f'"{format_name}"')
    draft = {"role": "assistant", "content": part, "tool_calls": [{}]}
    turns = [draft, {"role": "tool", "content": "no"}, {"role": "assistant", "content": "", **last}]
    assert trl.reward(**batch(rows, [turns], [truth])) == [-2.5]
    assert trl.reward(**batch(rows, [[draft]], [truth])) == [2.0]


@pytest.mark.parametrize("field", ["reasoning_content", "thinking"])
def test_reasoning_in_a_field_of_its_own_is_put_back(rows, field):
    answer = rows.optimal[0].split("</think>")[1]
    split = [{"role": "assistant", "content": answer, field: "hm"}]
    plain = rows.ground_truths[0]
    for format_name in ("forge", "forge_prefilled", "answer_only", "harmony", "magistral"):
        truth = plain.replace('"forge"', f'"{format_name}"')
        assert trl.reward(**batch(rows, [split], [truth])) == [2.0], format_name


def test_foreign_rows_get_none(rows):
    completions = [rows.optimal[0], "72", "x", rows.optimal[1]]
    truths = [rows.ground_truths[0], "72", None, rows.ground_truths[1]]
    assert trl.reward(**batch(rows, completions, truths)) == [2.0, None, None, 2.0]
    sources = ["optgap/tsp/easy", "openai/gsm8k", None, "other"]
    assert trl.reward(**batch(rows, completions, truths, sources)) == [2.0, None, None, None]
    assert trl.reward(**batch(rows, ["x"], ["72"])) == [None]


def test_several_functions_share_one_evaluation(rows, monkeypatch):
    calls = []
    plain = trl.evaluate
    monkeypatch.setattr(trl, "evaluate", lambda *args, **named: (calls.append(1), plain(*args, **named))[1])
    functions = trl.reward_functions("reward", "format", "feasible", "quality", "normalized", "accuracy")
    given = batch(rows, [rows.optimal[0], "unique to this test"], [rows.ground_truths[0]] * 2)
    values = {function.__name__: function(**given) for function in functions}
    assert calls == [1]
    assert values["optgap_reward"] == [2.0, -2.5] and values["optgap_accuracy"] == [1.0, 0.0]
    given["completions"][1] = rows.optimal[0]
    assert trl.reward(**given) == [2.0, 2.0]
    assert len(calls) == 2


def test_names_are_separate_and_functions_can_be_pickled(rows):
    functions = [trl.reward, trl.quality, *trl.reward_functions("reward", spec={"shape": "binary"})]
    functions.append(trl.GroupAdvantage("river", num_generations=4))
    copies = pickle.loads(pickle.dumps(functions))
    assert [copy.__name__ for copy in copies] == ["optgap_reward", "optgap_quality", "optgap_reward", "optgap_river"]
    given = batch(rows, [rows.optimal[0]], rows.ground_truths[:1])
    assert [copy(**given) for copy in copies[:3]] == [[2.0], [1.0], [1.0]]


def test_metrics_are_logged_once_per_batch(rows):
    logged = []
    given = batch(rows, [rows.optimal[0], "for the log"], [rows.ground_truths[0]] * 2)
    for function in trl.reward_functions("reward", "quality"):
        function(**given, log_metric=lambda name, value: logged.append((name, value)), log_extra=None)
    assert dict(logged) == {"optgap/tsp/sr": 0.5, "optgap/tsp/qr": 0.5, "optgap/tsp/normalized": 0.5}
    assert len(logged) == 3


def test_the_fingerprint_stands_in_a_logged_column_and_on_the_functions(rows):
    logged = []
    functions = trl.reward_functions("reward", "quality", spec="binary")
    given = batch(rows, [rows.optimal[0], "with a column", "72"], [rows.ground_truths[0]] * 2 + ["72"])
    for function in pickle.loads(pickle.dumps(functions)):
        function(**given, log_extra=lambda name, values: logged.append((name, values)))
        assert function.fingerprint == fingerprint("binary")
    truth = rows.ground_truths[0]
    assert logged == [("optgap_fingerprint", [fingerprint("binary")] * 3), ("optgap_ground_truth", [truth, truth, None]),
                      ("optgap_finish", ["unknown"] * 3)]  # fmt: skip
    estimator = trl.GroupAdvantage("river", num_generations=4)
    assert estimator.fingerprint == fingerprint("forge", "river") != fingerprint("forge")


def test_group_advantages_need_whole_groups(rows):
    function = trl.GroupAdvantage("river", num_generations=4)
    texts = [rows.optimal[0], rows.greedy[0], "x", "x"]
    whole = batch(rows, texts + ["1"] * 4, [rows.ground_truths[0]] * 4 + ["72"] * 4)
    values = function(**whole)
    assert values[4:] == [None] * 4
    assert values[:4] == [1.0, 0.5, -1.0, -1.0]
    halves = batch(rows, texts, [rows.ground_truths[0]] * 2 + [rows.ground_truths[1]] * 2)
    with pytest.raises(optgap.Error, match="this rank holds parts of groups.*row 2 has another prompt"):
        function(**halves)
    with pytest.raises(optgap.Error, match="2 rows are left.*multiple of num_generations"):
        function(**batch(rows, texts[:2], [rows.ground_truths[0]] * 2))


def test_mistakes_of_the_configuration_are_refused(rows):
    with pytest.raises(optgap.Error, match="no column 'ground_truth'"):
        trl.reward(prompts=["p"], completions=["x"], completion_ids=[[1]])
    with pytest.raises(optgap.Error, match="none of reward"):
        trl.reward_functions("nothing")
    with pytest.raises(optgap.Error, match="two rollouts or more"):
        trl.GroupAdvantage("river", num_generations=1)


class Tokenizer:
    eos_token_id = 2

    def get_vocab(self):
        return {"<|im_end|>": 7, "so": 5}

    def decode(self, ids, skip_special_tokens):
        return {7: "<|im_end|>", 5: "so", 2: "</s>"}[ids[0]]


def test_completions_that_were_cut_off_are_known_by_their_ids(rows):
    given = {
        **batch(rows, [rows.optimal[0]] * 3, rows.ground_truths[:1] * 3),
        "completion_ids": [[5, 7], [5, 2], [5, 5]],
    }
    for spec, cut in (({"truncated": "exclude"}, None), ({"truncated": "zero"}, 0.0)):
        (function,) = trl.reward_functions("reward", spec=spec, tokenizer=Tokenizer())
        assert function(**given) == [2.0, 2.0, cut]
        (function,) = trl.reward_functions("reward", spec=spec, max_completion_length=2)
        assert function(**given) == [cut] * 3
        (function,) = trl.reward_functions("reward", spec=spec, max_completion_length=3)
        assert function(**given) == [2.0] * 3
        with pytest.raises(optgap.Error, match="max_completion_length"):
            trl.reward_functions("reward", spec=spec)
    assert trl.reward(**given) == [2.0] * 3


def test_a_cut_off_draft_in_a_box_is_not_rewarded(rows):
    truth = rows.ground_truths[0].replace('"forge"', '"boxed"')
    answer = rows.optimal[0].split("<answer>")[1].split("</answer>")[0]
    given = {**batch(rows, [f"\\boxed{{{answer}}} but wait"], [truth]), "completion_ids": [[5, 5]]}
    assert trl.reward(**given) == [2.0]
    (function,) = trl.reward_functions("reward", tokenizer=Tokenizer())
    assert function(**given) == [-2.5]


def test_groups_of_evaluation_may_have_another_size(rows):
    function = trl.GroupAdvantage("grpo", num_generations=4, num_generations_eval=2)
    texts, truths = [rows.optimal[0], "x"] * 4, rows.ground_truths[:1] * 8
    for size in (4, 2):
        given = batch(rows, texts, truths)
        given["prompts"] = [f"prompt {row // size}" for row in range(8)]
        assert [value > 0 for value in function(**given)] == [True, False] * 4
    larger = trl.GroupAdvantage("grpo", num_generations=2, num_generations_eval=4)
    given["prompts"] = [f"prompt {row // 4}" for row in range(8)]
    assert larger._size_of_groups(given["prompts"]) == 4 and larger._size_of_groups(given["prompts"][:2]) == 2
    given["prompts"] = [f"prompt {row // 3}" for row in range(8)]
    with pytest.raises(optgap.Error, match="num_generations_eval"):
        function(**given)


def test_estimators_that_weigh_by_length_get_it(rows):
    function = trl.GroupAdvantage("opo", num_generations=2)
    given = {**batch(rows, [rows.optimal[0], "x"], rows.ground_truths[:1] * 2), "completion_ids": [[5] * 8, [5, 2]]}
    found = function(**given)
    assert found[0] > 0 > found[1] and abs(found[0]) < abs(found[1])


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_completion_raises(rows, text):
    for completion in (text, [{"role": "assistant", "content": text}], [text], [{"role": "assistant"}]):
        (value,) = trl.reward(**batch(rows, [completion], rows.ground_truths[:1]))
        assert value < 0


def test_functions_called_at_once_share_one_evaluation(rows, monkeypatch):
    """As AsyncGRPO does: all functions of a group on threads, several groups in flight."""
    calls = []
    plain = trl.evaluate

    def slow(*args, **named):
        calls.append(1)
        time.sleep(0.05)
        return plain(*args, **named)

    monkeypatch.setattr(trl, "evaluate", slow)
    functions = trl.reward_functions("reward", "quality", "format")
    groups = [batch(rows, [rows.optimal[0], f"group {group}"], [rows.ground_truths[0]] * 2) for group in range(4)]
    with ThreadPoolExecutor(12) as pool:
        found = [[pool.submit(function, **given) for function in functions] for given in groups]
        assert [[each.result()[0] for each in values] for values in found] == [[2.0, 1.0, 1.0]] * 4
    assert len(calls) == 4


def test_a_failed_evaluation_is_not_kept(rows, monkeypatch):
    given = batch(rows, ["to fail once"], rows.ground_truths[:1])
    with monkeypatch.context() as broken:
        broken.setattr(trl, "evaluate", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            trl.reward(**given)
    assert trl.reward(**given) == [-2.5]


def test_a_policy_that_repeats_itself_is_logged_in_every_step(rows):
    logged = []
    given = batch(rows, [rows.optimal[0]], rows.ground_truths[:1])
    for step in (1, 1, 2):
        given["trainer_state"] = SimpleNamespace(global_step=step)
        trl.reward(**given, log_metric=lambda name, value: logged.append(name))
    assert logged.count("optgap/tsp/sr") == 2


@pytest.mark.parametrize(("ranks", "version", "logged"), [("1", "1.2.0", True), ("4", "1.13.0", False), ("4", "1.14.0", True),
                                                          ("4", "2.0", True), ("4", None, True)])  # fmt: skip
def test_ranks_of_an_old_trl_log_nothing_that_others_lack(rows, monkeypatch, ranks, version, logged):
    def installed(name):
        if version is None:
            raise importlib.metadata.PackageNotFoundError(name)
        return version

    monkeypatch.setenv("WORLD_SIZE", ranks)
    monkeypatch.setattr(importlib.metadata, "version", installed)
    trl._ranks_may_log_what_they_hold.cache_clear()
    trl._renew()
    found = {}
    try:
        given = batch(rows, rows.optimal[:1], rows.ground_truths[:1])
        assert trl.RewardFunction("reward", {"proven_bonus": 0.5})(**given, log_metric=found.__setitem__) == [2.5]
    finally:
        trl._ranks_may_log_what_they_hold.cache_clear()
    assert bool(found) == logged
