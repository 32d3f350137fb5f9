"""extensions.py BUILD_DIR: what tests/extension adds works, and no file of this tree names it. A kind of rows is in the help, is
scored by the command line, asks for rows of other kinds and settles by group; an estimator of advantages, a reward shape, a
format of files and a task are listed, parsed, computed, explained, read and written; the first two also through C++."""

import json
import math
import pathlib
import re
import struct
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARENT = pathlib.Path(sys.argv[1]).resolve()
BUILD = PARENT / "extensions"
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


CPP = """
#include <cmath>
#include <cstdio>
#include "optgap/engine.hpp"
int main() {
    optgap::engine const by({.server = "off"});
    float const rewards[] = {1, 3};
    int const group[] = {7, 7};
    auto const own = optgap::parse_advantage_spec(R"({"estimator":"softened","softness":1})");
    auto const found = by.advantages(rewards, group, own);
    bool const shape = optgap::is_known(optgap::parse_reward_spec("knee").shape);
    std::puts(found[1] == float(1 / (std::sqrt(2.0) + 1)) && found[0] == -found[1] && shape ? "ok" : "wrong");
}
"""


def ninja_of(statement):
    """The statement of build.ninja whose first line holds a text."""
    text = (BUILD / "build.ninja").read_text()
    start = text.index("build ", text.rindex("\n", 0, text.index(statement)))
    return text[start : text.index("\n\n", start)]


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


def lines(done):
    return [json.loads(line) for line in done.stdout.splitlines()]


def check_estimator(optgap):
    assert "softened" in run(optgap, "rules").stdout
    page = run(optgap, "rules", "softened").stdout
    assert "(r - m) / (s1 + softness)" in page and "0.0 to 10.0" in page and "added to the standard deviation" in page
    text = "".join(json.dumps({"group": 1, "reward": reward}) + "\n" for reward in (1.0, 3.0))
    deviation = math.sqrt(2)
    for spec, softness in (("softened", 0.5), ('{"estimator": "softened", "softness": 2}', 2.0)):
        rows = lines(run(optgap, "advantages", "-", "--estimator", spec, text=text))
        expected = [struct.unpack("f", struct.pack("f", x / (deviation + softness)))[0] for x in (-1.0, 1.0)]
        assert [row["advantage"] for row in rows] == expected, rows
    for spec, why in (
        ('{"estimator": "softened", "softness": 11}', "advantage.softness"),
        ('{"softness": 1}', "advantage.softness belongs to softened"),
        ("softener", "softened"),
    ):
        done = run(optgap, "advantages", "-", "--estimator", spec, text=text)
        assert done.returncode == 2 and why in done.stderr, done.stderr
    scored = lines(run(optgap, "score", "-", "--advantage", "softened", text=2 * (json.dumps(ANSWER) + "\n")))
    assert [row["advantage"] for row in scored] == [0.0, 0.0], scored


def check_shape(optgap):
    assert "knee" in run(optgap, "rules").stdout
    row = json.dumps(ANSWER) + "\n"
    found = lines(run(optgap, "score", "-", "--reward", '{"shape": "knee", "at": 0.5, "grid": 0}', text=row))[0]
    assert found["quality"] == 1.0 and found["reward"] == 1.0, found
    worse = dict(ANSWER, completion=ANSWER["completion"].replace("0, 4, 2", "0, 2, 4"))
    found = lines(
        run(optgap, "score", "-", "--reward", '{"shape": "knee", "at": 1, "grid": 0}', text=json.dumps(worse) + "\n")
    )[0]
    assert 0 < found["quality"] < 1 and abs(found["reward"] - found["quality"] / 2) < 1e-6, found
    told = run(optgap, "explain", "-", "--row", "1", "--reward", "knee", text=row).stdout
    assert "quality 1 / 2, and 1/2 more from 0.9 on" in told, told
    refused = run(optgap, "score", "-", "--reward", '{"at": 1}', text=row)
    assert refused.returncode == 2 and "reward.at belongs to the shape knee" in refused.stderr, refused.stderr


def check_file(optgap):
    text = "weights 10: 3/7 4/9 5/8\n"
    named, unnamed = BUILD / "three.weights", BUILD / "three.unknown"
    for path in (named, unnamed):  # by its extension, and by its beginning
        path.write_text(text)
        row = lines(run(optgap, "convert", str(path)))[0]
        assert row["task"] == "knapsack" and row["instance"] == {
            "capacity": 10,
            "weights": [3, 4, 5],
            "values": [7, 9, 8],
        }
    assert run(optgap, "convert", str(named), "--to", "weight_list").stdout == text
    solved = lines(run(optgap, "solve", str(named)))[0]
    assert solved["objective"] == 17 and solved["proven"], solved
    tasks = {row["name"]: row for row in json.loads(run(optgap, "tasks", "--json").stdout)}
    assert ".weights" in json.dumps(tasks["knapsack"])
    unnamed.write_text("weights ten\n")
    assert "weights CAPACITY" in run(optgap, "convert", str(unnamed)).stdout


def check_task(optgap):
    rows = lines(run(optgap, "generate", "downhill", "--level", "easy", "--count", "3", "--prompts"))
    assert len(rows) == 3 and all("spring" in row["prompt"] for row in rows)
    text = "".join(json.dumps(row) + "\n" for row in rows)
    solved = lines(run(optgap, "solve", "-", text=text))
    assert all(row["proven"] for row in solved), solved
    checked = lines(run(optgap, "verify", "-", text="".join(json.dumps(row) + "\n" for row in solved)))
    assert all(row["feasible"] and row["objective"] == row["bound"] for row in checked), checked


def check_cpp():
    source = BUILD / "own.cpp"
    source.write_text(CPP)
    flags = re.search(r"^  FLAGS = (.*)$", ninja_of("optgap.dir/tools/cli/main.cpp.o"), re.M).group(1)
    includes = re.search(r"^  INCLUDES = (.*)$", ninja_of("optgap.dir/tools/cli/main.cpp.o"), re.M).group(1)
    compiler = cached("CMAKE_CXX_COMPILER").partition("=")[2]
    made = run(compiler, *flags.split(), *includes.split(), "-c", str(source), "-o", str(BUILD / "own.o"))
    assert made.returncode == 0, made.stderr
    link = re.search(r"^  LINK_LIBRARIES = (.*)$", ninja_of("build optgap: "), re.M).group(1)
    made = run("sh", "-c", f"cd {BUILD} && {compiler} own.o -o own {link}")
    assert made.returncode == 0, made.stderr
    done = run(str(BUILD / "own"))
    assert done.returncode == 0 and done.stdout == "ok\n", done.stdout + done.stderr


def main():
    optgap = build()
    check_estimator(optgap)
    check_shape(optgap)
    check_file(optgap)
    check_task(optgap)
    check_cpp()
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
    print("toy, softened, knee, weight_list and downhill work")


if __name__ == "__main__":
    main()
