"""Mutated answers: `optgap verify` and `optgap score` against the definition in plain Python."""

import json
import random as randoms
from collections import Counter
from dataclasses import replace

from mutate import mutated
from rows import optgap
from tasks import MODULES
from verdict import Broken, worst

FIELDS = ("feasible", "objective", "violation", "violation_max", "code", "where")
BATCH = 20_000
REWARD_GRID = 2**12


def expected(module, instance, answer):
    """The definition's verdict. A text that is no answer counts as the worst, measured as one without values."""
    if isinstance(answer, Broken):
        return worst(answer.code, module.judge(instance, "no word").violation_max, None)
    return module.judge(instance, answer)


def differences(verdict, row):
    """(fields compared, {field: (definition, program)} where they differ)."""
    definition = {name: getattr(verdict, name) for name in FIELDS}
    settled = [name for name in FIELDS if definition[name] is not None or name == "objective"]
    return len(settled), {
        name: (definition[name], row.get(name)) for name in settled if definition[name] != row.get(name)
    }


def starts(module, item, random):
    """An optimal answer, greedy's, or a random one."""
    kind = random.random()
    if kind < 0.4 and isinstance(item.solved["answer"], list):
        return item.solved["answer"]
    if kind < 0.6 and isinstance(item.solved.get("greedy_answer"), list):
        return item.solved["greedy_answer"]
    return module.random_answer(item.instance, random)


def draw(task, items, count, seed):
    """`count` of (item, sent, meaning)."""
    module = MODULES[task]
    random = randoms.Random(f"{task} answers {seed}")
    for index in range(count):
        item = items[index % len(items)]
        yield item, *mutated(module, item.instance, starts(module, item, random), random)


def add_greedy(items):
    for item, row in zip(items, optgap("solve", "-", "--budget", "0", rows=[item.row for item in items])):
        item.solved["greedy_answer"] = row["answer"]


def check_verify(task, items, count, seed, report):
    """Adds to `report`, a Counter, and returns the mismatches."""
    wrong = []
    batch = []

    def flush():
        rows = [
            dict(item.row if index % 8 else {"task": task, "instance": item.instance}, answer=sent)
            for index, (item, sent, _) in enumerate(batch)
        ]
        for (item, sent, answer), row in zip(batch, optgap("verify", "-", rows=rows)):
            verdict = expected(MODULES[task], item.instance, answer)
            report["answers"] += 1
            if "error" in row:
                report["unjudged"] += 1
                wrong.append({"check": "verify", "instance": item.name, "answer": sent, "error": row["error"]})
                continue
            compared, found = differences(verdict, row)
            report["fields"] += compared
            report["feasible"] += verdict.feasible
            report["code " + row["code"]] += 1
            report["codes compared"] += verdict.code is not None
            if found:
                wrong.append(
                    {
                        "check": "verify",
                        "instance": item.name,
                        "answer": sent,
                        "differs": found,
                        "row": {name: row[name] for name in FIELDS},
                    }
                )
        batch.clear()

    for drawn in draw(task, items, count, seed):
        batch.append(drawn)
        if len(batch) == BATCH:
            flush()
    if batch:
        flush()
    return wrong


def completion(text, random):
    """(completion, whether its format is right) around an answer's text."""
    if random.random() < 0.85:
        return f"<think>Let me see: [1, 2] is too short.</think>\n<answer>{text}</answer>", True
    return random.choice(
        [
            f"<answer>{text}</answer>",
            f"<think></think><answer>{text}</answer>",
            f"<think>so</think>{text}",
            f"<think>so <answer>{text}</answer></think>",
            f"<think>so</think><answer>{text}</answer> and done",
            f"<think>so</think><answer>{text}</answer><answer>{text}</answer>",
        ]
    ), False


def reward_of(verdict, base, sense_max, well_formed):
    """FORGE's reward, on the grid of the default reward spec."""
    if not well_formed:
        return -2.5
    if base["status"] == "infeasible":
        return 2.0 if verdict.code == "empty" else -0.5
    if not verdict.feasible:
        return -0.5
    best, mine = base["objective"], verdict.objective
    if sense_max:
        quality = mine / best if best > 0 else float(mine >= best)
    elif mine == 0:
        quality = 1.0
    else:
        quality = max(best, 1) / mine
    return round((1 + min(quality, 1.0)) * REWARD_GRID) / REWARD_GRID


def check_score(task, items, count, seed, report):
    """The same answers inside completions: text, format and reward."""
    module = MODULES[task]
    random = randoms.Random(f"{task} completions {seed}")
    proven = [item for item in items if item.solved["proven"]]
    cases = []
    for item, sent, answer in draw(task, proven, count, seed + 1):
        text, well_formed = completion(sent if isinstance(sent, str) else json.dumps(sent), random)
        cases.append((item, text, answer, well_formed))
    wrong = []
    # The free spelling (docs/formats.md) may read what the grammar refuses, so only the grammar is compared there.
    strict = {"format": {"format": "forge", "spelling": "strict"}}
    rows = [
        dict(item.row, completion=text, **(strict if isinstance(answer, Broken) else {}))
        for item, text, answer, _ in cases
    ]
    for (item, text, answer, well_formed), row in zip(cases, optgap("score", "-", rows=rows)):
        report["completions"] += 1
        if "error" in row:
            report["unjudged"] += 1
            wrong.append({"check": "score", "instance": item.name, "completion": text, "error": row["error"]})
            continue
        verdict = expected(module, item.instance, answer)
        worthless = verdict.feasible and module.MAXIMISE and verdict.objective <= 0
        if worthless and item.solved["objective"] is not None and item.solved["objective"] > 0:
            verdict = replace(verdict, code="nothing of value", objective=None, violation=None)
        definition = {
            "reward": reward_of(verdict, item.solved, module.MAXIMISE, well_formed),
            "format": int(well_formed),
        }
        if well_formed:
            claimed = item.solved["status"] == "infeasible" and verdict.code == "empty"
            definition |= {
                "feasible": int(verdict.feasible or claimed),
                "objective": verdict.objective,
                "violation": 0 if claimed else verdict.violation,
            }
        found = {
            name: (value, row[name])
            for name, value in definition.items()
            if value != row[name] and (value is not None or name == "objective")
        }
        if found:
            wrong.append({"check": "score", "instance": item.name, "completion": text, "differs": found})
    return wrong


def check_rows_that_are_no_json(task, items, report):
    """NaN, an open bracket or no answer: an error row each, and no other output."""
    head = json.dumps(items[0].row)[:-1]
    bad = [head + ', "answer": [NaN]}', head + ', "answer": [1, 2}', head + "}", head + ', "answer": [01]}']
    wrong = []
    for text, row in zip(bad, optgap("verify", "-", rows=bad)):
        report["error rows"] += 1
        if "error" not in row:
            wrong.append({"check": "error row", "answer": text, "row": row})
    return wrong


def check(task, items, count, completions, seed):
    report = Counter()
    add_greedy(items)
    wrong = check_verify(task, items, count, seed, report)
    wrong += check_score(task, items, completions, seed, report)
    wrong += check_rows_that_are_no_json(task, items, report)
    return report, wrong
