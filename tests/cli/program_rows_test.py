"""Rows whose completion is a program: generated, refused, estimated, run, ranked, explained and counted.

Tests that run programs are skipped by name where `optgap sandbox` finds no isolation level, unless OPTGAP_REQUIRE has it.
"""

import ast
import json
import keyword
import os
import pathlib
import subprocess
import tempfile
import unittest

from optgap_process import BINARY, TSP4, forge, lines, rows, run

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples/programs"
KEY = "tsp@1:train:easy:1*3"
ANSWER = {"key": "tsp@1:train:easy:1", "completion": forge("[0,1]"), "id": "answer"}

HELD = subprocess.run([BINARY, "sandbox", "--json"], capture_output=True, text=True, timeout=120).returncode == 0
REQUIRED = "sandbox" in os.environ.get("OPTGAP_REQUIRE", "").split()
needs_sandbox = unittest.skipUnless(
    HELD or REQUIRED, "SKIPPED: optgap sandbox finds no isolation level that holds programs"
)


def fenced(source, language="python"):
    return f"```{language}\n{source}\n```"


def program(source, language="python", key=KEY, **more):
    return {"key": key, "language": language, "completion": fenced(source, language), **more}


def shipped(name, task="tsp", **more):
    language = "cpp" if name.endswith(".cpp") else "python"
    return program((EXAMPLES / name).read_text(), language, **{"key": f"{task}@1:train:easy:1*3", "id": name, **more})


FLOOR = 'import json\nprint(*range(len(json.loads(input())["distances"])))'


class Making(unittest.TestCase):
    def test_a_row_is_a_problem_that_can_be_made_again(self):
        command = "generate tsp knapsack --level medium --candidate program --instances 4 --count 2".split()
        command += "--seed 7 --language cpp --limits ahc --prompts".split()
        done = run(*command)
        self.assertEqual(done.returncode, 0, done.stderr)
        made = rows(done)
        wanted = [f"{task}@1:train:medium:{seed}*4" for task in ("tsp", "knapsack") for seed in (7, 11)]
        self.assertEqual([row["key"].partition("#")[0] for row in made], wanted)
        for row in made:
            self.assertEqual((row["language"], row["input"], row["format"]), ("cpp", "plain", "program"))
            self.assertEqual(row["limits"]["cpu_ms"], 2000)
            self.assertNotIn("instance", row)
            self.assertIn("```cpp", row["prompt"])
            self.assertEqual(row["prompt_chars"], len(row["prompt"]))
        self.assertEqual(run(*command).stdout, done.stdout)

    def test_styles_and_inputs_differ_and_the_last_style_is_kept_from_training(self):
        base = ("generate", "clique", "--level", "easy", "--candidate", "program", "--instances", "2", "--prompts")
        self.assertEqual([row["key"].count(":s") for row in rows(run(*base, "--style", "all"))], [0, 1])
        self.assertEqual(len(rows(run(*base, "--style", "all", "--split", "test"))), 3)
        prompts = {
            row["prompt"]
            for style in "012"
            for form in ("plain", "json")
            for row in rows(run(*base, "--style", style, "--input", form))
        }
        self.assertEqual(len(prompts), 6)

    def test_what_does_not_go_together_is_refused(self):
        for wrong, words in [
            (("--language", "cpp"), "--candidate program"),
            (("--candidate", "proof"), "answer or program"),
            (("--candidate", "program", "--unique"), "--unique"),
            (("--candidate", "program", "--language", "rust"), "python"),
            (("--candidate", "program", "--limits", "fast"), "limits.preset"),
            (("--candidate", "program", "--format", "boxed"), "program"),
            (("--candidate", "program", "--style", "3"), "--style 3"),
            (("--candidate", "program", "--input", "xml"), "plain, json"),
            (("--interface", "solve"), "--candidate program"),
            (("--candidate", "program", "--interface", "main"), "stdio or solve"),
            (("--candidate", "program", "--interface", "solve", "--language", "cpp"), "function of Python"),
            (("--candidate", "program", "--interface", "solve", "--input", "plain"), "made of json"),
        ]:
            done = run("generate", "tsp", "--level", "easy", *wrong)
            self.assertEqual(done.returncode, 2, wrong)
            self.assertIn(words, done.stderr)

    def test_the_interface_solve_says_its_arguments_for_every_task_and_style(self):
        base = "generate all --level easy --split test --candidate program --instances 2 --prompts --style all".split()
        made = rows(run(*base, "--interface", "solve"))
        others = rows(run(*base))
        self.assertEqual([row["key"] for row in made], [row["key"] for row in others])
        for row, other in zip(made, others):
            with self.subTest(key=row["key"]):
                self.assertEqual((row["interface"], row["input"], "interface" in other), ("solve", "json", False))
                said = row["prompt"].splitlines()
                head = ast.parse(next(line for line in said if line.startswith("def solve(")) + " pass").body[0]
                types = {one.arg: ast.unparse(one.annotation) for one in head.args.args}
                self.assertFalse([name for name in types if keyword.iskeyword(name)])
                call = ast.parse(next(line for line in said if line.startswith("solve("))).body[0].value
                given = {one.arg: ast.literal_eval(one.value) for one in call.keywords}
                self.assertEqual(list(given), list(types))
                self.assertIn(json.dumps(given, separators=(",", ":"), ensure_ascii=False), other["prompt"])
                for name, value in given.items():
                    self.assertTrue(has_type(value, types[name]), (name, types[name]))
                for name in types:
                    self.assertIn(f"\n- {name}: ", row["prompt"])
                shown = [line for line in said if line.startswith('["')]
                if shown:
                    self.assertIn("".join(line + "\n" for line in ast.literal_eval(shown[-1])), other["prompt"])
                self.assertNotIn("tandard input", row["prompt"])


