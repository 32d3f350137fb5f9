"""reasoning-core's tasks as external tasks, over a stand-in of the package: what is asked of it, and how it is answered."""

import json

import pytest

import optgap
from optgap.rows import external
from optgap.rows.external.calls import Call
from optgap.trainers.common.evaluation import evaluate

TEMPLATE = """
class Entry:
    def __init__(self, metadata, answer=None):
        self.metadata, self.answer, self.prompt = metadata, answer, None
"""
PACKAGE = """
import random, time
from reasoning_core.template import Entry

class Adding:
    said = 0

    def generate_example(self, level=None):
        random.seed(None)  # as some of its generators do
        numbers = [random.randint(0, 99) for _ in range(level + 2)]
        self.said += 1
        made = Entry({"numbers": numbers, "said": self.said, "seen": {3, 1}, "_time": time.time()}, sum(numbers))
        made.prompt = f"Add {numbers}."
        return made

    def score_answer(self, answer, entry):
        return 1 if answer.strip() == str(sum(entry.metadata["numbers"])) == str(entry.answer) else 0.25 * (answer == "half")

def list_tasks():
    return ["adding"]

def get_task(name):
    return Adding()
"""


@pytest.fixture(autouse=True)
def stand_in(tmp_path, monkeypatch):
    package = tmp_path / "reasoning_core"
    package.mkdir()
    (package / "__init__.py").write_text(PACKAGE)
    (package / "template.py").write_text(TEMPLATE)
    told = tmp_path / "reasoning_core-9.9.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: reasoning-core\nVersion: 9.9\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    external.configure(trusted=True)
    yield
    external.configure()


def test_a_seed_is_one_problem_and_the_score_is_the_quality():
    rows = external.rows("rc/adding", ["d3", "d3"], [1, 2])
    assert rows == external.rows("rc/adding", ["d3", "d3"], [1, 2]) and rows[0] != rows[1]
    truth = json.loads(rows[0].ground_truth)
    assert truth["key"].startswith("rc/adding@9.9:train:d3:1#") and len(truth["problem"]["metadata"]["numbers"]) == 5
    assert truth["problem"]["metadata"]["said"] == 1 and "_time" not in truth["problem"]["metadata"]
    texts = [f"<think>x</think><answer>{text}</answer>" for text in (truth["problem"]["answer"], "half", "?")]
    found = evaluate(texts, [rows[0].ground_truth] * 3).rows
    assert [row["quality"] for row in found] == [1.0, 0.25, 0.0] and [row["acc"] for row in found] == [1.0, 0.0, 0.0]


def test_names_are_its_own():
    outcome = external.workers().run([Call("rc/*", "names", ())])[0]
    assert outcome.value == ["adding"]
    with pytest.raises(optgap.Error, match=r"reasoning-core 9\.9 has no task 'nothing'"):
        external.workers().describe("rc/nothing")
