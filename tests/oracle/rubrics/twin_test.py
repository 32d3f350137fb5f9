"""Rubrics against their reference in plain Python, to the bit.

twin_test.py            2,000 pairs of the presets repo, paper and found, and 2,000 rows of preset ours
twin_test.py COUNT      so many of each, in blocks; prints what was compared
"""

import json
import os
import random
import subprocess
import sys

import numpy as np
import pairs
import pairs_ours
import stem_twin
import twin
import twin_ours
from rapidfuzz.distance import LCSseq

OPTGAP = os.environ.get("OPTGAP_BINARY", "build/release/optgap")
BLOCK = 5000
WAYS = {
    "repo": (1, lambda points, texts, text: twin.repo_content(points, texts[0], text)),
    "paper": (2, twin.paper_content),
    "found": (2, twin.found_content),
}


def rubric_of(points, texts, preset):
    lists = [{"references": [{"keywords": words, "of": 0 if preset == "repo" else at} for at, words in enumerate(point)]}
             for point in points]  # fmt: skip
    return {"chain": 1, "preset": preset, "references": texts, "content": {"points": lists}}


def compare(preset, seeds):
    """The number of rows that differ. Rows with too many matches, which are refused, are left out and counted."""
    references, expected_of = WAYS[preset]
    rows, expected = [], []
    for seed in seeds:
        points, texts, text = pairs.pair(seed, references)
        rows.append(json.dumps({"chain": rubric_of(points, texts, preset), "completion": text}) + "\n")
        expected.append((seed, expected_of(points, texts, text)))
    done = subprocess.run([OPTGAP, "score", "-", "--quiet"], input="".join(rows), text=True, capture_output=True)
    if done.returncode > 1:
        raise SystemExit(done.stderr)
    differ = refused = scored = 0
    for line, (seed, content) in zip(done.stdout.splitlines(), expected, strict=True):
        row = json.loads(line)
        if "error" in row:
            refused += 1
            if "at most 512" not in row["error"]["rule"]:
                raise SystemExit(f"{preset}, seed {seed}: {row['error']}")
        elif row["content"] != content:
            differ += 1
            print(f"{preset}, seed {seed}: {row['content']!r}, the twin {content!r}")
        scored += content > 0
    return differ, refused, scored


def answers(command, rows):
    done = subprocess.run([OPTGAP, *command, "-", "--quiet"], input="".join(json.dumps(row) + "\n" for row in rows), text=True,
                          capture_output=True)  # fmt: skip
    if done.returncode > 1:
        raise SystemExit(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def differences(own, expected):
    return [
        f"{name} {own.get(name)!r}, the twin {value!r}" for name, value in expected.items() if own.get(name) != value
    ]


def compare_ours(seeds):
    """Preset ours: floors of each rubric, then its row with these floors in the rubric."""
    rows = [pairs_ours.row(seed) for seed in seeds]
    inert = [rubric for rubric, _, _ in rows if twin_ours.Rubric(rubric).has_inert_gate()]
    for found in answers(["rubric", "floors"], [{"chain": rubric} for rubric in inert]):
        if found.get("error", {}).get("field") != "gates":
            raise SystemExit(f"ours: a gate without a measure is not refused: {found}")
    rows = [row for row in rows if row[0] not in inert]
    measured = answers(["rubric", "floors"], [{"chain": rubric} for rubric, _, _ in rows])
    other, differ, paid, held, given, expected = "", 0, 0, 0, [], []
    seeds = [seed for seed in seeds if pairs_ours.row(seed)[0] not in inert]
    for seed, (rubric, prompt, text), found in zip(seeds, rows, measured, strict=True):
        if "error" in found:
            raise SystemExit(f"ours, seed {seed}: {found['error']}")
        wrong = differences(found["floors"], twin_ours.Rubric(rubric).floors(other))
        other = rubric["references"][0]
        rubric = {**rubric, "floors": found["floors"]}
        said = {} if prompt is None else {"prompt": prompt}
        given.append({"chain": rubric, "completion": text, **said})
        expected.append((seed, wrong, twin_ours.Rubric(rubric).score(text, prompt or "")))
    for row, (seed, wrong, wanted) in zip(answers(["score"], given), expected, strict=True):
        has_text = row["format"] == 1
        wanted["normalized"] = float(np.float32(wanted["normalized"])) if has_text else 0.0
        row["normalized"] = float(np.float32(row["normalized"]))
        wrong = wrong + differences(row, wanted)
        paid += wanted["total"] > 0
        held += any(0 < factor < twin_ours.FULL for _, factor in wanted["gates"].values())
        if wrong:
            differ += 1
            print(f"ours, seed {seed}: {'; '.join(wrong)}")
    return differ, paid, held


def compare_stems(count):
    """Words made of known endings, as `explain` shows a text whose words are stems."""
    draw, ends = (
        random.Random(2),
        [
            *stem_twin.STEP2,
            *stem_twin.STEP3,
            *stem_twin.STEP4,
            "s",
            "es",
            "ed",
            "ing",
            "edly",
            "ies",
            "y",
            "e",
            "ll",
            "",
        ],
    )
    letters = "aeioubcdfghlmnprstwxyz"
    words = [
        "".join(draw.choice(letters) for _ in range(draw.randint(1, 6))) + draw.choice(ends) + draw.choice(ends)
        for _ in range(count)
    ]
    row = {"chain": {"chain": 1, "text": {"stem": "snowball:english"}, "gates": [], "references": ["zero"],
                     "content": {"points": [{"references": [{"keywords": ["zero"]}]}]}}, "completion": " ".join(words)}  # fmt: skip
    done = subprocess.run(
        [OPTGAP, "rubric", "explain", "-"], input=json.dumps(row), text=True, capture_output=True, check=True
    )
    shown = done.stdout.split("matched on it\n")[1].split("\n")[0].split(" ")
    return sum(one != stem_twin.stem(word) for word, one in zip(words, shown, strict=True))


def second_opinion(seeds):
    """The reference's table against RapidFuzz."""
    for seed in seeds:
        points, texts, text = pairs.pair(seed)
        words = points[0][0]
        one, other = twin.matched(words, texts[0]), twin.matched(words, text)
        if LCSseq.similarity(one, other) != twin.common(one, other):
            raise SystemExit(f"seed {seed}: RapidFuzz and the twin's table differ")
    return f"RapidFuzz agrees on {len(seeds)} sequences"


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    shares = {"repo": count - 2 * (count // 4), "paper": count // 4, "found": count // 4}
    failed = False
    for preset, share in shares.items():
        differ = refused = scored = 0
        for first in range(0, share, BLOCK):
            found = compare(preset, range(first, min(first + BLOCK, share)))
            differ, refused, scored = differ + found[0], refused + found[1], scored + found[2]
            twin.MATCHES.clear()
        print(f"{preset}: {differ} of {share} pairs differ, {scored} pay more than nothing, {refused} were refused")
        failed = failed or differ > 0 or scored < share / 4 or refused > share / 50
    differ = paid = held = 0
    for first in range(0, count, BLOCK):
        found = compare_ours(range(first, min(first + BLOCK, count)))
        differ, paid, held = differ + found[0], paid + found[1], held + found[2]
    print(f"ours: {differ} of {count} rows differ, {paid} pay more than nothing, {held} have a gate that is half open")
    failed = failed or differ > 0 or paid < count / 4 or held < count / 20
    differ = compare_stems(1500)
    print(f"stems: {differ} of 1500 words differ")
    failed = failed or differ > 0
    print(second_opinion(range(min(count, 2000))))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