def has_type(value, said):
    """The type as a statement writes it: list[list[int]], int | str."""
    if said.startswith("list["):
        return isinstance(value, list) and all(has_type(one, said[5:-1]) for one in value)
    return type(value).__name__ in said.split(" | ")


class Refusing(unittest.TestCase):
    def test_nothing_runs_unless_asked_and_the_other_rows_are_rewarded(self):
        done = run("score", "-", stdin=lines(ANSWER, program(FLOOR), ANSWER))
        self.assertEqual(done.returncode, 1)
        first, second, third = rows(done)
        self.assertEqual((first["code"], third["code"]), ("wrong_length", "wrong_length"))
        self.assertEqual(second["error"]["field"], "isolation")
        self.assertIn("--isolation", second["error"]["rule"])

    def test_a_wrong_row_is_named(self):
        wrong = [
            ({"language": None}, "language"),
            ({"language": "rust"}, "language"),
            ({"input": "xml"}, "input"),
            ({"interface": "main"}, "interface"),
            ({"interface": "solve", "language": "cpp"}, "interface"),
            ({"interface": "solve", "input": "plain"}, "input"),
            ({"limits": {"cpu_ms": 0}}, "limits"),
            ({"key": "tsp@1:train:easy:1*3#00000000"}, "key"),
            ({"key": "tsp@1:train:easy:1*0"}, "key"),
            ({"key": "nothing@1:train:easy:1*2"}, "key"),
            ({"task": "clique"}, "task"),
            ({"baselines": [None]}, "baselines"),
            ({"format": "boxed"}, "format"),
            ({"instances": [TSP4]}, "instances"),
            ({"instances": [TSP4, TSP4, TSP4]}, "instances[0]"),
            ({"key": "tsp@1:x:00000000000000000000000000000000*1"}, "instances"),
        ]
        given = [{**program(FLOOR), **change} for change, _ in wrong]
        done = run("score", "-", "--estimate", stdin=lines(*given))
        found = run("score", "-", "--isolation", "auto", stdin=lines(*given))
        self.assertEqual([row.get("error", {}).get("field") for row in rows(found)], [field for _, field in wrong])
        self.assertEqual(done.returncode, 1)

    def test_an_estimate_runs_nothing(self):
        given = lines(
            program(FLOOR),
            program(FLOOR),
            program("int main() {}", "cpp", limits={"cpu_ms": 2000}),
            ANSWER,
            {**program(FLOOR), "completion": "none"},
        )
        done = run("score", "-", "--estimate", "--slots", "2", "--json", stdin=given)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual((found["rows"], found["programs"], found["different"], found["runs"]), (4, 3, 2, 9))
        self.assertAlmostEqual(found["run_core_seconds"], 2 * 3 * 0.5 + 3 * 2)
        both = found["run_core_seconds"] + found["compile_core_seconds"]
        self.assertAlmostEqual(found["minutes"], both / 2 / 60, places=3)
        self.assertIn("core-seconds", run("score", "-", "--estimate", stdin=given).stdout)

    def test_eval_and_formats_know_programs(self):
        self.assertIn("program_strict", run("formats").stdout)
        self.assertEqual(json.loads(run("formats", "program_strict", "--json").stdout)[0]["blocks"], "one")
        self.assertEqual(run("formats", '{"blocks": "one"}').returncode, 2)


