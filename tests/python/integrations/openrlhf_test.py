"""OpenRLHF's documented call, without OpenRLHF: lists of one query, prompt and label; it never raises."""

import pytest
from hostile import HOSTILE

import optgap
from optgap.trainers.common import adapter_rows
from optgap.trainers.common.evaluation import SCALARS, fingerprint
from optgap.trainers.openrlhf import reward as openrlhf

PROMPT = "<|im_start|>user\nGo. Like <think>…</think> <answer>[0, 1]</answer>.<|im_end|>\n<|im_start|>assistant\n"


def values(result):
    """Lists or tensors of one entry per query, as numbers."""
    assert set(result) == {"rewards", "scores", "extra_logs"} and set(result["extra_logs"]) == set(SCALARS)
    return [float(each) for each in result["rewards"]], [float(each) for each in result["scores"]]


def test_only_what_follows_the_prompt_is_read(rows):
    query = PROMPT + rows.optimal[0] + "<|im_end|>\n"
    assert values(openrlhf.reward_func([query], [PROMPT], rows.ground_truths[:1])) == ([2.0], [1.0])
    assert values(openrlhf.reward_func([PROMPT], [PROMPT], rows.ground_truths[:1])) == ([-2.5], [0.0])


def test_a_prompt_is_found_behind_a_first_token_and_without_its_beginning(rows):
    answer = rows.optimal[0] + "<｜end▁of▁sentence｜>"
    for query in ("<s>" + PROMPT + answer, PROMPT[30:] + answer):
        assert values(openrlhf.reward_func([query], [PROMPT], rows.ground_truths[:1]))[0] == [2.0]


def test_a_query_without_an_end_of_the_turn_was_cut_off(rows):
    truth = rows.ground_truths[0].replace('"forge"', '"boxed"')
    answer = rows.optimal[0].split("<answer>")[1].split("</answer>")[0]
    function = openrlhf.configured({"truncated": "zero"})
    for end, reward, cut in (("<|im_end|>", 2.0, 0), (" but wait<|user|>\n", 2.0, 0), (" but wait", 0.0, 1)):
        query = f"{PROMPT}\\boxed{{{answer}}}{end}"
        result = function([query], [PROMPT], [truth])
        assert (values(result)[0], float(result["extra_logs"]["truncated"][0])) == ([reward], cut), end
    assert values(openrlhf.reward_func([f"{PROMPT}\\boxed{{{answer}}} but wait"], [PROMPT], [truth]))[0] == [-2.5]


def test_a_query_without_its_prompt_earns_nothing(rows):
    result = openrlhf.reward_func([rows.optimal[0]], ["another prompt"], rows.ground_truths[:1])
    assert values(result) == ([0.0], [0.0]) and float(result["extra_logs"]["code"][0]) == -1


def test_the_fingerprint_stands_on_the_function_and_once_in_the_log(rows, caplog):
    adapter_rows._warned.clear()
    function = openrlhf.configured({"shape": "binary"})
    for _ in range(2):
        assert values(function([PROMPT + "x"], [PROMPT], rows.ground_truths[:1])) == ([0.0], [0.0])
    digits = fingerprint("binary")
    assert function.fingerprint == digits
    assert [record.message for record in caplog.records if digits in record.message] == [
        f'rewards of this run have the fingerprint {digits} ({{"shape": "binary"}})'
    ]


def test_it_never_raises(rows, monkeypatch, caplog):
    for query, prompt, label in ((None, None, None), (3, "a", {}), ("a", "a", "b"), ("", "", "")):
        assert values(openrlhf.reward_func([query], [prompt], [label])) == ([0.0], [0.0])
    monkeypatch.setattr(openrlhf, "evaluate", lambda *_, **__: 1 / 0)
    assert values(openrlhf.reward_func([PROMPT + "x"], [PROMPT], rows.ground_truths[:1])) == ([0.0], [0.0])
    assert "no reward for 1 queries" in caplog.text


@pytest.mark.parametrize("text", [text for text in HOSTILE if isinstance(text, str)])
def test_no_text_raises(rows, text):
    rewards, _ = values(openrlhf.reward_func([PROMPT + text], [PROMPT], rows.ground_truths[:1]))
    assert rewards[0] < 0


def test_other_data_goes_to_the_fallback(rows):
    def math(queries, prompts, labels):
        return {"rewards": [0.25], "scores": [0.5]}

    function = openrlhf.configured({"shape": "binary"}, fallback=math)
    queries = [PROMPT + rows.optimal[0], PROMPT + "72"]
    assert values(function(queries, [PROMPT] * 2, [rows.ground_truths[0], "72"])) == ([1.0, 0.25], [1.0, 0.5])


def test_excluded_rows_are_refused():
    with pytest.raises(optgap.Error, match="no row without a reward"):
        openrlhf.configured({"truncated": "exclude"})
    with pytest.raises(optgap.Error, match="shape"):
        openrlhf.configured({"shape": "nothing"})


def test_a_curriculum_is_refused_with_the_reason():
    with pytest.raises(optgap.Error, match="curriculum: cannot work in OpenRLHF: it reads its prompts from a file"):
        openrlhf.configured(curriculum="adaptive")
