"""Preflight of judges: a right judgement is rewarded in every trainer's way, a wrong or malformed one is not."""

import pytest
from byte_tokenizer import ByteTokenizer

import optgap
from optgap.measure.preflight import judges as preflight


def test_a_right_judgement_is_rewarded_and_nothing_else(engine):
    found = preflight.check(ByteTokenizer(), ["openrlhf", "verl"], tasks=["tsp", "knapsack"], engine=engine)
    assert found.passed, preflight.report(found)
    codes = {outcome.text: outcome.code for outcome in found.outcomes if outcome.trainer == "openrlhf"}
    texts = ("right", "the wrong band", "two scores", "cut off in the score", "no tags", "a fraction", "out of range")
    wanted = ("ok", "ok", "several", "no_score", "no_score", "no_score", "out_of_range")
    for of in ("an optimum", "a broken answer"):
        assert tuple(codes[f"{text}, of {of}"] for text in texts) == wanted
    rewarded = [(outcome.trainer, outcome.text) for outcome in found.outcomes if outcome.rewarded]
    assert sorted(rewarded) == [
        (trainer, f"right, of {of}") for trainer in ("openrlhf", "verl") for of in ("a broken answer", "an optimum")
    ]
    assert [tokens.task for tokens in found.prompt_tokens] == ["tsp", "knapsack"]
    assert "openrlhf" in preflight.report(found)


def test_a_tokenizer_that_loses_the_tags_is_said(engine):
    class Deaf(ByteTokenizer):
        def decode(self, *given, **options):
            return super().decode(*given, **options).replace("<score>", "")

    found = preflight.check(Deaf(), ["verl"], tasks=["tsp"], engine=engine)
    assert not found.passed and "NOT REWARDED: right, of an optimum: no_score" in preflight.report(found)
    with pytest.raises(optgap.Error, match="trainer"):
        preflight.check(ByteTokenizer(), ["ppo"], engine=engine)
