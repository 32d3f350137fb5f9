#!/usr/bin/env python3
"""Instruction types in their peer form against other implementations, with one sentence splitter and one tokeniser:
evalscope 1.14.1 (IFEval, IFBench), lm-evaluation-harness 0.4.13 (IFEval), and plain Python for types that no package
has as published.

  check_peers.py BINARY [--texts N] [--seed S] [--type NAME] [--offline]

BINARY is the test program optgap_check_rows. N is the number of texts per type (default 10,000). Without network or
wheels, --offline compares with plain Python alone. Exit code 1 for an unknown difference in a verdict."""

import argparse
import json
import random
import subprocess
import sys
import time

import make_texts
import peer_code
import text_rules
import type_twins

# Types that need a table of the user's, or data that the peers fetch at run time.
TABLES = {
    "language:response_language",
    "change_case:english_capital",
    "change_case:english_lowercase",
    "ratio:stop_words",
    "words:start_verb",
    "words:odd_even_syllables",
}
# evalscope's versions of these differ from IFBench 0.2.0 (docs/checks.md describes how); plain Python replaces them.
CHANGED = set(type_twins.IFBENCH)
PER_INSTANCE = 20


def evaluate(binary, rows):
    lines = subprocess.run(
        [binary], input="".join(json.dumps(row) + "\n" for row in rows), capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in lines.stdout.splitlines()]


def peers_of(name, registries):
    """(label, verdict function, whether no difference is allowed)."""
    found = []
    for label, registry in registries.items():
        if name in registry and name not in TABLES:
            found.append(
                (
                    label,
                    lambda a, t, r=registry: peer_code.verdict(r, name, a, t),
                    not (label == "evalscope ifbench" and name in CHANGED),
                )
            )
    for rules in (type_twins.IFBENCH, type_twins.IF_RLVR):
        if name in rules:
            found.append(("plain Python", lambda a, t, r=rules: type_twins.verdict(r, name, a, t), True))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--texts", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--type")
    parser.add_argument("--offline", action="store_true")
    options = parser.parse_args()
    registries = {}
    if not options.offline:
        peer_code.set_up()
        registries = {
            "evalscope ifeval": peer_code.load("evalscope", "ifeval", text_rules.plain),
            "evalscope ifbench": peer_code.load("evalscope", "ifbench", text_rules.plain),
            "lm_eval": peer_code.load("lm_eval", "ifeval", text_rules.plain),
        }
    kinds = json.loads(subprocess.run([options.binary, "--kinds"], capture_output=True, text=True, check=True).stdout)
    begin, wrong, compared, alone = time.process_time(), 0, 0, []
    for kind in kinds["types"]:
        name = kind["name"]
        peers = peers_of(name, registries)
        if options.type and name != options.type:
            continue
        if not peers:
            alone.append(name)
            continue
        rng = random.Random(f"{options.seed} {name}")
        rows = []
        while PER_INSTANCE * len(rows) < options.texts:
            given = make_texts.arguments(rng, [argument for argument, _ in kind["arguments"]])
            rows.append(
                {
                    "check": {"check": name, **given},
                    "mode": "peer",
                    "texts": make_texts.texts(rng, name, given, PER_INSTANCE),
                }
            )
        ours = evaluate(options.binary, rows)
        passed = sum(result["passed"].count("1") for result in ours)
        for label, verdict, exact in peers:
            different = []
            for row, result in zip(rows, ours):
                given = {key: value for key, value in row["check"].items() if key != "check"}
                for text, own in zip(row["texts"], result["passed"]):
                    if verdict(given, text) != (own == "1"):
                        different.append((given, text, own))
            count = PER_INSTANCE * len(rows)
            compared += count
            if different and exact:
                wrong += len(different)
                for given, text, own in different[:3]:
                    print(f"  {name} {given}: we say {own}, {label} not, of {text!r}")
            if different or options.type:
                print(
                    f"{name}: {len(different)} of {count} differ from {label}{'' if exact else ' (another rule)'}; {passed} pass"
                )
        if passed < count / 200 or passed > count * 199 / 200:
            print(f"{name}: {passed} of {count} texts pass: too one-sided to tell much")
    print(
        f"{compared} verdicts compared, {wrong} differ; {time.process_time() - begin:.0f} CPU s; no peer: {', '.join(alone)}"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
