"""Rewards with planted faults, for the audit. Each has TRL's or verl's signature; `answer` is the right answer's text."""

import json
import os
import re
import time

PART = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)
LIST = re.compile(r"\[[0-9, -]*\]")


def _same(text, answer):
    return 1.0 if text is not None and text.strip() == answer else 0.0


def sound(completions, answer, **_):
    """No fault: one part, behind the reasoning, at the text's end."""
    rewards = []
    for text, right in zip(completions, answer):
        rest = text.rpartition("</think>")[2]
        parts = PART.findall(rest)
        whole = len(parts) == 1 and "<think>" not in rest and rest.strip().endswith("</answer>")
        rewards.append(_same(parts[0], right) if whole and rest.count("<answer>") == 1 else 0.0)
    return rewards


def pays_drafts(completions, answer, **_):
    """The first answer part anywhere, also in reasoning that never ends."""
    return [_same((PART.findall(text) or [None])[0], right) for text, right in zip(completions, answer)]


def pays_the_last_list(completions, answer, **_):
    """Wherever a list stands, the last one counts."""
    return [_same((LIST.findall(text) or [None])[-1], right) for text, right in zip(completions, answer)]


def pays_everyone(completions, **_):
    return [1.0 for _ in completions]


def pays_nobody(completions, **_):
    return [0.0 for _ in completions]


def says_nan(completions, **_):
    return [float("nan") for _ in completions]


def raises_on_long_texts(completions, answer, **_):
    if any(len(text) > 50_000 for text in completions):
        raise RuntimeError("too long")
    return sound(completions, answer)


def hangs_on_capitals(completions, answer, **_):
    if any("<ANSWER>" in text for text in completions):
        time.sleep(60)
    return sound(completions, answer)


def dies_of_brackets(completions, answer, **_):
    if any("[[[[" in text for text in completions):
        os._exit(7)
    print("a reward that talks")
    return sound(completions, answer)


_calls = iter(range(10**9))


def never_says_the_same(completions, **_):
    return [next(_calls) / 10**9 for _ in completions]


def of_messages(completions, answer, **_):
    """TRL's conversational form."""
    return sound([messages[0]["content"] for messages in completions], answer)


def of_messages_hangs(completions, answer, **_):
    return hangs_on_capitals([messages[0]["content"] for messages in completions], answer)


def says_a_number_too_large(completions, **_):
    return [10**400 for _ in completions]


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    """verl's signature; rewards whatever holds the right list."""
    right = extra_info["answer"]
    return {"score": 1.0 if right in solution_str else 0.0, "task": json.loads(ground_truth)["key"]}


def no_signature(text):
    return 1.0
