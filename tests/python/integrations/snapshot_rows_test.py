"""Rows without baselines are measured against a snapshot in every trainer's adapter, and the fingerprint says so."""

import asyncio
import json
import os

import pytest
from slime_stand_in import Sample, arguments

import optgap
from optgap.rows.programs.settings import SNAPSHOT
from optgap.trainers.common import ground_truth
from optgap.trainers.common.evaluation import evaluate, fingerprint
from optgap.trainers.openrlhf import reward as openrlhf
from optgap.trainers.slime import reward as slime
from optgap.trainers.trl import reward as trl
from optgap.trainers.verl import reward as verl

KEYS = [f"tsp@1:val:hard:{seed}" for seed in range(3)]
PROMPT = "<|im_start|>user\nGo.<|im_end|>\n<|im_start|>assistant\n"


@pytest.fixture(scope="module")
def frozen(tmp_path_factory):
    """Greedy baselines, which solving would not give, of two of the three instances."""
    import subprocess

    from optgap.__main__ import native_program

    here = tmp_path_factory.mktemp("stores")
    for name, spec in (("a", "tsp:hard:val:0-1"), ("b", "tsp:hard:val:0")):
        for command in (["recompute", "--store", str(here / name), "--spec", spec, "--budget", "0"],
                        ["store", "snapshot", str(here / name), "-o", str(here / f"{name}.db")]):  # fmt: skip
            subprocess.run([native_program(), *command, "--quiet"], check=True, capture_output=True)
    return str(here / "a.db"), str(here / "b.db")


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """A process that reads no snapshot, before and after."""
    monkeypatch.delenv(SNAPSHOT, raising=False)
    ground_truth.configure()
    yield
    os.environ.pop(SNAPSHOT, None)
    ground_truth.configure()


@pytest.fixture(scope="module")
def asked(engine, frozen):
    """Completions a bit better than greedy, ground truths without a baseline, and what each is worth."""
    instances = engine.instances(KEYS)
    texts = [
        f"<think>hm</think><answer>{json.dumps(answer)}</answer>"
        for answer in engine.solve(instances, 0).answers.tolist()
    ]
    by = optgap.Engine("cpu", threads=1, baselines=frozen[0])
    wanted, solved = (of.score(instances, texts).quality.tolist() for of in (by, engine))
    assert wanted[:2] == [1, 1] and max(solved[:2]) < 1 and wanted[2] == solved[2] < 1
    return texts, [json.dumps({"key": key}) for key in KEYS], wanted, solved


def by_verl(texts, truths, path):
    rows = [verl.compute_score("optgap/tsp/hard", text, truth, baselines=path) for text, truth in zip(texts, truths)]
    later = asyncio.run(verl.compute_score_async("optgap/tsp/hard", texts[0], truths[0], baselines=path))
    routed = asyncio.run(verl.route(baselines=path)("optgap/tsp/hard", texts[0], truths[0]))
    assert later == routed == rows[0]
    return [row["quality"] for row in rows], rows[0]["fingerprint"]


def by_trl(texts, truths, path):
    (quality,) = trl.reward_functions("quality", baselines=path)
    return quality([None] * 3, texts, ground_truth=truths), quality.fingerprint


def by_openrlhf(texts, truths, path):
    function = openrlhf.configured(baselines=path)
    found = function([PROMPT + text + "<|im_end|>\n" for text in texts], [PROMPT] * 3, truths)
    return [float(value) for value in found["scores"]], function.fingerprint


def by_slime(texts, truths, path):
    args = arguments(**({} if path is None else {"optgap_baselines": path}))
    samples = [Sample(response=text, label=truth) for text, truth in zip(texts, truths)]
    return [row["quality"] for row in asyncio.run(slime.rm(args, samples))], args.optgap_fingerprint


ADAPTERS = [by_verl, by_trl, by_openrlhf, by_slime]


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_an_adapter_reads_the_snapshot_that_it_is_given(adapter, asked, frozen):
    texts, truths, wanted, solved = asked
    before, plain = adapter(texts, truths, None)
    assert before == pytest.approx(solved) and plain == fingerprint()
    found, digits = adapter(texts, truths, frozen[0])
    assert found == pytest.approx(wanted)
    assert digits[:13] == plain[:13] and digits != plain, "the part that names the baselines"
    assert ground_truth.engine().snapshot.status().endswith(" baselines, 1 solved")
    # One for a run: another is refused, and a worker that this process starts reads the same.
    with pytest.raises(optgap.Error, match="one snapshot"):
        ground_truth.use_snapshot(frozen[1])
    assert os.environ[SNAPSHOT] == frozen[0]


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_the_environment_names_it_for_workers(adapter, asked, frozen, monkeypatch):
    texts, truths, wanted, _ = asked
    monkeypatch.setenv(SNAPSHOT, frozen[0])
    assert adapter(texts, truths, None)[0] == pytest.approx(wanted)


def test_what_is_no_snapshot_is_refused_and_changes_nothing(frozen, asked):
    store = frozen[0].removesuffix(".db")
    for path, words in ((store, "optgap store snapshot"), (store + "none", "none"), ("served", "no daemon is named")):
        with pytest.raises(optgap.Error, match=words):
            trl.reward_functions(baselines=path)
    assert SNAPSHOT not in os.environ
    assert by_trl(*asked[:2], None)[0] == pytest.approx(asked[3])


def test_a_users_own_instance_is_found_by_its_words(engine, tmp_path):
    import subprocess

    from optgap.__main__ import native_program

    instance = {"distances": [[0, 9, 5, 5], [9, 0, 5, 5], [5, 5, 0, 9], [5, 5, 9, 0]]}
    row = json.dumps({"task": "tsp", "instance": instance})
    for command in (["recompute", "--store", str(tmp_path / "own"), "--in", "-", "--budget", "0"],
                    ["store", "import", str(tmp_path / "own"), "-", "--budget", "0"],
                    ["store", "snapshot", str(tmp_path / "own"), "-o", str(tmp_path / "own.db")]):  # fmt: skip
        subprocess.run([native_program(), *command, "--quiet"], input=row if "-" in command else "", text=True, check=False,
                       capture_output=True)  # fmt: skip
    trl.reward_functions(baselines=tmp_path / "own.db")
    (found,) = evaluate(["<think>x</think><answer>[0, 2, 1, 3]</answer>"], [row]).rows
    assert ground_truth.engine().snapshot.status().endswith("1 baseline, 0 solved")
    assert found["quality"] == 1  # a tour of 20
