"""Preflight of proposers: a sound proposal is rewarded by the gates in every trainer's way, and nothing else is."""

import pytest
from byte_tokenizer import ByteTokenizer

import optgap
from optgap.measure.preflight import proposals as preflight


def test_a_sound_proposal_is_rewarded_and_nothing_else(engine):
    found = preflight.check(ByteTokenizer(), ["openrlhf", "verl"], tasks=["tsp", "knapsack"], engine=engine)
    assert found.passed, preflight.report(found)
    codes = {(outcome.trainer, outcome.text): outcome.code for outcome in found.outcomes}
    texts = (
        "right",
        "two proposals",
        "cut off in the proposal",
        "no JSON",
        "an unknown field",
        "a proposal in the reasoning alone",
    )
    assert {text: codes["openrlhf", text] for text in texts} == {
        "right": "ok", "two proposals": "format_repeated", "cut off in the proposal": "truncated", "no JSON": "not_json",
        "an unknown field": "unknown_field", "a proposal in the reasoning alone": "format_missing_answer",
    }  # fmt: skip
    assert [outcome.text for outcome in found.outcomes if outcome.rewarded] == ["right"] * 2
    assert (found.left_out, [tokens.task for tokens in found.prompt_tokens]) == ([], ["tsp", "knapsack"])


def test_a_wrong_format_is_not_rewarded_and_a_task_without_sound_problems_is_said(engine, monkeypatch):
    wrong = preflight.check(ByteTokenizer(), ["openrlhf"], format='{"name": "q", "answer": ["<q>", "</q>"], "reasoning": "required"}',
                            tasks=["tsp"], engine=engine)  # fmt: skip
    assert wrong.passed, "what the format's own tags hold is read"
    monkeypatch.setattr(preflight, "sound_texts", lambda *_: [])
    none = preflight.check(ByteTokenizer(), ["openrlhf"], tasks=["tsp"], engine=engine)
    assert none.left_out == ["tsp"] and "left out tsp" in preflight.report(none)
    with pytest.raises(optgap.Error, match="trainer"):
        preflight.check(ByteTokenizer(), ["ppo"], engine=engine)
