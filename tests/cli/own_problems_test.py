"""Rows whose problem is a user's own folder: generated, judged, ranked, explained, and refused where the folder is at fault.

Tests that run programs are skipped by name where `optgap sandbox` finds no isolation level, unless OPTGAP_REQUIRE has it.
"""

import json
import os
import pathlib
import shutil
import subprocess
import tarfile
import tempfile
import unittest

from optgap_process import BINARY, lines, rows, run

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PARCELS = ROOT / "examples/problems/parcels"
HELD = subprocess.run([BINARY, "sandbox", "--json"], capture_output=True, text=True, timeout=120).returncode == 0
REQUIRED = "sandbox" in os.environ.get("OPTGAP_REQUIRE", "").split()
needs_sandbox = unittest.skipUnless(
    HELD or REQUIRED, "SKIPPED: optgap sandbox finds no isolation level that holds programs"
)

ALONE = "n, c = map(int, input().split())\nprint(*range(n))"
ONE_VAN = "n, c = map(int, input().split())\nprint(*[0] * n)"
REFERENCE = (PARCELS / "reference.py").read_text()


def row(source, problem=PARCELS, language="python", **more):
    return {"problem": str(problem), "language": language, "completion": f"```{language}\n{source}\n```", **more}


def scored(*asked, options=()):
    return run("score", "-", "--isolation", "auto", *options, stdin=lines(*asked))


