"""Answer formats as names, JSON and mappings."""

import json

import pytest

import optgap
from optgap.measure import attacks
from optgap.trainers.common.turns import ends

LENIENT = {"format": "answer_only", "tail": "lenient"}


@pytest.fixture(scope="module")
def engine():
    return optgap.Engine("cpu", threads=2)


@pytest.fixture(scope="module")
def problem(engine):
    instance = engine.generate("tsp", "easy", 1)
    solved = engine.solve(instance)
    return instance, solved, json.dumps(solved.answers.tolist()[0])


def test_a_format_is_a_name_json_or_a_mapping(engine, problem):
    instance, solved, answer = problem
    texts = [f"<answer>{answer}</answer> It is short."] * 4
    formats = ["answer_only", LENIENT, json.dumps(LENIENT), {**LENIENT, "ends": ["."]}]
    scores = engine.score(instance, texts, solved, format=formats, instance_of=[0] * 4)
    assert list(scores.format) == [False, True, True, True]
    assert engine.prompts(instance, LENIENT)[0].endswith("</answer>.")
    assert "Write nothing after it" in engine.prompts(instance, "answer_only")[0]
    with pytest.raises(optgap.Error, match=r"format\.tail"):
        engine.score(instance, texts[:1], solved, format={"tail": "loose"})
    with pytest.raises(optgap.Error, match="format"):
        engine.score(instance, texts[:1], solved, format=[3])


def test_a_text_that_was_cut_off_is_read_strictly(engine, problem):
    instance, _, answer = problem
    texts = [f"\\boxed{{{answer}}} but let me", f"\\boxed{{{answer}}}", f"<think>\\boxed{{{answer}}}"]
    for finish, rewarded in (
        ("stop", [True, True, False]),
        ("length", [False, True, False]),
        ("unknown", [True, True, False]),
    ):
        read = engine.parse(texts, "tsp", "boxed", finish=[finish] * 3)
        assert list(read.format_code == 0) == rewarded, finish


def test_fields_of_a_format(engine):
    assert optgap.formats()[:5] == ("forge", "forge_prefilled", "answer_only", "boxed", "answer_line")
    for name in optgap.formats():
        fields = optgap.format_fields(name)
        assert fields["name"] == name and optgap.format_fields(fields) == fields
    assert optgap.format_fields(LENIENT)["reasoning"] == "optional"
    assert set(ends()) == set(optgap.format_fields("forge")["ends"]) and "<|user|>" in ends()


def test_a_field_without_effect_is_refused_wherever_formats_are_read(engine, problem):
    instance, solved, answer = problem
    tags = {"format": "boxed", "answer": ["<a>", "</a>"]}
    for call in (lambda: optgap.format_fields(tags), lambda: engine.prompts(instance, tags),
                 lambda: engine.score(instance, [f"<a>{answer}</a>"], solved, format=[tags])):  # fmt: skip
        with pytest.raises(optgap.Error, match=r'format\.answer: \["<a>","</a>"\] has no effect.* "place" to "tagged"'):
            call()
    plain = optgap.format_fields({"format": "harmony", "reasoning": "none"})
    assert optgap.format_fields(plain) == plain


def test_the_scheduler_reads_formats_of_ones_own(engine, problem):
    instance, _, answer = problem
    issued = engine.issue_instances(instance, format=LENIENT)
    engine.submit(issued.tickets, [f"<answer>{answer}</answer> It is short."])
    assert list(engine.collect(issued.tickets, 60).format) == [True]


def test_what_families_stop_on_and_reason_between_is_known():
    known = [tuple(pair[:2]) for name in optgap.formats() for pair in optgap.format_fields(name)["markers"]]
    for family in attacks.families():
        assert set(family.stops) <= set(ends()), family.family
        assert family.source
        if family.markers:
            opening, closing = family.markers
            assert any(opening.startswith(a) and closing == b for a, b in known if a and b), family.family
    assert [text.name for text in attacks.texts()] == ["perfect", "draft", "quoted", "stop", "trailing", "cut_off"]
