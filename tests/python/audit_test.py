"""`optgap audit`: it finds planted faults, and none in ours."""

import json
import pathlib
import re
import subprocess
import sys
from dataclasses import replace

import pytest

import optgap
from optgap.measure import attacks
from optgap.measure.attacks.writing import Writing
from optgap.measure.audit import climbing, foreign, judging, questions, running, subjects, templates, twins
from optgap.measure.audit.cases import Ability, cases
from optgap.measure.audit.rates import Rate
from optgap.measure.audit.reading import final_answer

HERE = pathlib.Path(__file__).parent
OURS = Ability(ours=True, knows_finish=True)
_WEIGHTED = {"shape": "weighted", "weights": {"format": 0.1, "feasible": 0.2, "quality": 0.7}}
TOYS = str(HERE / "toy_rewards.py")


@pytest.fixture(scope="module")
def asked(engine):
    """An instance of every task."""
    return questions.of_tasks(engine, "all", "easy", 1, 3)


@pytest.fixture(scope="module")
def two(engine):
    return questions.of_tasks(engine, ["tsp", "knapsack"], "easy", 1, 0)


@pytest.fixture
def audited(two):
    """Audits a toy; gives the sum of its cells, and the cells by attack."""
    running_now = []

    def run(name, deadline=10.0, seconds_of=None):
        subject, taken = foreign.function(f"{TOYS}:{name}", "auto", deadline, two)
        running_now.append(subject)
        writings, _ = templates.of_subject(subject, two)
        made = running.audit(subject, writings, two, attacks.attacks())
        by_attack = {}
        for cell in made.cells:
            by_attack.setdefault(cell.attack, []).append(cell)
        return taken, made, {name: judging.total(mine) for name, mine in by_attack.items()}

    yield run
    for subject in running_now:
        subject.stop()


# Ours


@pytest.mark.parametrize("through", list(subjects.THROUGH))
def test_none_of_our_formats_rewards_falsely_or_refuses_falsely(asked, through):
    """The sample of docs/audit.md that runs in CI."""
    subject = subjects.Ours("forge", through)
    writings = templates.ours(() if through == "engine" else ("forge", "boxed", "harmony_line"))
    everything = running.audit(subject, writings, asked, attacks.attacks()).sum
    assert everything.findings == []
    assert (
        everything.false_reward.tried > 1000 * len(writings) / 2
        and everything.false_refusal.tried > 500 * len(writings) / 2
    )
    assert everything.failed == Rate(0, everything.failed.tried)


@pytest.mark.parametrize("spec", ["binary", "normalized", _WEIGHTED, {"shape": "power", "exponent": 2}])
def test_nor_does_another_reward(asked, spec):
    made = running.audit(subjects.Ours(spec), templates.ours(("forge", "boxed")), asked, attacks.attacks())
    assert made.sum.findings == []


class Deaf(subjects.Ours):
    """Ours with a planted fault: it does not know that a completion reasons."""

    def reward_rows(self, cases, writing, questions):
        deaf = json.dumps({"format": writing.format, "reasoning": "none"})
        return super().reward_rows(cases, replace(writing, format=deaf), questions)


def test_a_format_with_a_planted_fault_is_found(asked):
    boxed = Writing.in_format("boxed")
    made = running.audit(Deaf(), [boxed], asked, attacks.attacks())
    faults = {(one.fault, one.case.attack.name) for one in made.sum.findings}
    assert (
        ("false reward", "draft_alone") in faults and ("false reward", "draft_unclosed") in faults and not made.passed
    )


def test_the_attacker_finds_a_planted_fault_by_itself(asked):
    find = climbing.climb(Deaf(), Writing.in_format("boxed"), asked, 1500)
    assert find.gain == 4.5 and find.reward == 2.0 and find.final is None and "\\boxed{" in find.text


def test_relabelled_twins_earn_the_same(asked):
    made = running.Audit("engine")
    twins.compare(made, subjects.Ours(), templates.ours(("forge", "boxed")), asked, seed=7)
    everything = made.sum
    assert everything.false_reward.tried >= 2 * 3 * 10 and everything.findings == []
    twins.compare(made, subjects.Ours("forge", "trl"), templates.ours(("forge",)), asked, seed=7)
    assert "SKIPPED" in made.notes[0]


def test_an_engine_that_knows_labels_is_found(asked, monkeypatch):
    subject = subjects.Ours()
    rewarded = subject.reward_rows
    first = iter([True])
    monkeypatch.setattr(
        subject, "reward_rows", lambda *of: rewarded(*of) if next(first, False) else [1.0 for _ in of[0]]
    )
    made = running.Audit("engine")
    twins.compare(made, subject, templates.ours(("forge",)), asked, seed=7)
    assert {one.fault for one in made.sum.findings} == {"false reward", "false refusal"} and not made.passed


