#!/usr/bin/env python3
"""Writes tools/demo/labels: rows in the form of five data sets, made from tools/demo/rubrics.jsonl and our own
instructions.

  tools/demo/write_labels.py

Each row has, beside the data set's own columns, `completion` and `kind`, "honest" or "one_word"."""

import json
import pathlib

DEMO = pathlib.Path(__file__).resolve().parent
SPLIT = "[[[SPLIT]]]"
CODES = [("def length(text):\n    return 60 <= len(text.split()) <= 180", 0.5), ("def modest(text):\n    return 'as an ai' not in text.lower()", 0.3),
         ("def steps(text):\n    return text.count('.') >= 5", 0.2)]  # fmt: skip

ANSWER = (
    "Ask the baker first. She opens early and knows each street here. Then follow the river to the mill. "
    "Cross the old bridge there and turn left. You will see the harbour at once."
)
IFEVAL = [
    (
        "Tell a stranger how to reach the harbour, in at least 20 words and without commas.",
        {"punctuation:no_comma": {}, "length_constraints:number_words": {"relation": "at least", "num_words": 20}},
        ANSWER,
    ),
    (
        "Say what you do before a long walk. Mention water and shoes, and put the whole answer into double quotation marks.",
        {"keywords:existence": {"keywords": ["water", "shoes"]}, "startend:quotation": {}},
        '"I fill a bottle with water and look at my shoes, because a wet sock ends a walk early."',
    ),
    (
        "List exactly three things to pack, as bullets.",
        {"detectable_format:number_bullet_lists": {"num_bullets": 3}},
        "* a warm coat\n* two apples\n* the map of the coast",
    ),
]
IFBENCH = [
    (
        "Tell a stranger how to reach the harbour in 20 to 60 words.",
        {"count:word_count_range": {"min_words": 20, "max_words": 60}},
        ANSWER,
    ),
    (
        "Describe the harbour. No two neighbouring words may begin with the same letter.",
        {"words:no_consecutive": {}},
        "Green boats lie still beside the old wall as gulls cry over it.",
    ),
    (
        "Say in one sentence of each kind what the sea does: a statement, a question, an exclamation.",
        {"ratio:sentence_balance": {}},
        "The sea rises twice a day. Who would walk there then? Look how fast it comes!",
    ),
]
IF_RLVR = [
    (
        "Tell a stranger how to reach the harbour, with at most 40 words in lower case.",
        {"count:lowercase_counting": {"N": 40}},
        ANSWER,
    ),
    (
        "Write about the harbour without a single full stop.",
        {"punctuation:punctuation_dot": {}},
        "Green boats lie still beside the old wall while gulls cry above",
    ),
    (
        "Begin with the word Boats and end with the word home.",
        {"first_word:first_word_answer": {"first_word": "boats"}, "last_word:last_word_answer": {"last_word": "home"}},
        "Boats come back before dark, and their lamps lead everybody home.",
    ),
]


def rlvrr():
    """A label has a reference, keywords and style checks, which are Python."""
    for line in (DEMO / "rubrics.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["kind"] not in ("honest", "keywords"):
            continue
        keywords = [[one["keywords"] for one in point["references"]] for point in row["chain"]["content"]["points"]]
        style = {"key_points": [{"verification_code": code, "weight": weight} for code, weight in CODES]}
        label = SPLIT.join([row["chain"]["references"][0], repr(keywords), repr(style)])
        yield {"input": row["prompt"], "label": label, "completion": row["completion"], "kind": row["kind"]}


def instructions(questions):
    for key, (prompt, given, answer) in enumerate(questions):
        for kind, completion in (("honest", answer), ("one_word", "Pst")):
            yield {"key": key, "prompt": prompt, "instruction_id_list": list(given), "kwargs": list(given.values()),
                   "completion": completion, "kind": kind}  # fmt: skip


def if_rlvr():
    for prompt, given, answer in IF_RLVR:
        label = repr([{"instruction_id": list(given), "kwargs": list(given.values())}])
        for kind, completion in (("honest", answer), ("one_word", "Pst")):
            yield {
                "messages": [{"role": "user", "content": prompt}],
                "ground_truth": label,
                "completion": completion,
                "kind": kind,
            }


def rubric():
    """A row that contains the judge's verdicts."""
    criteria = [{"title": "route", "description": "Names the river, the mill and the bridge in this order.", "weight": 5},
                {"title": "polite", "description": "Speaks to the stranger.", "weight": 2}]  # fmt: skip
    for kind, completion, external in (
        ("honest", ANSWER, {"route": 1, "polite": 1}),
        ("one_word", "Pst", {"route": 0, "polite": 0}),
    ):
        yield {"prompt": IFEVAL[0][0], "rubric": criteria, "completion": completion, "kind": kind, "external": external}


for name, rows in (("rlvrr", rlvrr()), ("ifeval", instructions(IFEVAL)), ("ifbench", instructions(IFBENCH)), ("if-rlvr", if_rlvr()),
                   ("rubric", rubric())):  # fmt: skip
    (DEMO / "labels").mkdir(exist_ok=True)
    (DEMO / f"labels/{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
