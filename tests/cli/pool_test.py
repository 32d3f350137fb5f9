"""The pool of co-evolution: commands for new entries, reference weights and draws, kills, ranks, forgeries.

OPTGAP_LONG=1 python3 tests/cli/pool_test.py Kills    the long form: 50 kills"""

import json
import os
import pathlib
import random
import sqlite3
import subprocess
import tempfile
import time
import unittest

from optgap_process import BINARY, KNAPSACK4, TSP4, forge, lines, rows, run

LONG = os.environ.get("OPTGAP_LONG") == "1"
WHOLE = 1 << 20
POLICIES = ("uniform", "step", "max_new", "half_new", "signal", "regret", "band", "frontier")


def philox(key, counter):
    """Philox4x32-10 from its paper."""
    words, key = list(counter), [key & 0xFFFFFFFF, key >> 32]
    for _ in range(10):
        a, b = words[0] * 0xD2511F53, words[2] * 0xCD9E8D57
        words = [(b >> 32) ^ words[1] ^ key[0], b & 0xFFFFFFFF, (a >> 32) ^ words[3] ^ key[1], a & 0xFFFFFFFF]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return words


def weight(policy, one, everyone, now, window):
    """From the definitions, one entry at a time."""

    def is_new(other):
        return other["born"] >= now - window

    last = one["born"] if one["seen"] is None else max(one["born"], one["seen"])
    stale = min(now - last, 64) * WHOLE // 64
    n, s, q = one["attempts"] + 4, one["quality"] + 2 * WHOLE, one["quality_sq"] + 2 * WHOLE * WHOLE
    if policy == "uniform":
        return 1
    if policy == "step":
        return one["born"] + 1
    if policy == "max_new":
        return int(is_new(one))
    if policy == "half_new":
        return sum(is_new(other) != is_new(one) for other in everyone)
    if policy == "signal":
        return min(WHOLE, 4 * (n * q - s * s) // (n * (n - 1)) // WHOLE) + stale
    if policy == "regret":
        return WHOLE - s // n + stale
    if policy == "band":
        return int(
            one["attempts"] == 0 or 3 * WHOLE * one["attempts"] <= 10 * one["quality"] <= 8 * WHOLE * one["attempts"]
        )
    return int(one["solved"] == 0)


class Case(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.here = pathlib.Path(self.scratch.name)

    def tearDown(self):
        self.scratch.cleanup()

    def path(self, name):
        return str(self.here / name)

    def done(self, *arguments, code=0, **how):
        ended = run(*arguments, **how)
        self.assertEqual(ended.returncode, code, ended.stderr)
        return ended

    def named(self, words, *arguments, code=3, **how):
        self.assertIn(words, self.done(*arguments, code=code, **how).stderr)

    def instances(self, *words):
        return self.done("generate", *words).stdout

    def fill(self, name, *words):
        """A pool of generated instances."""
        made = self.instances(*(words or "tsp knapsack clique --level d3 --count 4".split()))
        self.done("pool", "add", self.path(name), "-", stdin=made)
        return self.path(name)

    def hash(self, path):
        return self.done("pool", "hash", path).stdout.strip()

    def info(self, path):
        return json.loads(self.done("pool", "stats", path, "--json").stdout)

    def scored(self, path, count, *options):
        """Draws, every other one answered with its optimum, as `score` writes them."""
        drawn = rows(self.done("pool", "sample", path, "--count", str(count), *options))
        solved = rows(self.done("solve", "-", stdin=lines(*drawn)))
        for place, (row, answer) in enumerate(zip(drawn, solved)):
            row["completion"] = forge(json.dumps(answer["answer"]) if place % 2 else "[0,1,2,3,4]")
        return self.done("score", "-", stdin=lines(*drawn)).stdout


class Loop(Case):
    def test_two_commands_fill_a_pool_and_draw_from_it(self):
        path = self.fill("a.db")
        drawn = rows(self.done("pool", "sample", path, "--count", "5", "--prompts"))
        self.assertEqual(len(drawn), 5)
        for row in drawn:
            self.assertTrue(row["key"].startswith(row["task"] + "@1:x:"))
            self.assertNotIn("answer", row)
            self.assertIn("<answer>", row["prompt"])
        self.assertEqual(self.info(path)["entries"], 12)

    def test_what_the_pool_has_under_any_labels_is_a_duplicate(self):
        path = self.fill("a.db")
        text = self.instances("tsp", "knapsack", "--level", "d3", "--count", "6")
        twins = [
            {name: row[name] for name in ("task", "instance")} for row in rows(self.done("relabel", "-", stdin=text))
        ]
        other = {"task": "tsp", "instance": TSP4}
        found = rows(self.done("pool", "add", path, "-", stdin=lines(*twins, other, other, {"task": "tsp"}), code=1))
        codes = [row.get("code", row.get("error", {}).get("field")) for row in found]
        self.assertEqual(codes, (["duplicate"] * 4 + ["ok"] * 2) * 2 + ["ok", "duplicate", "instance"])
        first = {
            row["entry"] for row in rows(self.done("pool", "stats", path, "--weights", "step")) if row["weight"] == 1
        }
        self.assertEqual(len({row["duplicate_of"] for row in found[:4] + found[6:10]} & first), 8)
        self.assertIsNone(found[13]["duplicate_of"], "of an earlier row")
        self.assertEqual((found[12]["objective"], found[12]["proven"]), (80, True))
        self.assertEqual(self.info(path)["entries"], 17)
        before = self.hash(path)
        self.done("pool", "add", path, "-", stdin=lines(other))
        self.assertEqual(self.hash(path), before, "nothing new: no step")

    def test_only_what_is_proven_comes_in(self):
        path = self.path("a.db")
        hard = self.instances("tsp", "--level", "hard", "--count", "3")
        found = rows(self.done("pool", "add", path, "-", "--budget", "1", stdin=hard))
        self.assertEqual([row["code"] for row in found], ["unproven"] * 3)
        self.assertEqual(self.info(path)["entries"], 0)
        self.named("is empty", "pool", "sample", path, code=2)

    def test_a_draw_keeps_the_optimum_under_labels_of_its_own(self):
        path = self.fill("a.db")
        drawn = rows(self.done("pool", "sample", path, "--count", "40"))
        solved = rows(self.done("solve", "-", stdin=lines(*drawn)))
        for row, found in zip(drawn, solved):
            self.assertEqual(found["objective"], row["baseline"]["objective"])
            self.assertTrue(found["proven"])
        self.assertGreater(len({row["key"] for row in drawn}), 35)
        self.assertLess(len({row["entry"] for row in drawn}), 13)
        self.assertEqual(rows(self.done("pool", "sample", path, "--first", "7", "--count", "3")), drawn[7:10])
        for row in rows(self.done("pool", "sample", path, "--count", "9", "--reference")):
            self.assertEqual(set(row), {"task", "instance"})

    def test_scored_draws_move_the_weights(self):
        path = self.fill("a.db")
        observed = self.here / "scored.jsonl"
        observed.write_text(self.scored(path, 30))
        self.done("pool", "observe", path, str(observed))
        wanted = {}
        for row in map(json.loads, observed.read_text().splitlines()):
            quality = round(max(0, row["normalized"]) * WHOLE)
            sums = wanted.setdefault(row["entry"], [0, 0, 0, 0])
            for place, value in enumerate((1, int(row["optimal"]), quality, quality * quality)):
                sums[place] += value
        known = rows(self.done("pool", "stats", path, "--weights", "signal"))
        found = {
            one["entry"]: [one[name] for name in ("attempts", "solved", "quality", "quality_sq")]
            for one in known
            if one["attempts"]
        }
        self.assertEqual(found, wanted)
        self.assertEqual(sum(sums[1] for sums in wanted.values()), 15)
        self.assertEqual({one["seen"] for one in known if one["entry"] in wanted}, {1})
        self.assertEqual({one["seen"] for one in known} - {1}, {None} if len(wanted) < len(known) else set())
        given = lines(
            {"entry": 99, "normalized": 1, "optimal": 1},
            {"entry": 0, "normalized": 2, "optimal": 1},
            {"entry": 0, "normalized": 1},
            {"entry": 0, "normalized": 0, "optimal": 0.5},
            "no",
        )
        wrong = rows(self.done("pool", "observe", path, "-", code=1, stdin=given))
        self.assertEqual(
            [row["error"]["field"] for row in wrong], ["entry", "normalized", "optimal", "optimal", "line"]
        )

    def test_weights_and_draws_are_those_of_the_slow_twin(self):
        path = self.path("a.db")
        rules = "--window 2 --policy regret --capacity 12".split()
        self.done("pool", "init", path, "--seed", str((1 << 64) - 5), *rules)
        for step in range(5):
            observed = self.here / "scored.jsonl"
            observed.write_text(self.scored(path, 24, "--policy", POLICIES[step]) if step else "")
            extra = ("--observed", str(observed)) if step else ()
            made = self.instances(*"tsp knapsack --level d2 --count 3 --seed".split(), str(10 * step))
            self.done("pool", "add", path, "-", *extra, stdin=made)
        info = self.info(path)
        for policy in POLICIES:
            known = rows(self.done("pool", "stats", path, "--weights", policy))
            live = [one for one in known if not one["gone"]]
            self.assertEqual((len(known) - len(live), len(live)), (6, 24))
            twin = [0 if one["gone"] else weight(policy, one, live, info["step"], 2) for one in known]
            twin = twin if any(twin) else [int(not one["gone"]) for one in known]
            self.assertEqual([one["weight"] for one in known], twin, policy)
            drawn = rows(self.done("pool", "sample", path, "--policy", policy, "--count", "20"))
            for index, row in enumerate(drawn):
                words = philox((1 << 64) - 5, (index, info["step"], 0x706F6F6C, 0))
                at = ((words[0] << 32 | words[1]) * sum(twin)) >> 64
                place = 0
                while at >= twin[place]:
                    at -= twin[place]
                    place += 1
                self.assertEqual(row["entry"], place, (policy, index))


class Ranks(Case):
    def deltas(self, reference, steps):
        """Parts of two ranks per step; the reference pool takes each step in order."""
        files = []
        for step in range(steps):
            now = []
            for rank in range(2):
                name = self.path(f"{step}-{rank}.jsonl")
                text = self.instances(
                    "knapsack", "clique", "--level", "d2", "--count", "4", "--seed", str(3 * step + 2 * rank)
                )
                self.done("pool", "add", reference, "-", "--delta", name, "--rank", str(rank), stdin=text)
                now.append(name)
            self.done("pool", "merge", reference, *now)
            files += now
        return files

    def test_any_order_and_any_number_of_ranks_give_one_pool(self):
        self.done("pool", "init", self.path("two.db"))
        files = self.deltas(self.path("two.db"), 3)
        wanted = self.hash(self.path("two.db"))
        self.done("pool", "init", self.path("back.db"))
        self.assertEqual(
            self.done("pool", "merge", self.path("back.db"), *reversed(files), files[2]).stdout.strip(), wanted
        )
        for step in range(3):  # one rank with both ranks' rows in reverse order
            text = "".join(
                self.instances(
                    "knapsack", "clique", "--level", "d2", "--count", "4", "--seed", str(3 * step + 2 * rank)
                )
                for rank in (1, 0)
            )
            self.done("pool", "add", self.path("one.db"), "-", stdin=text)
        self.assertEqual(self.hash(self.path("one.db")), wanted)
        before = pathlib.Path(self.path("two.db")).read_bytes()
        self.named("step 1 is in already", "pool", "merge", self.path("two.db"), *files, code=0)
        self.assertEqual(pathlib.Path(self.path("two.db")).read_bytes(), before)
        self.done("pool", "init", self.path("part.db"))
        self.done("pool", "merge", self.path("part.db"), files[0])
        self.named("came late", "pool", "merge", self.path("part.db"), files[1], code=2)
        self.named("of a step to come", "pool", "merge", self.path("part.db"), files[4], code=2)
        self.named("beside another pool", "pool", "merge", self.path("part.db"), files[2], code=2)

    def test_kills_at_random_instants_change_nothing(self):
        wanted = 50 if LONG else 10
        self.done("pool", "init", self.path("whole.db"))
        files = self.deltas(self.path("whole.db"), 5)
        path = self.path("killed.db")
        command = [BINARY, "pool", "merge", path, *files, "--quiet"]
        draw, kills, steps = random.Random(1), 0, set()
        self.done("pool", "init", path)
        while kills < wanted:
            started = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(draw.uniform(0, 0.12))
            ended = started.poll() is not None
            started.kill()
            started.wait()
            kills += not ended
            steps.add(self.info(path)["step"])
            if ended:  # it finished early, so start again from nothing
                pathlib.Path(path).unlink()
                self.done("pool", "init", path)
        self.done(*command[1:])
        self.assertEqual(self.hash(path), self.hash(self.path("whole.db")))
        self.assertGreater(len(steps), 1, "every kill came before the first step")

    def test_a_delta_that_was_changed_is_refused(self):
        self.done("pool", "init", self.path("a.db"))
        name = self.path("d.jsonl")
        given = lines({"task": "tsp", "instance": TSP4}, {"task": "knapsack", "instance": KNAPSACK4})
        self.done("pool", "add", self.path("a.db"), "-", "--delta", name, stdin=given)
        text = pathlib.Path(name).read_text()
        for old, new in (
            ('"objective":80', '"objective":79'),
            ('"entries":2', '"entries":3'),
            ('"origin":"seed"', '"origin":"x"'),
        ):
            self.assertIn(old, text)
            pathlib.Path(name).write_text(text.replace(old, new))
            self.named("d.jsonl, line ", "pool", "merge", self.path("a.db"), name, code=2)
        self.assertEqual(self.info(self.path("a.db"))["step"], 0)


class Forgeries(Case):
    def test_a_changed_row_is_found_whatever_reads_the_pool(self):
        changes = {
            "UPDATE entry SET objective = objective + 1 WHERE id = 3": "entry 3 is not what its digest says",
            "UPDATE entry SET words = (SELECT words FROM entry WHERE id = 2) WHERE id = 1": "entry 1 is not what",
            "DELETE FROM entry WHERE id = 11": "entry 11 is missing",
            "UPDATE outcome SET solved = solved - 1 WHERE solved > 0": "chain of hashes",
            "DELETE FROM outcome": "an outcome of step 1 is missing",
            "UPDATE step SET link = zeroblob(16) WHERE number = 0": "step 0 is not what the chain of hashes says",
            "DELETE FROM gone": "an entry that left at step 0 is not named",
            "UPDATE gone SET entry = entry + 1": "step 0 is not what the chain of hashes says",
            "DELETE FROM step WHERE number = 0": "step 0 is missing",
            "UPDATE meta SET value = value + 1 WHERE name = 'seed'": "step 0 is not what the chain of hashes says",
            "UPDATE meta SET value = 99 WHERE name = 'policy'": "its settings are none",
            "PRAGMA user_version = 9": "has schema 9: expected 1",
        }
        path = self.path("a.db")
        self.done("pool", "init", path, "--capacity", "3")
        self.fill("a.db")
        observed = self.here / "scored.jsonl"
        observed.write_text(self.scored(path, 12))
        self.done("pool", "observe", path, str(observed))
        whole = pathlib.Path(path).read_bytes()
        for change, words in changes.items():
            pathlib.Path(path).write_bytes(whole)
            with sqlite3.connect(path) as base:
                base.execute(change)
            base.close()
            self.assertNotEqual(pathlib.Path(path).read_bytes(), whole, change)
            for verb in (("sample",), ("verify",), ("hash",), ("stats",), ("export",)):
                self.named(words, "pool", *verb, path)
        pathlib.Path(path).write_bytes(whole)
        self.assertIn("12 entries verified, 0 wrong; 12 proved again", self.done("pool", "verify", path).stdout)
        self.assertIn("5 proved again", self.done("pool", "verify", path, "--proofs", "5").stdout)


class Sentences(Case):
    def test_what_is_wrong_is_said(self):
        path = self.fill("a.db")
        self.named("is there already", "pool", "init", path)
        self.named("'best': expected uniform, step", "pool", "sample", path, "--policy", "best", code=2)
        self.named("none.db", "pool", "sample", self.path("none.db"))
        pathlib.Path(self.path("text.db")).write_text("no pool")
        self.named("text.db", "pool", "hash", self.path("text.db"))
        self.done("recompute", "--store", self.path("store.db"), "--spec", "tsp:easy:test:0-0")
        self.named("is no pool", "pool", "sample", self.path("store.db"))
        self.named("expected --delta FILE", "pool", "add", path, "-", "--rank", "1", code=2)
        self.named("FILE", "pool", "add", path, code=2)
        self.named("expected --prompts", "pool", "sample", path, "--format", "boxed", code=2)
        given = lines(
            {"task": "tsp", "instance": TSP4, "origin": "edit"},
            {"task": "tsp", "instance": TSP4, "origin": "x"},
            {"task": "tsp", "instance": TSP4, "parent": "tsp@1:c:00"},
            {"task": "tsp", "instance": TSP4, "origin": "edit", "parent": "tsp@1:c:" + "0" * 31 + "1"},
        )
        found = rows(self.done("pool", "add", path, "-", code=1, stdin=given))
        self.assertEqual(
            [row.get("code", row.get("error", {}).get("field")) for row in found], ["parent", "origin", "parent", "ok"]
        )

    def test_one_process_writes(self):
        path = self.fill("a.db")
        import fcntl

        with open(path + "-writer", "w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            self.named(
                "expected one writer a file", "pool", "add", path, "-", stdin=lines({"task": "tsp", "instance": TSP4})
            )
            self.done("pool", "sample", path)


if __name__ == "__main__":
    unittest.main()