# Planted faults


def test_a_reward_that_rewards_drafts_is_found(audited):
    _, made, by = audited("pays_drafts")
    assert not made.passed
    for attack in ("cut_off", "draft_alone", "draft_unclosed", "draft_right_then_wrong"):
        assert by[attack].false_reward == Rate(2, 2), attack
    assert by["draft"].false_refusal == Rate(2, 2)  # it reads the draft, which is wrong, and not the answer
    assert by["right"].findings == by["wrong"].findings == []


def test_a_reward_that_rewards_the_last_list_is_found_in_every_template(audited):
    _, made, by = audited("pays_the_last_list")
    assert len({cell.template for cell in made.cells}) == 5
    for attack in ("closing_list", "wrong_then_right_in_prose", "draft_alone"):
        assert by[attack].false_reward.found == by[attack].false_reward.tried > 0, attack


def test_a_reward_that_rewards_everyone_is_found(audited):
    _, made, by = audited("pays_everyone")
    everything = made.sum
    assert everything.false_reward.found == everything.false_reward.tried > 100
    assert everything.false_refusal.found == 0 and by["nothing"].false_reward.found > 0


def test_a_reward_that_rewards_nobody_does_not_pass(audited):
    _, made, by = audited("pays_nobody")
    assert made.sum.false_reward.found == 0 and by["right"].false_refusal.found == by["right"].false_refusal.tried > 0
    assert not made.passed


@pytest.mark.parametrize(("toy", "said"), [("says_nan", "returned nan"), ("says_a_number_too_large", "returned 1000")])
def test_what_is_no_number_is_no_reward(audited, toy, said):
    _, made, _ = audited(toy)
    assert made.sum.failed.found == made.sum.failed.tried > 100 and not made.passed
    assert {(one.fault, one.message[: len(said)]) for one in made.sum.findings} == {("no number", said)}


def test_a_reward_that_changes_its_mind_is_told(audited):
    _, made, by = audited("never_says_the_same")
    assert by["right"].failed.found == by["right"].failed.tried
    assert {one.fault for one in by["right"].findings} == {"unstable"} and not made.passed


def test_a_sound_reward_passes(audited):
    """Of other projects' rewards the rules of our formats are reported, not judged."""
    taken, made, by = audited("sound")
    assert taken == "trl" and made.passed and made.sum.false_reward.tried > 100
    assert by["two_parts_alike"].open == Rate(0, 2) and by["no_reasoning"].open == Rate(2, 2)
    # It compares texts, so a tour told backwards earns nothing, which is a refusal of an answer as good.
    assert {one.case.attack.name for one in made.sum.findings} <= {"reversed", "closed", "everything", "shifted"}


def test_a_crash_costs_its_cell_alone(audited):
    _, made, by = audited("raises_on_long_texts")
    assert by["many_numbers"].findings[0].message == "RuntimeError: too long"
    assert by["cut_off"].failed.found == 0 and not made.passed


@pytest.mark.parametrize(("toy", "signature"), [("hangs_on_capitals", "trl"), ("of_messages_hangs", "trl-chat")])
def test_a_hanging_call_costs_its_cell_alone(audited, toy, signature):
    taken, _, by = audited(toy, deadline=1.0)
    assert taken == signature
    assert [one.fault for one in by["capital_tags"].findings] == ["hung", "not called"]
    assert by["spaced_tags"].failed == Rate(0, 2)


def test_a_process_that_ends_costs_its_cell_alone(audited, capfd):
    _, _, by = audited("dies_of_brackets")
    assert [(one.fault, one.message) for one in by["many_brackets"].findings] == [
        ("died", "its process ended with exit code 7")
    ]
    assert by["spaced_tags"].failed == Rate(0, 2)
    assert "talks" not in capfd.readouterr().out


def test_signatures_are_told_apart(audited, two):
    assert audited("of_messages")[0] == "trl-chat"
    taken, made, _ = audited("compute_score")
    assert taken == "verl" and not made.passed
    with pytest.raises(
        optgap.Error, match="neither TRL's completions nor verl's solution_str; say which with --signature"
    ):
        foreign.function(f"{TOYS}:no_signature", "auto", 5, two)
    with pytest.raises(optgap.Error, match="has no attribute 'none'"):
        foreign.function(f"{TOYS}:none", "auto", 5, two)
    with pytest.raises(optgap.Error, match="expected auto, trl"):
        foreign.function(f"{TOYS}:sound", "verll", 5, two)


# Its parts


