"""Recipes: their files, what is refused, prices against sums done by hand, and what is written."""

import copy
import json
import pathlib
import re
import subprocess
import sys

import pytest
import recipe_files

import optgap
from optgap import recipes
from optgap.recipes import costs
from optgap.recipes.price import price
from optgap.recipes.recipe import FOLDER, read
from optgap.recipes.settings import BRINGS, NEEDS
from optgap.recipes.writing import TRAINERS, write

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALL = [(name, arm) for name in recipes.names() for arm in recipes.load(name)]
WRITABLE = [arm for _, arm in ALL if not arm.needs]


def raw(name):
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def optgap_program(*arguments):
    return subprocess.run([sys.executable, "-m", "optgap", *arguments], capture_output=True, text=True, check=False)


def test_five_papers_with_all_their_arms():
    counts = {name: len(recipes.load(name).arms) for name in recipes.names()}
    assert counts == {"forge": 25, "mae": 12, "river": 7, "rlve": 17, "rlvrr": 33}
    used = {need for _, arm in ALL for need in arm.needs}
    assert used == set(NEEDS), "a need that no arm has is dead"
    assert {option for _, arm in ALL for option in arm.brings} == set(BRINGS)
    assert len(WRITABLE) == 94 == len(ALL), "every arm can be written"


def test_published_results_are_the_papers():
    forge = recipes.load("forge")
    assert forge.arm("main").results[0]["values"] == {"SR": 93.1, "QR": 46.6, "OOD": 53.6}
    assert recipes.load("mae").arm("half-reference").results[0]["values"]["overall"] == 59.87
    assert recipes.load("rlvrr").arm("rlvrr").results[0]["values"] == {"open-ended average": 31.1}
    assert recipes.load("river").arm("river").results[1]["values"]["USACO"] == 34.3


def test_what_is_not_stated_says_so_and_what_is_taken_says_why():
    for _, arm in ALL:
        for name, setting in arm.settings.items():
            assert setting.source, (arm.name, name)
            assert (setting.chosen is None) == (setting.why is None)
            assert setting.value is None or setting.source != "not stated"
    main = recipes.load("forge").arm("main")
    assert main["group"].value is None and main["group"].used == 8 and main["no such"].used is None
    assert recipes.load("forge").arm("gpg-flat")["advantage"].used == "gpg", "an arm made from another has its settings"


@pytest.mark.parametrize(("change", "field"), [
    (lambda data: data.update(extra=1), "recipe.extra"),
    (lambda data: data.pop("about"), "recipe.about"),
    (lambda data: data["settings"].update(learning_rate={"value": 1, "source": "x"}), "settings.learning_rate"),
    (lambda data: data["settings"]["lr"].update(unit="1"), "settings.lr.unit"),
    (lambda data: data["settings"]["lr"].update(value="small"), "settings.lr.value"),
    (lambda data: data["settings"]["batch"].update(value=0), "settings.batch.value"),
    (lambda data: data["settings"]["lr"].pop("source"), "settings.lr.source"),
    (lambda data: data["settings"]["lr"].update(source="not stated"), "settings.lr.source"),
    (lambda data: data["settings"]["group"].pop("why"), "settings.group"),
    (lambda data: data["settings"]["lr"].update(chosen=1, why="x"), "settings.lr.chosen"),
    (lambda data: data["arms"]["main"].update(need=[]), "arms.main.need"),
    (lambda data: data["arms"]["main"].update(needs=["luck"]), "arms.main.needs"),
    (lambda data: data["arms"]["main"].update(brings=["luck"]), "arms.main.brings"),
    (lambda data: data["arms"]["math"]["set"]["rows"].update(value=["luck"]), "arms.math.set.rows"),
    (lambda data: data["arms"]["main"].update(stages=["rest"]), "arms.main.stages"),
    (lambda data: data["arms"]["main"].update({"from": "gspo"}), "arms.main.from"),
    (lambda data: data["arms"]["main"]["results"][0].pop("source"), "arms.main.results[0].source"),
    (lambda data: data.update(arms=[]), "arms"),
])  # fmt: skip
def test_a_file_that_breaks_a_rule_is_refused_with_the_place(change, field):
    data = copy.deepcopy(raw("forge"))
    change(data)
    with pytest.raises(optgap.Error) as caught:
        read(data)
    assert caught.value.field == field


def test_unknown_names_list_the_known_ones():
    with pytest.raises(optgap.Error, match="expected one of forge, mae"):
        recipes.load("gorge")
    with pytest.raises(optgap.Error, match="grpo-flat"):
        recipes.load("forge").arm("grpo")


