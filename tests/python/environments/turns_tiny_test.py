"""The tiny decoder in episodes of two turns: its parts, a short run that learns, and what docs/environments.md says of the whole."""

import json
import pathlib
import random
import re

import pytest

pytest.importorskip("trl")
pytest.importorskip("torch")
from drivers import BROKEN  # noqa: E402

import optgap  # noqa: E402
from optgap.environments.rendering import fitted_format, next_turn  # noqa: E402
from optgap.examples import turns_tiny as example  # noqa: E402
from optgap.examples.tiny_problem import COMPLETION_TOKENS, PROMPT_BYTES, drawn  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/environments.md").read_text(encoding="utf-8")
PART = PAGE.partition("## Does a second turn learn?")[2].partition("\n## ")[0]


@pytest.fixture(scope="module")
def problems():
    return drawn(optgap.Engine("cpu", threads=1), "train", "d1", 6, 3)


def test_careless_texts_name_a_city_twice_and_the_template_says_so(problems):
    player = example.Player(1)
    rows = example.rows_of([problems])
    assert len(rows) == 6 and fitted_format(player.tokenizer, rows[0]) == "forge"
    for row, best in zip(rows, problems.completions()):
        episode = optgap.Episode(row, turns=3)
        for text, said in ((example.careless(best), "-\n"), (best, "+\n")):
            turn = episode.submit(text)
            assert next_turn(player.tokenizer, turn.message) == said
            assert (turn.reward == 2.0) == (text == best) and turn.grade["format"]
    assert next_turn(player.tokenizer, optgap.Episode(rows[0]).submit("x").message) == "?\n"
    assert optgap.Episode(rows[0]).score(BROKEN)["reward"] == -0.5


def test_conversations_train_what_the_decoder_writes(problems):
    player = example.Player(1)
    pairs = list(zip(problems.prompts, problems.completions()))
    tokens, labels = player._conversations(pairs, random.Random(1))
    assert tokens.shape == labels.shape and tokens.shape[1] <= PROMPT_BYTES + example.EPISODE_TOKENS
    assert (labels[:, :PROMPT_BYTES] == -100).all()
    for row, kept, (_, best) in zip(tokens, labels, pairs):
        assert (kept[kept >= 0] == row[kept >= 0]).all()
        written = player.tokenizer.decode(kept[kept >= 0]).split("<end>")
        assert len(written) == 3 and {written[0], written[1]} <= {best, example.careless(best)}
        said = player.tokenizer.decode(row[PROMPT_BYTES:])[len(written[0]) + len("<end>") :][:2]
        assert said == ("+\n" if written[0] == best else "-\n")
    assert max(len(ids) for ids in player.tokenizer(problems.completions()).input_ids) < COMPLETION_TOKENS


def test_a_short_run_moves_the_second_turn(tmp_path, capsys):
    run = example.run_seed(1, example.Scale(supervised=30, steps=2, every=1, val=2))
    assert [point["step"] for point in run["curve"]] == [0, 1, 2]
    for point in run["curve"]:
        assert all(len(point[name]) == example.TURNS for name in ("reward", "feasible", "normalized"))
        assert all(-2.5 <= reward <= 2.0 for reward in point["reward"])
    assert [claim[0] for claim, _ in example.claims(run)] == list("123")
    example.picture([run, {**run, "seed": 2}], tmp_path / "turns.png")
    assert (tmp_path / "turns.png").stat().st_size > 10_000 and "1     2" in capsys.readouterr().out


@pytest.mark.long
def test_a_whole_run_learns():
    start, *_, end = example.run_seed(2, example.FULL)["curve"]
    assert end["reward"][1] > start["reward"][1] + 0.2


def test_the_page_has_the_claims_of_the_runs():
    assert re.findall(r"^(\d)\. \*", PART, re.M) == list("123")
    told = json.loads((ROOT / "docs/turns_tiny.json").read_text(encoding="utf-8"))
    for number, each in enumerate(zip(*map(example.claims, told["runs"]))):
        assert f"**Claim {number + 1}** holds in {sum(holds for _, holds in each)} of {len(each)} seeds" in PART
    for name in ("reward", "feasible", "normalized"):
        for turn in range(example.TURNS):
            ends = [example.shown([run["curve"][at][name][turn] for run in told["runs"]]) for at in (0, -1)]
            assert " | ".join(ends) in PART, (name, turn)