PAGE = ROOT / "docs/programs.md"
BEGIN, END = "<!-- The example: tests/cli/program_rows_test.py -->\n", "<!-- The example ends. -->\n"


def example_table(found):
    """The page's table of the rows of examples/programs/rows.jsonl."""
    text = "| row | codes | objectives | valid | reward |\n|---|---|---|---|---|\n"
    for row in found:
        codes = row["codes"][0] if len(set(row["codes"])) == 1 else ", ".join(row["codes"])
        objectives = ", ".join("–" if value is None else str(value) for value in row["objectives"])
        text += f"| {row['id']} | {codes} | {objectives} | {row['valid']:g} | {row['reward']:+.3f} |\n"
    return text


class TheSample(unittest.TestCase):
    def test_the_file_is_what_its_program_writes(self):
        written = (EXAMPLES / "rows.jsonl").read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            for name in EXAMPLES.glob("*.*"):
                (pathlib.Path(folder) / name.name).write_bytes(name.read_bytes())
            subprocess.run(["python3", f"{folder}/make_rows.py"], check=True, timeout=60)
            self.assertEqual((pathlib.Path(folder) / "rows.jsonl").read_text(encoding="utf-8"), written)


@needs_sandbox
class Running(unittest.TestCase):
    def score(self, *given, options=()):
        done = run("score", "-", "--isolation", "auto", *options, stdin=lines(*given))
        return done, rows(done)

    def test_shipped_programs_have_the_anchors_objectives(self):
        for task in ("tsp", "knapsack"):
            given = lines(*({"key": f"{task}@1:train:easy:{seed}"} for seed in (1, 2, 3)))
            solved = rows(run("solve", "-", stdin=given))
            names = sorted(path.name for path in EXAMPLES.glob(f"{task}_*"))
            done, found = self.score(*(shipped(name, task) for name in names))
            self.assertEqual(done.returncode, 0, done.stderr)
            for name, row in zip(names, found):
                anchor = "floor" if "floor" in name else "greedy"
                self.assertEqual(row["objectives"], [one[anchor] for one in solved], name)
                self.assertEqual((row["valid"], row["codes"], row["masked"]), (1, ["ok"] * 3, False))
                self.assertEqual(row["program"]["language"], "cpp" if name.endswith("cpp") else "python")

    def test_the_page_shows_what_the_sample_earns(self):
        done = run("score", str(EXAMPLES / "rows.jsonl"), "--isolation", "auto")
        self.assertEqual(done.returncode, 0, done.stderr)
        page = PAGE.read_text(encoding="utf-8")
        self.assertEqual(page.partition(BEGIN)[2].partition(END)[0], example_table(rows(done)))

    def test_the_page_s_programs_and_commands_run(self):
        page = PAGE.read_text(encoding="utf-8")
        sources = [block.partition("```")[0] for block in page.split("```python\n")[1:]]
        self.assertEqual(len(sources), 6)
        # The package tests the rest (tests/python/programs_test.py, program_runner_test.py, program_scheduler_test.py).
        del sources[3:]
        ours = [shipped("tsp_floor.py"), shipped("tsp_greedy.py")]
        _, found = self.score(program(sources[2], interface="solve"), *map(program, sources[:2]), *ours)
        self.assertEqual([row["objectives"] for row in found[1:3]], [row["objectives"] for row in found[3:]])
        self.assertEqual(found[0]["objectives"], found[1]["objectives"])
        block = "".join(part.partition("```")[0] for part in page.split("```console\n")[1:])
        environment = {**os.environ, "PATH": f"{pathlib.Path(BINARY).resolve().parent}:{os.environ['PATH']}"}
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "examples").symlink_to(ROOT / "examples")
            done = subprocess.run(
                ["bash", "-e", "-c", block], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
            )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("programs of", done.stdout)

    def test_the_interface_solve_is_rewarded_as_what_its_list_prints(self):
        called = "def solve(distances):\n    return [str(city) for city in range(len(distances))]"
        one_line = "def solve(distances):\n    return [' '.join(map(str, range(len(distances))))]"
        foreign = "import json, sys\nprint(*range(len(json.load(sys.stdin)['distances'])))\ndef solve(**fields):\n    return []"
        solves = [program(source, interface="solve") for source in (called, one_line, foreign, FLOOR)]
        done, found = self.score(program(FLOOR), *solves, program(called), options=("--dedupe", "always"))
        self.assertEqual(done.returncode, 0, done.stderr)
        for row in found[1:3]:
            for name in ("codes", "objectives", "reward", "baselines"):
                self.assertEqual(row[name], found[0][name])
            self.assertEqual(row["interface"], "solve")
        self.assertEqual([row["codes"][0] for row in found[3:]], ["run_exit", "run_exit", "run_no_output"])
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.write(lines(program(called, interface="solve")))
            file.flush()
            told = run("explain", file.name, "--row", "1", "--isolation", "auto")
        self.assertIn("feasible", told.stdout)

    def test_one_call_takes_every_kind_in_order(self):
        outside = {
            "key": "mine/toy@1:train:d3:17",
            "completion": forge("7"),
            "external": {"reward": 0.5},
            "id": "outside",
        }
        own = {"task": "tsp", "instances": [TSP4, TSP4], "language": "python", "completion": fenced(FLOOR), "id": "own"}
        done, found = self.score(ANSWER, program(FLOOR, id="mine"), outside, own, options=("--external",))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([row["id"] for row in found], ["answer", "mine", "outside", "own"])
        self.assertEqual([row["baseline_kind"] for row in found], ["proven", "proven", "external", "proven"])
        shared = set(found[0]) - {"key"}
        self.assertTrue(all(shared <= set(row) for row in found))
        self.assertEqual(found[3]["objectives"], [95, 95])
        self.assertAlmostEqual(found[3]["quality"], 80 / 95, places=6)
        alone = rows(run("score", "-", stdin=lines(ANSWER)))
        self.assertEqual(found[0], alone[0])

    def test_a_scored_row_is_scored_again_to_the_same_row(self):
        _, found = self.score(program(FLOOR), program("print(0)"))
        self.assertIsNone(found[0]["baseline"])
        self.assertEqual([known["proven"] for known in found[0]["baselines"]], [True] * 3)
        self.assertEqual(self.score(*found)[1], found)

    def test_faults_are_codes_and_the_baselines_of_a_row_count(self):
        spin = program("while True: pass", limits={"cpu_ms": 60})
        given = [
            program("print(1 2)"),
            spin,
            program("import sys\nsys.exit(3)"),
            program("print()"),
            program("print(0)"),
            program("raise ValueError"),
            {**program(FLOOR), "completion": fenced(FLOOR) + "\nDone."},
            {**program(FLOOR), "completion": "```python\nx", "finish": "length"},
            program("int main( {", "cpp"),
            program("int main() { *(volatile int*)0 = 1; }", "cpp"),
        ]
        _, found = self.score(*given)
        wanted = "compile_error run_time run_exit run_no_output wrong_length run_exit program_trailing truncated"
        self.assertEqual([row["codes"][0] for row in found], [*wanted.split(), "compile_error", "run_crash"])
        self.assertEqual([row["reward"] for row in found[:2]], [-0.5, -0.5])
        self.assertEqual(found[6]["reward"], -2.5)
        self.assertEqual(found[6]["format"], 0)
        known = [{"objective": 1, "bound": 1, "proven": True}] * 3
        # A row may bring all, some or none of its problem's baselines; the missing ones are proven.
        _, (low, half, none) = self.score(
            program(FLOOR, baselines=known), program(FLOOR, baselines=[*known[:2], None]), program(FLOOR)
        )
        self.assertLess(low["quality"], 0.1)
        self.assertEqual([one["objective"] for one in low["baselines"]], [1, 1, 1])
        self.assertEqual(half["baselines"], [*low["baselines"][:2], none["baselines"][2]])
        self.assertGreater(none["baselines"][2]["objective"], 1)
        self.assertEqual(self.score(program(FLOOR, baselines=known))[1][0]["quality"], low["quality"])

    def test_river_ranks_objectives_and_the_matrix_reads_back(self):
        given = [shipped("tsp_greedy.py"), program(FLOOR), program(FLOOR), program("print(0)"), program("print(")]
        done, found = self.score(*given, options=("--advantage", "river", "--matrix"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({row["baseline_kind"] for row in found}, {"ranked"})
        self.assertEqual([row["advantage"] for row in found[3:]], [-1, -1])
        self.assertGreater(found[0]["advantage"], found[1]["advantage"])
        self.assertEqual(found[1]["advantage"], found[2]["advantage"])
        self.assertEqual(found[3]["scores"], [None] * 3)
        matrix = [{"group": 1, "scores": row["scores"], "sense": row["sense"]} for row in found]
        again = rows(run("advantages", "-", "--estimator", "river", stdin=lines(*matrix)))
        self.assertEqual([row["advantage"] for row in again], [row["advantage"] for row in found])
        mixed = [{**ANSWER, "group": "g"}] + [{**row, "group": "g"} for row in given]
        _, refused = self.score(*mixed, options=("--advantage", "rank_uniform"))
        self.assertEqual([row.get("error", {}).get("field") for row in refused], [None] + ["group"] * 5)

    def test_a_rejected_row_does_not_cost_its_group_the_batch(self):
        given = [program(FLOOR), program(FLOOR), program("print(0)"), {**program(FLOOR), "language": "rust"}]
        done, found = self.score(*given, options=("--advantage", "river"))
        self.assertEqual(done.returncode, 1)
        self.assertEqual([row.get("advantage") for row in found], [0, 0, 0, None])
        self.assertIn("1 group of fewer than 4", done.stderr)
        self.assertEqual(self.score(*given[:3], options=("--advantage", "river"))[0].returncode, 2)

    def test_times_stand_in_a_file_and_repeats_change_no_row(self):
        with tempfile.TemporaryDirectory() as folder:
            times = pathlib.Path(folder) / "times.jsonl"
            done, found = self.score(program(FLOOR), options=("--repeat", "2", "--timings", str(times)))
            seen = [json.loads(line) for line in times.read_text().splitlines()]
        self.assertEqual(len(seen), 6)
        told = {(one["row"], one["instance"], one["repeat"]) for one in seen}
        self.assertEqual(told, {(1, k, r) for k in range(3) for r in range(2)})
        self.assertIn("2 runs of each", done.stderr)
        self.assertEqual(found, self.score(program(FLOOR))[1])

    def test_explain_shows_what_became_of_it(self):
        given = lines(
            program("import sys\nprint('hm', file=sys.stderr)\nprint(0)"), program("int main() { return x; }", "cpp")
        )
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "rows.jsonl"
            file.write_text(given)
            first = run("explain", str(file), "--isolation", "auto", "--instance", "2")
            second = run("explain", str(file), "--isolation", "auto", "--row", "2")
            without = run("explain", str(file))
        self.assertEqual(first.returncode, 0, first.stderr)
        for words in ("instance 2", "hm", "leaves out", "wrong_length", "3 hidden instances"):
            self.assertIn(words, first.stdout)
        self.assertIn("compile_error", second.stdout)
        self.assertIn("return x", second.stdout)
        self.assertIn("--isolation", without.stdout)

    def test_eval_has_a_table_of_programs(self):
        given = [shipped("tsp_greedy.py"), program(FLOOR), program(FLOOR), program("print(0)")]
        _, found = self.score(*given)
        done = run("eval", "-", "--json", "--bootstrap", "0", stdin=lines(*found))
        self.assertEqual(done.returncode, 0, done.stderr)
        (programs,) = json.loads(done.stdout)["programs"]
        self.assertEqual((programs["task"], programs["level"], programs["rows"]), ("tsp", "easy", 4))
        self.assertEqual(programs["valid"], 0.75)
        self.assertAlmostEqual(programs["pair_collision"], 1 / 6)
        self.assertEqual(programs["collapsed"], 0)
        best = [min(row["objectives"][k] for row in found[:3]) for k in range(3)]
        self.assertAlmostEqual(programs["best"], sum(best) / 3)
        self.assertIn("programs of", run("eval", "-", stdin=lines(*found)).stdout)

    def test_an_isolation_level_that_is_not_there_makes_error_rows(self):
        done = run("score", "-", "--isolation", "nowhere", stdin=lines(ANSWER, program(FLOOR)))
        self.assertEqual(done.returncode, 1)
        self.assertEqual(rows(done)[1]["error"]["field"], "isolation")
        self.assertEqual(rows(done)[0]["code"], "wrong_length")


if __name__ == "__main__":
    unittest.main()