def test_forges_price_by_hand():
    found = price(
        recipes.load("forge").arm("main"), assume={"group": 10, "mean_prompt_tokens": 500}, tokens_per_second=1000
    )
    (call,) = found.calls
    assert call.prompts == 938 * 16 == 15008
    assert call.rollouts == 150080
    assert call.prompt_tokens == (150080 * 500, 150080 * 20000)
    assert call.response_tokens == (150080 * 1024, 150080 * 4096)
    assert found.trained_tokens == 150080 * 1524
    assert found.petaflop == pytest.approx(7e9 * 8 * 150080 * 1524 / 1e15)
    assert found.decode_hours == pytest.approx(150080 * 1024 / 3.6e6)
    prove = sum(1 / rate for rate in costs.PROVED_PER_SECOND.values()) / 10
    assert found.core_seconds["prove"] == pytest.approx(15008 * prove)
    assert found.core_seconds["score"] == pytest.approx(150080 * 9e-6)


def test_rlves_price_by_hand():
    found = price(recipes.load("rlve").arm("all"))
    (call,) = found.calls
    # 128 prompts are kept of 256 at half, of 384 at most; 16 rollouts each, 400 steps.
    assert (call.prompts, call.rollouts) == (400 * 256, 400 * 256 * 16)
    assert call.response_tokens == (400 * 256 * 16 * 6144, 400 * 384 * 16 * 24576)
    assert found.trained_tokens == 400 * 128 * 16 * (400 + 6144)
    assert found.stated_gpu_hours == (1100, 1100)
    assert found.core_share[0] == pytest.approx(400 * 256 * 16 * 1e-3 / (1100 * 3600 / 8))


def test_rivers_price_is_its_programs():
    found = price(recipes.load("river").arm("river"), assume={"steps": 10, "mean_program_seconds": 1})
    assert found.core_seconds == {"verify": 10 * 64 * 16 * 10 * 1.0}


def test_other_data_costs_optgap_nothing():
    found = price(recipes.load("forge").arm("math"))
    assert not found.core_seconds and "other data" in found.core_source and found.rollouts > 0


def test_rlvrrs_hardware_follows_from_its_seconds_a_step():
    found = price(recipes.load("rlvrr").arm("rlvrr"))
    assert found.stated_gpu_hours[0] == pytest.approx(79 * 122.42 / 3600 * 8)
    assert sum(call.rollouts for call in found.calls) == 79 * 128 * 8


def test_maes_price_counts_every_role():
    found = price(recipes.load("mae").arm("half-reference"), assume={"judgements_per_answer": 5})
    each = 300 * 128
    assert [call.rollouts for call in found.calls] == [each, 5 * each, 25 * each, each, each, each]
    assert found.trained_tokens == 3 * each * (512 + 1024)


def test_every_arm_that_trains_has_a_price():
    for _, arm in ALL:
        if arm.stages:
            found = price(arm)
            assert found.trained_tokens > 0 and found.petaflop > 0, arm.name
            assert all(source for _, _, source in found.inputs)
        json.dumps(price(arm).record())


def test_an_assumption_without_effect_is_refused():
    arm = recipes.load("forge").arm("main")
    for given, word in (
        ({"kept_share": 0.5}, "has no effect"),
        ({"lr": 1.0}, "has no effect"),
        ({"luck": 1.0}, "has no effect"),
    ):
        with pytest.raises(optgap.Error, match=word):
            price(arm, assume=given)
    with pytest.raises(optgap.Error, match="none of optgap's"):
        price(recipes.load("mae").arm("zero"), measure=True)
    with pytest.raises(optgap.Error, match="0 or more"):
        price(arm, assume={"steps": -1.0})


def test_published_costs_are_the_documentations():
    table = re.findall(
        r"^\| \[`(\w+)`\].*\| ([\d.]+)( [kM])? \| [^|]*/[^|]*\| [^|]*\|$", (ROOT / "README.md").read_text(), re.M
    )
    rates = {name: float(number) * {"": 1, " k": 1e3, " M": 1e6}[unit] for name, number, unit in table}
    assert rates == costs.PROVED_PER_SECOND
    assert "48 k (bisection)" in (ROOT / "docs/performance.md").read_text()
    line = next(
        line for line in (ROOT / "docs/trainers.md").read_text().splitlines() if line.startswith("| adapters' batch")
    )
    assert float(line.split("|")[-3]) == costs.SCORED_SECONDS * 1e6


def test_a_measurement_says_what_it_measured():
    found = costs.measured(["tsp", "clique"], ["easy"], count=4)
    assert min(found.generate, found.prove, found.score) > 0 and "8 instances of easy, 64 rollouts" in found.source


REFUSES = {
    "trl": "none",
    "verl": "written for trl|ranks programs|trl has",
    "slime": "written for trl|trl and verl have|trl has",
    "openrlhf": "written for trl|openrlhf (reads|takes no|has no|shuffles)",
}
"""What a trainer has no place for, in words."""


