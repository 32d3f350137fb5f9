"""Stores of baselines changed by a disk or by hand, and other files: named, and never read for a baseline."""

import json
import os
import pathlib
import random
import shutil
import sqlite3
import unittest

from optgap_process import TSP4, lines, run
from store_test import Case


class Forgeries(Case):
    def forged(self, change, digests=True):
        path = self.fill("forged.db")
        self.change(path, change, digests)
        return path

    def verify(self, words, change, digests=False):
        ended = self.done("store", "verify", self.forged(change, digests), code=1)
        self.assertIn(words, ended.stderr)
        self.assertIn(", 2 wrong;", ended.stdout)  # seed 3 of either task
        os.unlink(self.path("forged.db"))

    def test_a_changed_value_of_any_column_is_found_by_its_digest(self):
        columns = (
            "tried steps budget bound_steps bound_budget floor greedy published status objective bound "
            "solver engine bound_solver bound_engine bound_kind answer hash digest"
        )
        texts = ("solver", "engine", "bound_solver", "bound_engine", "bound_kind")
        store = self.fill("whole.db", spec="tsp:easy:test:0-7")
        for column in columns.split():
            value = f"{column} || 'x'" if column in texts else f"coalesce({column}, 0) + 1"
            if column in ("answer", "hash", "digest"):
                value = f"zeroblob(length({column}))"
            changed = self.path(f"{column}.db")
            shutil.copy(store, changed)
            self.change(changed, f"UPDATE baselines SET {column}={value} WHERE seed=3")
            ended = self.done("store", "verify", changed, code=1)
            self.assertRegex(ended.stderr, r"tsp@\d+:test:easy:3#\w+: the row is not what was written", column)
            self.assertIn("8 rows verified, 1 wrong", ended.stdout)
            self.named("tsp@", "store", "export", changed)

    def test_a_users_own_instance_is_held_against_its_digest(self):
        row = {"task": "tsp", "instance": TSP4, "name": "square"}
        path = self.path("own.db")
        self.done("recompute", "--store", path, "--in", "-", stdin=lines(row))
        self.done("store", "verify", path)
        self.change(path, "UPDATE instances SET name='round'")
        self.assertIn("its instance is not what was written", self.done("store", "verify", path, code=1).stderr)

    def test_a_damaged_row_of_a_snapshot_costs_its_own_rollouts_alone(self):
        frozen = self.path("frozen.db")
        self.done("store", "snapshot", self.fill("whole.db", spec="tsp:easy:test:0-7"), "-o", frozen)
        rows = "".join(
            json.dumps({"key": f"tsp@1:test:easy:{seed}", "completion": "<think></think><answer>[0]</answer>"}) + "\n"
            for seed in (2, 3, 3, 4)
        )
        whole = self.done("score", "-", "--baselines", frozen, stdin=rows)
        os.chmod(frozen, 0o644)
        self.change(frozen, "UPDATE baselines SET floor=floor-1 WHERE seed=3")
        ended = self.done("score", "-", "--baselines", frozen, stdin=rows, code=1)
        got, expected = ended.stdout.splitlines(), whole.stdout.splitlines()
        self.assertEqual(
            [json.loads(got[k])["reward"] for k in (0, 3)], [json.loads(expected[k])["reward"] for k in (0, 3)]
        )
        for line in got[1:3]:
            wrong = json.loads(line)["error"]
            self.assertEqual(wrong["field"], "baselines")
            self.assertIn("tsp@1:test:easy:3#", wrong["rule"])
            self.assertIn("store verify", wrong["rule"])

    def test_a_flipped_bit_is_found_or_changes_nothing(self):
        frozen = pathlib.Path(self.path("frozen.db"))
        self.done("store", "snapshot", self.fill("whole.db", spec="tsp:easy:test:0-39"), "-o", str(frozen))
        whole, expected = frozen.read_bytes(), self.export(str(frozen))
        draw = random.Random(5)
        found = 0
        for _ in range(40):
            bit = draw.randrange(8 * len(whole))
            spoiled = bytearray(whole)
            spoiled[bit // 8] ^= 1 << bit % 8
            path = self.path("spoiled.db")
            pathlib.Path(path).write_bytes(spoiled)
            verified = run("store", "verify", path)
            self.assertIn(verified.returncode, (0, 1, 3), verified.stderr)
            if verified.returncode == 0:
                self.assertEqual(self.export(path), expected, f"bit {bit}")
            else:
                found += 1
                self.assertIn("spoiled.db" if verified.returncode == 3 else "wrong", verified.stdout + verified.stderr)
        self.assertGreater(found, 10)

    def test_a_store_without_digests_is_read_and_becomes_one_with_them(self):
        old = self.fill("old.db", spec="tsp:easy:test:0-7")
        before = self.export(old)
        self.change(old, "SELECT 1", digests=False)
        self.assertEqual(self.export(old), before)
        self.assertIn("no digests", self.done("store", "verify", old).stderr)
        self.named("store merge NEW.db", "recompute", "--store", old, "--spec", "tsp:easy:test:8")
        new = self.path("new.db")
        self.done("store", "merge", new, old)
        self.assertEqual(self.export(new), before)
        self.assertNotIn("no digests", self.done("store", "verify", new).stderr)

    def test_what_is_forged_is_found(self):
        self.verify("not what was written", "UPDATE baselines SET objective=objective+1 WHERE seed=3", digests=True)
        self.verify("but its answer is worth", "UPDATE baselines SET objective=objective+1, status=1 WHERE seed=3")
        self.verify("its hash is not that of its instance", "UPDATE baselines SET hash=zeroblob(16) WHERE seed=3")
        self.verify("better than the bound", "UPDATE baselines SET bound=objective+1, status=1 WHERE seed=3")
        self.verify("not what was written", "UPDATE baselines SET status=2, bound=objective-1 WHERE seed=3")
        self.verify("not feasible", "UPDATE baselines SET answer=x'0100' WHERE seed=3")

    def test_what_is_no_store_is_named(self):
        self.named("schema 9", "store", "info", self.forged("PRAGMA user_version=9"))
        text = self.here / "text.db"
        text.write_text("key,objective\n" * 50, encoding="utf-8")
        self.named("no SQLite file", "store", "info", str(text))
        sqlite3.connect(self.path("other.db")).execute("CREATE TABLE t (a)").connection.commit()
        self.named("no store of baselines", "store", "info", self.path("other.db"))
        cut = self.fill("cut.db")
        os.truncate(cut, 8192)
        self.named("cut.db", "store", "verify", cut)
        (self.here / "empty").mkdir()
        self.named("without a store", "store", "info", self.path("empty"))
        for words, spec in (
            ("four parts", "tsp:easy:0-9"),
            ("another part names", "tsp:easy:test:0-9,tsp:test:easy:9"),
            ("no seeds", "tsp:easy:test:9-0"),
            ("not a level", "tsp:test:hardest:0-9"),
        ):
            self.named(words, "recompute", "--store", self.path("x.db"), "--spec", spec, code=2)


if __name__ == "__main__":
    unittest.main()
