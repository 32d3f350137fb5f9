"""Scoring from a snapshot of a store: it gives the results of solving, its hash is in the fingerprint, and unusable
snapshots are named."""

import json
import pathlib
import shutil

from optgap_process import KNAPSACK4, TSP4, forge, lines, rows
from program_rows_test import FLOOR, needs_sandbox, program
from store_test import Case

SPEC = "tsp:hard:val:0-7,coloring:easy:val:0-7"
KEYS = [f"tsp@1:val:hard:{seed}" for seed in range(8)] + [f"coloring@1:val:easy:{seed}" for seed in range(8)]
OWN = [{"task": "tsp", "instance": TSP4}, {"task": "knapsack", "instance": KNAPSACK4}]


class Scoring(Case):
    def frozen(self, name="a", *arguments, spec=SPEC):
        path = self.path(f"{name}.db")
        self.done("recompute", "--store", path, "--spec", spec, *arguments)
        frozen = self.path(f"{name}-frozen.db")
        self.done("store", "snapshot", path, "-o", frozen)
        return frozen

    def content(self, path):
        return {row["key"].split("#")[0]: row for row in map(json.loads, self.export(path).splitlines())}

    def rollouts(self, keys=KEYS):
        """Two answers per instance: the best answer of a short search, and nonsense."""
        found = rows(self.done("solve", "-", "--budget", "60", stdin=lines(*({"key": key} for key in keys))))
        return lines(
            *(
                {"key": key, "completion": forge(text)}
                for key, row in zip(keys, found, strict=True)
                for text in (json.dumps(row["answer"]), "[0]")
            )
        )

    def score(self, given, *arguments, verb="score", code=0):
        ended = self.done(verb, "-", *arguments, stdin=given, code=code)
        return rows(ended), ended.stderr

    def opened(self, frozen, name, change, digests=False):
        """A modified copy of a snapshot."""
        path = self.path(name)
        shutil.copyfile(frozen, path)
        self.change(path, change, digests)
        return path

    def test_a_snapshot_rewards_what_solving_rewards(self):
        given = self.rollouts()
        solved, _ = self.score(given)
        frozen = self.frozen()
        rewarded, said = self.score(given, "--baselines", frozen)
        content = json.loads(self.done("store", "info", frozen, "--json").stdout)["content"]
        self.assertIn(f"(content {content[:8]}): 16 baselines, 0 solved", said)
        self.assertNotIn("passed over", said)
        marks = {row.pop("fingerprint") for row in solved}, {row.pop("fingerprint") for row in rewarded}
        self.assertEqual(solved, rewarded)
        self.assertEqual([len(mark) for mark in marks], [1, 1])
        before, now = marks[0].pop(), marks[1].pop()
        self.assertEqual(before[:13], now[:13])
        self.assertNotEqual(before[13:], now[13:], "the part that names the baselines")
        other = self.frozen("b", spec=SPEC.replace("0-7", "0-8"))
        self.assertNotEqual(self.score(given, "--baselines", other)[0][0]["fingerprint"], now)

    def test_first_the_row_then_the_snapshot_then_a_proof(self):
        weak = self.frozen("weak", "--budget", "0", spec="tsp:hard:val:0-3")
        known = self.content(weak)
        self.assertFalse(any(row["proven"] for row in known.values()))
        given = [json.loads(line) for line in self.rollouts(KEYS[:6]).splitlines()]
        given[0]["baseline"] = {"objective": 1, "bound": 1, "proven": True}
        made, said = self.score(lines(*given), "--baselines", weak)
        self.assertIn("4 baselines, 2 solved", said)
        wanted = [row["baseline"] for row in rows(self.done("score", "-", stdin=lines(*given)))]
        self.assertEqual(made[0]["baseline"], wanted[0], "the row's own")
        for place, row in enumerate(made[1:], 1):
            seed = place // 2
            if seed < 4:
                of = known[KEYS[seed]]
                self.assertEqual(
                    (row["baseline"]["objective"], row["baseline"]["bound"], row["baseline_kind"]),
                    (of["objective"], of["bound"], "bounded"),
                )
            else:
                self.assertEqual(row["baseline"], wanted[place], "solved")

    def test_a_users_own_instances_are_found_by_their_words(self):
        source = self.here / "rows.jsonl"
        source.write_text(lines(*OWN, {"key": KEYS[0]}), encoding="utf-8")
        self.done("recompute", "--store", self.path("own.db"), "--in", str(source), "--budget", "0")
        frozen = self.done("store", "snapshot", self.path("own.db")).stdout.strip()
        given = lines(
            *({**row, "completion": forge("[0, 1, 2, 3]")} for row in OWN), {"key": KEYS[0], "completion": forge("[0]")}
        )
        made, said = self.score(given, "--baselines", frozen)
        self.assertIn("3 baselines, 0 solved", said)
        for row, of in zip(made, ("tsp", "knapsack", "tsp"), strict=True):
            self.assertIn(
                row["baseline"]["objective"],
                [known["objective"] for key, known in self.content(frozen).items() if key.startswith(of)],
            )

    def test_rescore_and_eval_take_it_too(self):
        frozen, given = self.frozen(), self.rollouts()
        scored = self.done("score", "-", stdin=given).stdout
        again, said = self.score(scored, "--baselines", frozen, verb="rescore")
        self.assertIn("0 rewards changed", said)
        self.assertIn("other baseline", said)
        self.assertEqual({row["delta"] for row in again}, {0})
        weak = self.frozen("weak", "--budget", "0")
        told = [
            self.done("eval", "-", "--json", "--bootstrap", "0", *more, stdin=given).stdout
            for more in ((), ("--baselines", frozen), ("--baselines", weak))
        ]
        self.assertEqual(told[0], told[1])
        self.assertNotEqual(told[0], told[2])

    @needs_sandbox
    def test_programs_are_measured_against_it(self):
        weak = self.frozen("weak", "--budget", "0", spec="tsp:hard:val:0-1")
        known = [row["objective"] for row in self.content(weak).values()]
        made, said = self.score(
            lines(program(FLOOR, key="tsp@1:val:hard:0*3")), "--isolation", "auto", "--baselines", weak
        )
        self.assertIn("2 baselines, 1 solved", said)
        self.assertEqual([of["objective"] for of in made[0]["baselines"]][:2], known)
        self.assertEqual([of["proven"] for of in made[0]["baselines"]], [False, False, True])

    def test_what_is_no_snapshot_is_refused_with_the_command_that_makes_one(self):
        given, frozen = self.rollouts(KEYS[:1]), self.frozen()
        for path, words in (
            (self.path("a.db"), f"optgap store snapshot {self.path('a.db')}"),
            (str(self.here), f"optgap store snapshot {self.here}"),
            (self.path("none.db"), "none.db"),
        ):
            self.assertIn(words, self.score(given, "--baselines", path, code=3)[1])
        text = self.here / "text.db"
        text.write_text("key,objective\n" * 50, encoding="utf-8")
        self.assertIn("no SQLite file", self.score(given, "--baselines", str(text), code=3)[1])
        cut = self.opened(frozen, "schema.db", "PRAGMA user_version=9", digests=True)
        self.assertIn("schema 9", self.score(given, "--baselines", cut, code=3)[1])

    def test_rows_of_other_versions_are_passed_over_and_counted(self):
        frozen, given = self.frozen("a", "--budget", "0"), self.rollouts()
        solved, _ = self.score(given)
        old = self.opened(frozen, "old.db", "UPDATE baselines SET engine='0.0.9' WHERE task='tsp' AND seed < 3")
        made, said = self.score(given, "--baselines", old)
        self.assertIn("13 baselines, 3 solved; 3 rows passed over, made by engine 0.0.9", said)
        self.assertEqual([row["baseline"] for row in made[:6]], [row["baseline"] for row in solved[:6]])
        later = self.opened(frozen, "later.db", "UPDATE baselines SET version=9 WHERE task='coloring'")
        made, said = self.score(given, "--baselines", later)
        self.assertIn("8 baselines, 8 solved; 8 rows passed over, of coloring@9", said)
        self.assertEqual([row["baseline"] for row in made[16:]], [row["baseline"] for row in solved[16:]])
        forged = self.opened(frozen, "forged.db", "UPDATE baselines SET hash=zeroblob(16) WHERE seed=3")
        made, _ = self.score(given, "--baselines", forged, code=1)
        wrong = [row["error"] for row in made if "error" in row]
        self.assertEqual([error["field"] for error in wrong], ["baselines"] * 4)
        self.assertIn("where the key's is", wrong[0]["rule"])