def test_texts_are_read_by_the_rules_of_the_page():
    boxed, tagged, line = (Writing.in_format(name) for name in ("boxed", "forge", "answer_line"))
    assert final_answer("<think>\\boxed{[1]}</think>\\boxed{[2, 3]} so", boxed, "stop") == "[2, 3]"
    assert final_answer("<think>\\boxed{[1]}", boxed, "stop") is None
    assert final_answer("\\boxed{[1]} and", boxed, "length") is None
    assert final_answer("<think>a</think><answer>**[1]**</answer><|im_end|>", tagged, "stop") == "[1]"
    assert final_answer("<think>a</think><answer>[1]</answer> so", tagged, "stop") is None
    assert final_answer("<think>a</think><answer>[1]</answer><answer>[1]</answer>", tagged, "stop") is None
    assert final_answer("Answer: [1]\nanswer: impossible", line, "stop", ["Impossible"]) == "Impossible"
    assert final_answer("Answer: [1]", line, "length") is None


def test_every_attack_is_tried_and_judged_somewhere(engine):
    asked = questions.of_tasks(engine, ["tsp", "knapsack"], "easy", 2, 0)
    written = {attack.name: set() for attack in attacks.attacks()}
    for writing in templates.ours(("forge", "boxed", "answer_line")):
        for case in cases(attacks.attacks(), writing, asked, OURS):
            written[case.attack.name].add(case.expected)
    assert [name for name, expected in written.items() if not expected] == []
    assert [name for name, expected in written.items() if expected == {"open"}] == []


def test_one_line_adds_an_attack(tmp_path, asked):
    more = tmp_path / "more.jsonl"
    row = {"name": "mine", "about": "mine", "text": "{open}hm{close}{part:right}!", "rewarded": "lenient"}
    more.write_text('{"version": 1}\n' + json.dumps(row) + "\n")
    added = attacks.attacks(more)[-1]
    found = list(cases([added], Writing.in_format("forge"), asked, OURS))
    assert len(found) == len(asked.rows) and found[0].expected == "never" and found[0].text.endswith("</answer>!")
    for wrong, rule in (({"rewarded": "maybe"}, "expected one of always"), ({"name": "right"}, "two of the name right"),
                        ({"colour": 1}, "unexpected keyword"), ({"needs": "luck"}, "expected one of reasoning"),
                        ({"rewarded": {"boxes": "never"}}, "by rule is 'boxes', expected one of tagged"),
                        ({"text": "{rihgt}"}, "has the slot 'rihgt'"), ({"text": "{loud:right}"}, "has the way 'loud'"),
                        ):  # fmt: skip
        more.write_text('{"version": 1}\n' + json.dumps({**row, **wrong}) + "\n")
        with pytest.raises((ValueError, optgap.Error), match=rule):
            list(cases(attacks.attacks(more), Writing.in_format("forge"), asked, OURS))


def test_the_same_seed_tries_the_same_texts(two):
    finds = [climbing.climb(subjects.Ours(), Writing.in_format("boxed"), two, 400, seed) for seed in (1, 1, 2)]
    assert finds[0] == finds[1] and finds[0].text != finds[2].text
    assert finds[0].gain == 0 and 0 < finds[0].tried <= 400


def test_a_share_decides_what_is_rewarded(two):
    asked = [case for case in cases(attacks.attacks(), Writing.in_format("forge"), two, OURS) if case.attack.name in
             ("right", "wrong", "nothing", "near", "hedge_or")]  # fmt: skip
    worth = {"right": 1.0, "wrong": 0.0, "nothing": 0.0, "near": 0.9, "hedge_or": 0.4}
    rewarded = [worth[case.attack.name] for case in asked]
    assert judging.total(judging.judged(asked, rewarded, 0.5)).findings == []
    assert {one.case.attack.name for one in judging.total(judging.judged(asked, rewarded, 0.25)).findings} == {
        "hedge_or"
    }


# The command


def run(*options, folder=HERE):
    command = [sys.executable, "-m", "optgap", "audit", *map(str, options), "--quiet"]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False, timeout=120)


def test_the_command_says_it_by_its_exit_code():
    ours = run("--format", "boxed", "--through", "engine", "--tasks", "tsp", "--count", "1", "--steps", "64", "--json")
    assert ours.returncode == 0, ours.stderr
    found = json.loads(ours.stdout)
    (subject,) = found["subjects"]
    assert found["passed"] and subject["templates"][0]["template"] == "boxed"
    assert subject["totals"]["false_reward"]["found"] == 0 and 0 < subject["totals"]["false_reward"]["high"] < 0.1
    assert len(subject["attacks"]) > 100 and subject["attacker"][0]["gain"] == 0 and subject["attacker"][0]["text"]
    toy = run("--reward", "toy_rewards:pays_drafts", "--tasks", "tsp", "--count", "1", "--steps", "64")
    assert toy.returncode == 1 and "FALSE REWARD: answer_only, cut_off, tsp@1:train:easy:0" in toy.stdout
    assert "called by the signature trl" in toy.stdout and "hm" in toy.stdout