@pytest.mark.parametrize("trainer", TRAINERS)
def test_every_arm_is_written_or_refused_by_name(trainer, tmp_path):
    files_of = recipe_files.make(tmp_path)
    written = 0
    for name, arm in ALL:
        if not arm.stages:
            continue
        folder = tmp_path / f"{name}-{arm.name}"
        try:
            files = write(arm, trainer, folder, brought=recipe_files.brought(arm, files_of))
        except optgap.Error as refused:
            lacking = [NEEDS[need] for need in arm.needs]
            said = (
                all(text in str(refused) for text in lacking) if lacking else re.search(REFUSES[trainer], str(refused))
            )
            assert said, refused
            assert not folder.exists()
            continue
        written += 1
        assert arm in WRITABLE and {"README.md", "evaluate.sh"} <= set(files)
        page = (folder / "README.md").read_text()
        assert (
            "has been\nrun" not in page
            and "0.5 B parameters" in page
            and "## Price" in page
            and "## Evaluation" in page
        )
        recipe_files.parse(folder, files)
    assert written == {"trl": 88, "verl": 67, "slime": 66, "openrlhf": 31}[trainer]


def test_an_untrained_arm_is_its_evaluation(tmp_path):
    for name, arm in ALL:
        if not arm.stages:
            files = write(arm, None, tmp_path / f"{name}-{arm.name}", model="my-model")
            assert files == ["README.md", "evaluate.sh"]
            recipe_files.parse(tmp_path / f"{name}-{arm.name}", files)
            assert "my-model" in (tmp_path / f"{name}-{arm.name}/evaluate.sh").read_text()
            with pytest.raises(optgap.Error, match="trainer: has no effect"):
                write(arm, "trl", tmp_path / "x")


def test_rlves_window_counts_cut_off_rollouts_as_wrong():
    """As RLVE does: 128 right ones and 32 that were cut off are 0.8 of 160, so the window stays; without these it would move."""
    rule = recipes.load("rlve").arm("c16").settings["curriculum"].value
    moved = {}
    for truncated in ("as_wrong", "apart"):
        spec = rule if truncated == "as_wrong" else {name: rule[name] for name in rule if name != "truncated"}
        plan = optgap.Curriculum(spec, ["tsp"], seed=1)
        ends = ["stop"] * 128 + ["length"] * 32
        right = [float(end == "stop") for end in ends]
        plan.observe_rows(["tsp"] * 160, ["d0"] * 160, list(range(160)), right, right, finish=ends)
        plan.merge(plan.delta())
        plan.step()
        moved[truncated] = "d1" in plan.draws(64).level
    assert moved == {"as_wrong": False, "apart": True}


def test_a_setting_is_carried_or_its_absence_is_said(tmp_path):
    """No setting of training is lost without a word: its README has it in one of two tables."""
    for trainer in TRAINERS:
        arm = recipes.load("rlve").arm("c16")
        write(arm, trainer, tmp_path / trainer, tasks=["tsp"]) if trainer != "openrlhf" else write(
            recipes.load("rlve").arm("sorting-0-20"), trainer, tmp_path / trainer, tasks=["tsp"])  # fmt: skip
        page = (tmp_path / trainer / "README.md").read_text()
        for name in (
            "lr",
            "betas",
            "filter",
            "oversampled",
            "partial_rollout",
            "clip",
            "off_policy",
            "response_tokens",
        ):
            assert re.search(rf"^{name} ", page, re.M), (trainer, name)
        assert "tasks are not the paper's" in page and "prove" in page, "its price is that of the tasks it trains on"
    write(recipes.load("rlve").arm("c4"), "trl", tmp_path / "light", tasks=["sudoku"])
    assert "no figures for some of these tasks" in (tmp_path / "light/README.md").read_text()


def test_what_cannot_be_written_says_what_is_missing(tmp_path):
    for recipe, arm, options, word in (
        ("mae", "no-filter", {}, "--questions FILE"),
        ("mae", "no-format", {"tasks": ["tsp"]}, "whose questions are free text"),
        ("rlve", "c16", {}, "RLVE's environments: --checkout"),
        ("rlvrr", "mix", {}, "--pairs.*--data"),
        ("rlvrr", "grm", {}, "--pairs.*--judge-url"),
        ("forge", "base", {}, "is not trained"),
        ("rlve", "c4", {"tasks": ["spiral"]}, "'spiral'"),
    ):
        with pytest.raises(optgap.Error, match=word):
            write(recipes.load(recipe).arm(arm), "trl", tmp_path / "x", **options)
    (tmp_path / "full").mkdir()
    (tmp_path / "full/file").write_text("mine")
    with pytest.raises(optgap.Error, match="not an empty folder"):
        write(recipes.load("forge").arm("main"), "trl", tmp_path / "full")


def test_the_command_prints_what_the_functions_say():
    shown = optgap_program("recipe", "show", "forge", "gspo", "--json")
    assert json.loads(shown.stdout)["settings"]["algorithm"]["value"] == "gspo"
    listed = optgap_program("recipe", "show")
    assert all(name in listed.stdout for name in recipes.names())
    plan = optgap_program("recipe", "plan", "forge", "main", "--model-size", "1.5B", "--assume", "steps=10", "--json")
    (found,) = json.loads(plan.stdout)
    assert {"name": "billions", "value": 1.5, "source": "given"} in found["inputs"] and found["calls"][0][
        "prompts"
    ] == 160
    wrong = optgap_program("recipe", "plan", "forge", "main", "--assume", "luck=1")
    assert wrong.returncode == 2 and "has no effect" in wrong.stderr