class Origins(Case):
    def test_an_answer_from_a_file_of_improved_baselines_keeps_its_origin(self):
        key = "tsp@1:val:hard:5"
        path, box = self.path("a.db"), self.path("box.jsonl")
        self.done("recompute", "--store", path, "--spec", "tsp:hard:val:5", "--budget", "0")
        greedy = json.loads(self.export(path))
        self.assertEqual((greedy["solver"], greedy["proven"]), ("exact", False))
        frozen = self.done("store", "snapshot", path).stdout.strip()
        best = json.loads(self.done("solve", "-", stdin=lines({"key": key})).stdout)
        self.assertLess(best["objective"], greedy["objective"])
        self.done(
            "score",
            "-",
            "--baselines",
            frozen,
            "--improved",
            box,
            stdin=lines({"key": key, "completion": forge(json.dumps(best["answer"]))}),
        )
        self.done("store", "take-improved", path, box)
        taken = json.loads(self.export(path))
        self.assertEqual(
            (taken["objective"], taken["solver"], taken["steps"], taken["budget"]),
            (best["objective"], "improved", 0, 0),
        )
        self.assertEqual((taken["bound"], taken["bound_kind"]), (greedy["bound"], greedy["bound_kind"]))
        # Repeating it, a proof of it, or a merge does not make it our own.
        self.done("store", "take-improved", path, box)
        self.done("recompute", "--store", path, "--spec", "tsp:hard:val:5", "--budget", "0", "--only", "all")
        self.assertEqual(json.loads(self.export(path)), taken)
        self.done("recompute", "--store", path, "--spec", "tsp:hard:val:5")
        proven = json.loads(self.export(path))
        self.assertTrue(proven["proven"])
        self.assertEqual((proven["solver"], proven["answer"]), ("improved", taken["answer"]))
        self.done("store", "merge", self.path("m.db"), frozen, path, frozen)
        self.assertEqual(json.loads(self.export(self.path("m.db"))), proven)
        self.assertEqual(pathlib.Path(box).read_text(encoding="utf-8").count("\n"), 1)


if __name__ == "__main__":
    import unittest

    unittest.main()
