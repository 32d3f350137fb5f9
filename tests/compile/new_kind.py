"""new_kind.py BUILD_DIR: a kind of rows from a user's own folder (tests/extension/kinds) is in the help, is scored by
the command line, asks for rows of other kinds, settles by group and is explained; no file of this tree names it."""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARENT = pathlib.Path(sys.argv[1]).resolve()
BUILD = PARENT / "new_kind"
OPTIMUM = "<think>hm</think><answer>[0, 4, 2, 15, 5, 9, 12, 8, 7, 1, 10, 3, 6, 13, 11, 14]</answer>"
ANSWER = {"key": "tsp@1:train:easy:1", "completion": OPTIMUM}
ROWS = [
    {"numbers": [1, 2, 3], "completion": "6"},
    {"numbers": [1, 2, 3], "completion": "6"},
    {"numbers": [1, 2, 3], "completion": "7"},
    ANSWER,
    {"numbers": [4], "completion": "4", "beside": ANSWER},
    {"numbers": [4], "completion": "4", "beside": {"key": "nothing"}},
    {"numbers": "four", "completion": "4"},
    {"numbers": [4]},
]


def run(*command, text=""):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def cached(name):
    found = re.search(rf"^{name}:[A-Z]*=(.*)$", (PARENT / "CMakeCache.txt").read_text(), re.M)
    return f"-D{name}={found.group(1)}" if found else f"-D{name}="


def build():
    kept = [cached(name) for name in ("OPTGAP_PORTABLE", "OPTGAP_ISAS", "CMAKE_CXX_COMPILER")]
    configure = run("cmake", "-S", str(ROOT), "-B", str(BUILD), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                    "-DOPTGAP_CUDA=OFF", f"-DOPTGAP_PREBUILT={PARENT}", f"-DOPTGAP_EXTENSIONS={ROOT}/tests/extension",
                    *kept)  # fmt: skip
    assert configure.returncode == 0, configure.stdout + configure.stderr
    made = run("cmake", "--build", str(BUILD), "--target", "optgap")
    assert made.returncode == 0, (made.stdout + made.stderr)[-4000:]
    return str(BUILD / "optgap")


def main():
    optgap = build()
    assert "--toy-bonus" in run(optgap, "score", "--help").stdout
    text = "".join(json.dumps(row) + "\n" for row in ROWS)
    done = run(optgap, "score", "-", "--toy-bonus", "1", text=text)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1 and len(rows) == len(ROWS), done.stderr
    assert [row.get("reward") for row in rows[:3]] == [1.0, 1.0, 0.0]  # two share 1 and the bonus
    assert [row.get("sharers") for row in rows[:3]] == [2, 2, 1] and rows[2]["code"] == "wrong_sum"
    assert rows[0]["advantage"] > 0 > rows[2]["advantage"]
    assert rows[4]["reward"] == 2.0 - rows[3]["reward"] and "sum" not in rows[3]
    assert [rows[k]["error"]["field"] for k in (5, 6, 7)] == ["beside.completion", "numbers", "completion"]
    with_bonus = rows[0]["fingerprint"]
    plain = json.loads(run(optgap, "score", "-", text=text).stdout.splitlines()[0])
    assert plain["reward"] == 0.5 and plain["fingerprint"] != with_bonus
    evaluated = json.loads(run(optgap, "eval", "-", "--json", text=text).stdout)
    assert any(one["task"] == "toy" for one in evaluated["summaries"]), evaluated["summaries"]
    explained = run(optgap, "explain", "-", "--row", "3", text=text).stdout
    assert "row 3: of the kind toy, toy" in explained and "wrong_sum" in explained and "sharers" in explained, explained
    feedback = run(optgap, "explain", "-", "--row", "3", "--feedback", "place", text=text).stdout
    assert feedback == "The form is wrong. The code is wrong_sum.\n", feedback
    print("toy: scored, asked, settled, evaluated and explained")


if __name__ == "__main__":
    main()