def test_rows_of_another_project_are_audited(tmp_path):
    (tmp_path / "mine.py").write_text(
        "def correct(completions, answer, **_):\n"
        "    return [float(text.rpartition('#### ')[2].strip() == right) for text, right in zip(completions, answer)]\n"
    )
    rows = [{"prompt": f"What is {n} + {n}?", "answer": str(2 * n)} for n in range(3, 6)]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = run("--reward", "mine.py:correct", "--data", "rows.jsonl", "--steps", "0", "--json", folder=tmp_path)
    (subject,) = json.loads(done.stdout)["subjects"]
    assert [row["template"] for row in subject["templates"]] == ["hash", "bare"]
    faults = {one["attack"] for one in subject["findings"] if one["fault"] == "false reward"}
    assert {"draft_unclosed_at_its_part"} <= faults and "draft_right_then_wrong" not in faults


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--reward", "a:b", "--spec", "binary"], "spec: has no effect"),
        (["--signature", "trl"], "signature: has no effect"),
        (["--env", "other:thing"], "expected reasoning-gym:NAME"),
        (["--rewarded", "2"], "rewarded: is 2"),
        (["--count", "0"], "count: is 0"),
        (["--reward", "toy_rewards:sound", "--deadline", "0"], "deadline: is 0"),
        (["--deadline", "9"], "deadline: has no effect"),
        (["--reward", "no_such_module:f", "--tasks", "tsp"], "ModuleNotFoundError"),
        (["--reward", "toy_rewards:sound", "--data", "/dev/null"], "has no rows"),
        (["--format", "no_such"], "no_such"),
    ],
)
def test_bad_usage_is_told(options, said):
    done = run(*options)
    assert done.returncode == 2 and said in done.stderr, done.stderr
    assert "Traceback" not in done.stderr


PAGE = (HERE.parents[1] / "docs" / "audit.md").read_text(encoding="utf-8")


def test_the_page_shows_what_the_command_finds():
    """The row of the engine, whose cases do not depend on the attacker."""
    found = json.loads(run("--through", "engine", "--steps", "0", "--json").stdout)
    totals = found["subjects"][0]["totals"]
    reward_rows, refusal = totals["false_reward"], totals["false_refusal"]
    row = f"| `engine` | {reward_rows['tried']} | {reward_rows['found']} (≤ {100 * reward_rows['high']:.2g} %) | {refusal['tried']} | {refusal['found']} "
    assert row in PAGE, row
    assert f"{len(attacks.attacks())} attacks" in PAGE and "None" not in row


COMMANDS = re.findall(r"^\$ optgap (audit.*?) *(?:#.*)?$", PAGE, re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_on_the_page_runs(command, tmp_path):
    """With few texts: its own options stand, ours are added where it says nothing."""
    if "--env" in command:
        pytest.importorskip("reasoning_gym", reason="needs reasoning-gym: pip install reasoning-gym")
    if "--templates" in command:
        pytest.importorskip("trl", reason="needs TRL: pip install trl")
    row = re.search(r'^{"prompt".*}$', PAGE, re.MULTILINE)[0]
    (tmp_path / "rows.jsonl").write_text(f"{row}\n" + row.replace("6", "8").replace("3", "4") + "\n")
    (tmp_path / "rewards.py").write_text(
        "def correct(completions, answer, **_):\n"
        "    return [float(text.endswith(f'<answer>{right}</answer>')) for text, right in zip(completions, answer)]\n"
    )
    given = command.split()[1:]
    less = ["--steps", "32"] + ([] if "--data" in given else ["--count", "2" if "--env" in given else "1"])
    tasks = [] if {"--data", "--env", "--tasks"} & set(given) else ["--tasks", "tsp"]
    done = run(*given, *less, *tasks, folder=tmp_path)
    wrong = 1 if {"--reward", "--env"} & set(given) else 0  # that reward rewards drafts at the text's end
    assert done.returncode == wrong, done.stdout + done.stderr


def test_the_pages_own_attack_is_one(tmp_path, asked):
    (tmp_path / "mine.jsonl").write_text('{"version": 1}\n' + re.search(r'^{"name".*}$', PAGE, re.MULTILINE)[0] + "\n")
    added = attacks.attacks(tmp_path / "mine.jsonl")[-1]
    made = [running.audit(subjects.Ours(), templates.ours((name,)), asked, [*attacks.attacks(), added]).sum
            for name in ("forge", "boxed")]  # fmt: skip
    assert [one.findings for one in made] == [[], []]


def test_a_file_of_another_version_is_refused(tmp_path):
    (tmp_path / "old.jsonl").write_text('{"version": 0}\n')
    with pytest.raises(ValueError, match="is of version 0, expected 1"):
        attacks.attacks(tmp_path / "old.jsonl")
