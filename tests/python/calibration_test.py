"""`optgap bench-model --calibrate`, on models whose success rate at every step is known."""

import json

import pytest
from in_process import main
from stand_in_server import StandIn, error

import optgap
from optgap.measure.benchmark import calibration

ROWS = 16


def searched(rate, **options):
    """What a search finds of a model that succeeds in the share rate(step) of every sixteen."""
    looked = []
    search = calibration.search(**options)
    wanted = next(search)
    try:
        while True:
            looked += wanted
            wanted = search.send(
                {step: None if rate(step) is None else (round(rate(step) * ROWS), ROWS) for step in wanted}
            )
    except StopIteration as ended:
        return ended.value, looked


def stairs(step):
    """14, 9 and 4 of sixteen."""
    return 1.0 if step < 5 else 0.8125 if step < 9 else 0.5625 if step < 14 else 0.25 if step < 17 else 0.0


def test_bands_are_found_to_the_step_with_few_looks():
    found, looked = searched(stairs)
    bands = [found.band(least, most) for _, least, most in calibration.BANDS]
    assert bands == [[5, 8], [9, 13], [14, 16]] and found.remark == ""
    assert len(looked) <= 20 and max(looked) == 32
    _, looked = searched(lambda step: 1.0 if step < 100 else 0.0)
    assert len(looked) <= 16  # doublings to 128, then halves


def test_a_rate_that_jumps_over_a_band_leaves_it_out():
    found, _ = searched(lambda step: 1.0 if step < 3 else 0.25 if step < 6 else 0.0)
    assert [found.band(least, most) for _, least, most in calibration.BANDS] == [None, None, [3, 5]]


def test_models_beyond_the_scale_are_told():
    found, looked = searched(lambda step: 0.0)
    assert looked == [0] and found.remark == "too hard from d0 on: 0 %"
    found, _ = searched(lambda step: 1.0, highest=64)
    assert found.remark == "the search ended at d64, at 100 %" and found.band(0.7, 0.9) is None
    found, _ = searched(lambda step: None if step > 10 else 1.0)
    assert found.remark == "the search ended at d8, at 100 %"


def test_noise_is_pooled_into_a_rate_that_falls():
    fitted = calibration.falling({0: (9, 10), 1: (4, 10), 2: (8, 10), 4: (1, 10)})
    assert fitted == {0: 0.9, 1: 0.6, 2: 0.6, 4: 0.1}
    low, high = calibration.wilson(8, 10, 1.96)
    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)  # Wilson 1927, as in Brown, Cai and DasGupta 2001


class StairModel:
    """Solves the first so many of every sixteen instances of a step, as `stairs` says."""

    def __init__(self, engine, steps=33, looks=3):
        self._said = {}
        for step in range(steps):
            instances = engine.generate("tsp", f"d{step}", ROWS * looks, 1, "val")
            tours = engine.greedy(instances).tolist()
            for row, tour in enumerate(tours):
                said = json.dumps(tour if row % ROWS < round(stairs(step) * ROWS) else [])
                for style in range(optgap.tasks()[instances.task[0]].styles):
                    prompt = engine.prompts(instances[[row]], style=style)[0]
                    self._said.setdefault(prompt, f"<think>hm</think><answer>{said}</answer>")

    def answer(self, request):
        return self._said[request.prompt]


@pytest.fixture(scope="module")
def model(engine):
    return StairModel(engine)


def calibrate(server, out, *more):
    return main(["bench-model", "--base-url", server.base_url, "--model", "stairs", "--calibrate", "--tasks", "tsp",
                 "--format", "forge", "--device", "cpu", "--quiet", "--out", str(out), *more])  # fmt: skip


def test_a_model_is_calibrated_and_a_curriculum_starts_there(model, tmp_path, engine):
    with StandIn(model.answer) as server:
        assert calibrate(server, tmp_path / "run") == 0
        asked = len(server.requests)
        assert calibrate(server, tmp_path / "run", "--resume") == 0 and len(server.requests) == asked
    files = list((tmp_path / "run/rollouts").iterdir())
    keys = [json.loads(line)["key"] for path in files for line in path.read_bytes().splitlines()]
    assert len(set(keys)) == len(keys) == asked and "tsp-d8-1.jsonl" in {path.name for path in files}
    made = json.loads((tmp_path / "run/calibration.json").read_text(encoding="utf-8"))
    bands = made["tasks"]["tsp"]["bands"]
    # Instances of the first steps are so few that some repeat, and one prompt has one answer.
    assert bands == {"easy": [5, 8], "medium": [9, 13], "hard": [14, 16]}
    state = (tmp_path / "run/curriculum.json").read_text(encoding="utf-8")
    saved = json.loads(state)
    plan = optgap.Curriculum(saved["spec"], [task["name"] for task in saved["tasks"]], saved["seed"])
    plan.load_state_dict(state)
    assert plan.policy["threshold"] == 0.0 and saved["tasks"][0]["low"] == 5
    assert set(plan.instances(engine, 64).level.tolist()) == {5, 6, 7, 8}


def test_requests_that_fail_in_a_calibration_are_said_and_asked_again(model, tmp_path, capsys):
    whole, out = tmp_path / "whole", tmp_path / "run"
    with StandIn(model.answer) as server:
        assert calibrate(server, whole) == 0
        asked = len(server.requests)
        server.answer = lambda request: error(400, "not now") if request.number % 5 == 0 else model.answer(request)
        assert calibrate(server, out) == 1 and "failed for good" in capsys.readouterr().err
        server.answer = model.answer
        assert calibrate(server, out, "--resume") == 0
        server.requests.clear()
        assert calibrate(server, out, "--resume") == 0 and asked > 0 and not server.requests
    assert (out / "calibration.json").read_bytes() == (whole / "calibration.json").read_bytes()


def test_a_step_whose_prompt_is_too_long_is_not_asked(model, tmp_path, capsys):
    with StandIn(model.answer) as server:
        assert calibrate(server, tmp_path / "run", "--max-prompt-chars", "1000") == 0
        longest = max(len(request.prompt) for request in server.requests)
        assert longest <= 1000
        assert calibrate(server, tmp_path / "none", "--max-prompt-chars", "10") == 2
    assert "d0 has a longer prompt" in capsys.readouterr().err
    made = json.loads((tmp_path / "run/calibration.json").read_text(encoding="utf-8"))
    assert made["tasks"]["tsp"]["remark"].startswith("the search ended at d")