class Folder(unittest.TestCase):
    """A copy of the example that a test may change."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name) / "parcels"
        shutil.copytree(PARCELS, self.folder)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def refusal(self, *asked):
        done = scored(*(asked or [row(ALONE, self.folder)]))
        self.assertEqual(done.returncode, 1, done.stderr)
        error = rows(done)[-1]["error"]
        self.assertNotIn("reward", rows(done)[-1])
        return json.dumps(error)

    def settings(self, text):
        self.write("problem.toml", text)


@needs_sandbox
class Scoring(Folder):
    def test_programs_are_judged_on_generated_inputs_against_the_reference(self):
        done = scored(row(REFERENCE), row(ALONE), row(ONE_VAN))
        self.assertEqual(done.returncode, 0, done.stderr)
        same, alone, heavy = rows(done)
        self.assertEqual((same["codes"], same["valid"], same["quality"]), (["ok"] * 5, 1, 1))
        self.assertEqual(same["objectives"], [b["objective"] for b in same["baselines"]])
        self.assertEqual(alone["valid"], 1)
        self.assertLess(alone["quality"], same["quality"])
        self.assertEqual((heavy["codes"], heavy["objectives"]), (["judged_wrong"] * 5, [None] * 5))
        self.assertEqual(same["program"]["sense"], "minimise")
        self.assertEqual(rows(scored(row(ALONE), row(ALONE)))[0]["objectives"], alone["objectives"])

    def test_the_rows_of_the_page_earn_what_they_are_named_for(self):
        asked = [json.loads(line) for line in (ROOT / "examples/problems/rows.jsonl").read_text().splitlines()]
        done = scored(*({**one, "problem": str(ROOT / one["problem"])} for one in asked), options=["--matrix"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([found["valid"] for found in rows(done)], [1, 1, 0, 0])

    def test_seeds_name_the_instances_and_rows_of_one_problem_are_a_group(self):
        asked = [row(text, seeds=[7, 8]) for text in (REFERENCE, ALONE, ONE_VAN, ALONE)]
        done = scored(*asked, options=("--advantage", "river", "--matrix"))
        self.assertEqual(done.returncode, 0, done.stderr)
        found = rows(done)
        self.assertEqual([len(each["codes"]) for each in found], [2] * 4)
        self.assertEqual(max(found, key=lambda each: each["advantage"]), found[0])
        self.assertEqual(min(found, key=lambda each: each["advantage"]), found[2])
        self.assertEqual(found[0]["sense"], "minimise")

    def test_an_evaluation_has_the_problem_as_a_task(self):
        done = scored(row(REFERENCE), row(ALONE))
        again = run("eval", "-", "--json", stdin=done.stdout)
        self.assertEqual(again.returncode, 0, again.stderr)
        table = json.loads(again.stdout)["programs"][0]
        self.assertEqual((table["task"], table["rows"], table["valid"]), ("parcels", 2, 1))

    def test_the_digest_that_a_row_names_is_checked(self):
        digest = rows(scored(row(ALONE)))[0]["program"]["problem"]
        self.assertEqual(scored(row(ALONE, f"{self.folder}@{digest[:12]}")).returncode, 0)
        self.write("judge.py", "print('score 1')")
        self.assertIn("another problem", self.refusal(row(ALONE, f"{self.folder}@{digest}")))

    def test_explain_has_the_judges_words(self):
        done = run("explain", "-", "--row", "1", "--isolation", "auto", stdin=lines(row(ONE_VAN)))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("a van is too heavy", done.stdout)

    def test_tests_are_instances_and_outputs_are_compared_by_tokens_or_lines(self):
        self.settings('tests = "tests"\n')
        self.write("tests/a.in", "1 2\n")
        self.write("tests/a.out", "3\n")
        self.write("tests/b.in", "5 6\n")
        self.write("tests/b.out", "11\n")
        add = "print('', sum(map(int, input().split())), '')"
        done = scored(row(add, self.folder), row("print(3)", self.folder))
        self.assertEqual(done.returncode, 0, done.stderr)
        right, half = rows(done)
        self.assertEqual((right["codes"], right["optimal"]), (["ok", "ok"], 1))
        self.assertEqual(half["codes"], ["ok", "judged_wrong"])
        self.settings('tests = "tests"\ncompare = "lines"\n')
        self.assertEqual(rows(scored(row(add, self.folder)))[0]["codes"], ["judged_wrong"] * 2)

    def test_decimal_scores_are_exact(self):
        self.settings(
            'direction = "max"\ndecimals = 2\ninstances = 1\ngenerator = "generator.py"\njudge = "judge.py"\n'
        )
        self.write("judge.py", "print('score 1.5')")
        self.assertEqual(rows(scored(row(ALONE, self.folder)))[0]["objectives"], [150])

    def test_the_authors_faults_are_named_and_reject_the_row(self):
        self.write("generator.py", "raise ValueError('no seed')")
        self.assertIn("generator.py ended with run_exit 1: ValueError: no seed", self.refusal())
        shutil.copy(PARCELS / "generator.py", self.folder)
        for judge, expected in (
            ("print('score high')", "expected `score NUMBER`"),
            ("print('score -1')", "expected `score NUMBER`"),
            ("print(1)\nprint('score 1')", "expected `score NUMBER`"),
            ("while True: pass", "judge.py ended with run_time"),
            ("def", "judge.py does not compile"),
        ):
            self.write("judge.py", judge)
            self.assertIn(expected, self.refusal(row(ALONE, self.folder, seeds=[1])))
        shutil.copy(PARCELS / "judge.py", self.folder)
        self.write("reference.py", "print(0)")
        self.assertIn("reference.py is not valid on the instance 1: expected", self.refusal())

    def test_a_broken_problem_costs_its_neighbours_nothing(self):
        self.write("judge.py", "print('score high')")
        done = scored(row(ALONE, self.folder, seeds=[1]), row(ALONE, seeds=[1]))
        self.assertEqual([("error" in each) for each in rows(done)], [True, False])

    def fragile_judge(self):
        judge = (PARCELS / "judge.py").read_text()
        self.write(
            "judge.py", judge.replace("count, capacity", "assert printed[:1] != [b'x'], 'no number'\ncount, capacity")
        )

    def test_an_output_that_breaks_its_judge_is_a_bad_one(self):
        self.fragile_judge()
        asked = [row(source, self.folder, seeds=[1]) for source in ("print('x')", ALONE, "print('x')", REFERENCE)]
        done = scored(*asked, options=("--advantage", "river"))
        self.assertEqual(done.returncode, 0, done.stderr)
        broken, sound, again, best = rows(done)
        self.assertEqual((broken["codes"], broken["objectives"]), (["judge_failed"], [None]))
        self.assertEqual([broken["reward"], broken["advantage"]], [again["reward"], again["advantage"]])
        self.assertLess(broken["advantage"], sound["advantage"])
        self.assertEqual((sound["codes"], best["codes"]), (["ok"], ["ok"]))
        self.assertNotIn("lost a run to the machine", done.stderr)
        shown = run("explain", "-", "--row", "1", "--isolation", "auto", stdin=lines(asked[0]))
        self.assertIn("AssertionError: no number", shown.stdout)

    def test_without_a_reference_the_judge_is_tried_on_an_empty_output(self):
        self.fragile_judge()
        toml = (self.folder / "problem.toml").read_text().splitlines(keepends=True)
        self.settings("".join(line for line in toml if not line.startswith(("reference", "floor"))))
        self.assertEqual(rows(scored(row("print('x')", self.folder, seeds=[1])))[0]["codes"], ["judge_failed"])
        self.write("judge.py", "raise SystemExit(3)")
        self.assertIn("judge.py ended with run_exit 3", self.refusal(row("print('x')", self.folder, seeds=[1])))

    def test_the_floor_is_where_quality_begins(self):
        done = scored(row(ALONE), row(REFERENCE))
        plain, best = rows(done)
        self.assertEqual((plain["normalized"], best["normalized"]), (0, 1))
        self.assertEqual([one["floor"] for one in plain["baselines"]], plain["objectives"])

    def test_a_program_may_start_its_main_function_in_a_thread_with_a_larger_stack(self):
        body = "".join(f"    {line}\n" for line in ALONE.splitlines())
        threaded = (
            "import resource, sys, threading\n"
            "resource.setrlimit(resource.RLIMIT_STACK, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))\n"
            f"sys.setrecursionlimit(10**6)\nthreading.stack_size(1 << 27)\ndef main():\n{body}"
            "one = threading.Thread(target=main)\none.start()\none.join()\nprint(end='' if not one.is_alive() else 'x')\n"
        )
        raised = "import resource\nresource.setrlimit(resource.RLIMIT_CPU, (9999, 9999))\n" + ALONE
        found = rows(scored(row(threaded, seeds=[1]), row(raised, seeds=[1])))
        self.assertEqual([one["codes"] for one in found], [["ok"], ["run_exit"]])

    def test_the_lenient_format_reads_a_block_without_a_tag_and_text_behind_it(self):
        asked = row(ALONE, seeds=[1])
        asked["completion"] = f"```\n{ALONE}\n```\nThat is all."
        found = rows(scored(asked, {**asked, "format": "program_lenient"}, {**asked, "format": "program_strict"}))
        codes = [one["codes"][0] for one in found]
        self.assertEqual(codes, ["program_language", "ok", "program_language"])

    def test_rows_of_a_problem_that_changed_meanwhile_are_not_mixed(self):
        first = rows(scored(row(ALONE, self.folder, seeds=[1])))
        self.write("note.txt", "another digest")
        second = rows(scored(row(ALONE, self.folder, seeds=[1])))
        mixed = run("eval", "-", stdin=lines(*first, *second))
        self.assertEqual(mixed.returncode, 2)
        self.assertIn("--allow-drift", mixed.stderr)
        self.assertEqual(run("eval", "-", "--allow-drift", stdin=lines(*first, *second)).returncode, 0)

    def test_an_archive_is_the_same_problem_as_its_folder(self):
        archive = self.folder.parent / "parcels.tar"
        packed = run("problem", "pack", str(self.folder), "-o", str(archive))
        self.assertEqual(packed.returncode, 0, packed.stderr)
        content, name = archive.read_bytes(), packed.stdout.strip()
        os.utime(self.folder / "judge.py", (1, 1))
        run("problem", "pack", str(self.folder), "-o", str(archive))
        self.assertEqual(archive.read_bytes(), content)
        with tarfile.open(archive) as opened:
            self.assertEqual(opened.getnames(), sorted(os.listdir(PARCELS)))
        asked = [row(text, where) for where in (name, self.folder) for text in (ALONE, REFERENCE)]
        one, best, other, again = rows(scored(*asked))
        self.assertEqual((one["program"], one["objectives"]), (other["program"], other["objectives"]))
        self.assertEqual((one["advantage"], best["advantage"]), (other["advantage"], again["advantage"]))

    def test_programs_do_not_trick_the_judge(self):
        folder = str(self.folder)
        hostile = {
            "a score in place of an answer": "print('score 0')",
            "a verdict behind the answer": ALONE + "\nprint('score 0')",
            "the judge's file": f"print(open({folder!r} + '/judge.py').read())",
            "a flood": "while True: print('0' * 100000)",
            "processes": "import os\nwhile True: os.fork()",
            "numbers without end": "print(*['9' * 100000] * 9)",
            "sizes of another text": "print('0 0 0')",
        }
        done = scored(*[row(source, self.folder, seeds=[1]) for source in hostile.values()], row(ALONE, seeds=[1]))
        self.assertEqual(done.returncode, 0, done.stderr)
        *tried, sound = rows(done)
        for name, found in zip(hostile, tried):
            self.assertEqual((found["valid"], found["objectives"]), (0, [None]), (name, found))
        self.assertEqual(sound["codes"], ["ok"])


class Reading(Folder):
    def test_settings_and_files_are_refused_by_name(self):
        generated = 'direction = "max"\ngenerator = "generator.py"\njudge = "judge.py"\n'
        for text, expected in (
            ("", "expected a `generator` and a `judge`"),
            (generated.replace("max", "up"), "direction = up: expected max or min"),
            (generated.replace('direction = "max"\n', ""), "direction is missing"),
            (generated + 'judje = "x"', "judje is no setting"),
            (generated + "instances = 0", "instances must be an integer, 1 to 1000"),
            (generated + 'reference = "none.py"', "names none.py, which the problem does not hold"),
            (generated + 'reference = "statement.md"', "expected a file that ends in .py or .cpp"),
            (generated + "instances", "line 4: expected `key = value`"),
            (generated + 'limits = "x', "line 4: the string has no end"),
            (generated + 'limits = "endless"', "problem.toml: "),
            ('tests = "tests"', "expected 1 to 1000"),
        ):
            self.settings(text)
            self.assertIn(expected, self.refusal(), text)

    def test_paths_that_are_no_problem_are_refused(self):
        for path, expected in (
            (self.folder / "none", "is no folder and no archive;"),
            (self.folder / "judge.py", "is no archive of a problem"),
            ("/dev/zero", "is no folder and no archive;"),
            (self.folder.parent, "holds no problem.toml"),
            (f"{self.folder}@short", "8 to 32 hex digits"),
        ):
            self.assertIn(expected, self.refusal(row(ALONE, path)), path)
        (self.folder / "link").symlink_to("/etc/passwd")
        self.assertIn("is no regular file", self.refusal())

    def test_damaged_archives_are_refused(self):
        archive = self.folder.parent / "parcels.tar"
        run("problem", "pack", str(self.folder), "-o", str(archive))
        sound = archive.read_bytes()
        for content, expected in (
            (sound[:-1024], "it is cut off"),
            (sound[:600], "it is cut off"),
            (b"x" + sound[1:], "it is damaged"),
            (b"", "it is cut off"),
            (sound[:1024] + sound, "it holds a name twice"),
        ):
            archive.write_bytes(content)
            self.assertIn(expected, self.refusal(row(ALONE, archive)))
        with tarfile.open(archive, "w", format=tarfile.USTAR_FORMAT) as made:
            made.add(self.folder / "judge.py", "../judge.py")
        self.assertIn("leaves the problem", self.refusal(row(ALONE, archive)))

    def test_seeds_and_inputs_that_do_not_fit_are_refused(self):
        for more, expected in (
            ({"seeds": []}, "must be a list of 1 to 1000 integers"),
            ({"seeds": [-1]}, "must be a list of 1 to 1000 integers"),
            ({"seeds": "1"}, "must be a list of 1 to 1000 integers"),
            ({"input": "plain"}, "generator writes what a program reads"),
            ({"interface": "solve"}, "generator writes what a program reads"),
        ):
            self.assertIn(expected, self.refusal(row(ALONE, **more)), more)

    def test_nothing_runs_unless_asked(self):
        done = run("score", "-", stdin=lines(row(ALONE)))
        self.assertEqual(done.returncode, 1)
        self.assertIn("nothing is run unless asked", rows(done)[0]["error"]["rule"])

    def test_a_text_named_problem_in_other_rows_is_none(self):
        answer = {"key": "tsp@1:train:easy:1", "problem": "What is 1 + 1?", "language": "en", "completion": "x"}
        self.assertEqual(run("score", "-", stdin=lines(answer)).returncode, 0)


if __name__ == "__main__":
    unittest.main()
