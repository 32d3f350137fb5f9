"""Problems keep their types on the way through JSON, and an empty text may be a right answer."""

import json

import pytest

import optgap.rows.external as external
from optgap.rows.external.check import measure
from optgap.rows.external.check_report import broken_rules
from optgap.rows.external.settings import checked
from optgap.rows.external.typed_json import decoded, encoded
from optgap.trainers.common.evaluation import evaluate


@pytest.mark.parametrize(
    "value",
    [
        (), (1, (2, [3])), {1, 2}, frozenset({(1, 2)}), {1: "a", 2: {3: ()}}, {(0, 1): 2, None: 3, True: 4, 1.5: 5}, {"a": {"b": (1,)}},
        {"$tuple": [1]}, {"$map": [[1, 2]]}, {"$set": 3}, {"$tuple": [1], "b": 2}, [{"$frozenset": [(1,)]}], {}, [], set(),
    ],
)  # fmt: skip
def test_what_is_encoded_comes_back(value):
    back = decoded(json.loads(json.dumps(encoded(value))))
    assert back == value and repr(type(back)) == repr(type(value)) and decoded(encoded([value])) == [value]
    if isinstance(value, dict):
        assert list(back) == list(value)


def test_plain_json_is_itself_and_old_rows_are_read():
    old = {"numbers": [1, 2.5, None, True, "x"], "of": {"a": [], "b": {}}, "$map": 3, "$odd": [1]}
    assert encoded(old) == old and decoded(old) == old
    assert decoded({"$set": 3}) == {"$set": 3}
    with pytest.raises(ValueError, match=r"\$set cannot be read"):
        decoded({"$set": [[1]]})
    with pytest.raises(ValueError, match=r"\$map cannot be read"):
        decoded({"$map": [1]})


def test_sets_have_one_text():
    assert encoded({3, 1, 2}) == encoded({2, 3, 1}) == {"$set": [1, 2, 3]}
    with pytest.raises(TypeError):
        json.dumps(encoded({"object": object()}))


@pytest.fixture
def configured():
    external.configure(tasks={"mine/kinds": "toys:ManyKinds", "mine/toy": "toys:Toy"}, trusted=True)
    yield
    external.configure()


def test_tuples_integer_keys_sets_and_empty_answers_are_judged_as_they_were_made(configured):
    (row,) = external.rows("mine/kinds", ["d1"], [1])
    texts = [f"<think>x</think><answer>{text}</answer>" for text in ("", " ", "0")]
    found = evaluate([*texts, "<think>x</think>"], [row.ground_truth] * 4).rows
    assert [one["acc"] for one in found] == [1, 1, 0, 0]


def test_an_empty_answer_is_empty_where_it_is_wrong_or_no_answer(configured):
    kinds, toy = external.rows(["mine/kinds", "mine/toy"], ["d1", "d1"], [1, 1])
    record = json.loads(kinds.ground_truth)
    wrong = external.read({**record, "key": record["key"].partition("#")[0], "problem": {"counts": {"$map": [[7, 0]]}}})
    by = external.workers()
    asked = [wrong, external.read(json.loads(toy.ground_truth))]
    found = external.reward_rows(asked, ["<think>x</think><answer></answer>"] * 2, pool=by)
    # The first environment refuses it, the second is not asked.
    assert [one.code for one in found] == [13, 13] and not by.killed


@pytest.mark.parametrize(
    ("name", "broken"), [("ManyKinds", ""), ("GoldIsANumber", "gold returned a int, expected a text")]
)
def test_check_compares_with_the_stored_reference(name, broken):
    settings = checked({"tasks": {"mine/it": f"toys:{name}"}, "trusted": True}, "test")
    (found,) = measure(settings, "mine/it", [1], 10)
    said = " ".join(broken_rules([found]))
    assert broken in said and ("ambiguity" not in said)
    if name == "ManyKinds":
        assert (found.gold.found, found.gold.total) == (10, 10)
