"""Damaged files and output places lead to a code of the contract and sentences, and never to an abort."""

import json
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import unittest

from optgap_process import BINARY, forge, run

PROGRAM = os.path.abspath(BINARY)
ROLLOUTS = "rollouts.jsonl"
# The readers of each kind of file; @ is the damaged one.
READERS = {
    "s.db": ["store info @", "store verify @", "store export @", "store merge out.db @", "store merge @ snap.db",
             "store diff @ snap.db", "store diff snap.db @", "store snapshot @ -o out.db", "report @",
             "recompute --store @ --spec tsp:easy:test:0-5 --budget 300", "store import @ solved.jsonl --name x",
             f"score {ROLLOUTS} --baselines @"],
    "snap.db": [f"score {ROLLOUTS} --baselines @", "store verify @"],
    "p.db": ["pool add @ solved.jsonl", "pool sample @ --count 2", "pool observe @ drawn.jsonl", "pool stats @",
             "pool export @", "pool verify @", "pool hash @", "pool merge @ delta.jsonl", "pool init @"],
    "delta.jsonl": ["pool merge other.db @"],
    ROLLOUTS: ["score @", "eval @", "rescore @", "verify @"],
    "scored.jsonl": ["eval @", "diff @ scored.jsonl", "advantages @"],
    "stats.json": ["stats show @", "stats merge @ stats.json"],
    "solved.jsonl": ["solve @", "relabel @", "convert @", "certify @"],
    "page.json": ["page @"],
    "suite.json": ["suite show @"],
    "rubrics.jsonl": ["rubric compile @"],
}  # fmt: skip
# A cut, empty or flipped file of these kinds is often another valid one, so only the command's end is checked.
MAY_DO = {"empty", "short", "flipped", "zeros", "folder", "absent"}


def damages(data):
    chance = random.Random(1)
    flipped = bytearray(data)
    for _ in range(200):
        flipped[chance.randrange(len(data))] = chance.randrange(256)
    third = len(data) // 3
    return {
        "empty": b"", "half": data[: len(data) // 2 - 7], "short": data[:-30], "noise": chance.randbytes(len(data)),
        "flipped": bytes(flipped), "zeros": data[:third] + bytes(third) + data[2 * third :], "folder": None, "absent": ...,
    }  # fmt: skip


class Damaged(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.here = pathlib.Path(cls.scratch.name)

        def kept(name, words, **how):
            done = run(*words, **how)
            assert done.returncode == 0, done.stderr
            (cls.here / name).write_text(done.stdout, encoding="utf-8")

        def at(name):
            return str(cls.here / name)

        kept("solved.jsonl", ["solve", "-"], stdin=run("generate", "tsp", "--level", "d3", "--count", "6").stdout)
        solved = [json.loads(line) for line in (cls.here / "solved.jsonl").read_text(encoding="utf-8").splitlines()]
        rows = [json.dumps({"key": row["key"], "completion": forge(row["answer"])}) + "\n" for row in solved]
        (cls.here / ROLLOUTS).write_text("".join(rows), encoding="utf-8")
        kept("scored.jsonl", ["score", at(ROLLOUTS), "--stats", at("stats.json")])
        run("recompute", "--store", at("s.db"), "--spec", "tsp:easy:test:0-5,coloring:easy:test:0-5", "--budget", "300")
        run("store", "snapshot", at("s.db"), "-o", at("snap.db"))
        run("pool", "init", at("p.db"))
        run("pool", "add", at("p.db"), at("solved.jsonl"))
        kept("drawn.jsonl", ["pool", "sample", at("p.db"), "--count", "4"])
        run("pool", "add", at("p.db"), "-", "--delta", at("delta.jsonl"),
            stdin=run("generate", "tsp", "--level", "d4", "--count", "2").stdout)  # fmt: skip
        shutil.copyfile(at("p.db"), at("other.db"))
        kept("suite.json", ["suite", "show", "default", "--json"])
        (cls.here / "page.json").write_text(
            '{"title": "t", "lead": "l", "facts": [], "sections": []}', encoding="utf-8"
        )
        rubric = {
            "chain": 1,
            "references": ["The Moon"],
            "content": {"points": [{"references": [{"keywords": ["Moon"]}]}]},
        }
        (cls.here / "rubrics.jsonl").write_text(json.dumps({"chain": rubric}) + "\n", encoding="utf-8")

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def run_here(self, words, **how):
        return subprocess.run([PROGRAM, *words], cwd=self.here, capture_output=True, timeout=60, check=False,
                              stdin=subprocess.DEVNULL, **how)  # fmt: skip

    def damaged(self, name, how):
        """The damaged file, replacing those of other damages."""
        for old in [*self.here.glob("bad.*"), *self.here.glob("out.db*")]:
            shutil.rmtree(old) if old.is_dir() else old.unlink()
        path = self.here / ("bad" + pathlib.Path(name).suffix)
        if how is None:
            path.mkdir()
        elif how is not ...:
            path.write_bytes(how)
        return path.name

    def test_every_reader_of_every_kind_of_file_ends_with_a_sentence(self):
        for name, readers in READERS.items():
            for damage, how in damages((self.here / name).read_bytes()).items():
                for reader in readers:
                    with self.subTest(reader=reader, damage=damage):
                        bad = self.damaged(name, how)
                        done = self.run_here([bad if word == "@" else word for word in reader.split()])
                        said = done.stderr.decode(errors="replace")
                        self.assertIn(done.returncode, (0, 1, 2, 3), said)
                        self.assertNotIn("terminate called", said)
                        self.assertTrue(done.returncode != 0 or damage in MAY_DO, said)
                        if done.returncode in (2, 3):
                            self.assertTrue(bad in said or "row 1" in said or "0 rows" in said, said)

    def test_a_stderr_that_takes_nothing_changes_no_code(self):
        for words, code in ((["eval", "/no/such/file"], 2), (["no-such-command"], 2), (["store", "info", "/none"], 3),
                            (["page", "page.json", "-o", "/no/folder/x.html"], 3),
                            (["certify", "solved.jsonl"], 0), (["eval", ROLLOUTS], 0)):  # fmt: skip
            with open("/dev/full", "wb") as full:
                done = subprocess.run(
                    [PROGRAM, *words], cwd=self.here, stdout=subprocess.DEVNULL, stderr=full, check=False
                )
            closed = subprocess.run([PROGRAM, *words], cwd=self.here, stdout=subprocess.DEVNULL, check=False,
                                    preexec_fn=lambda: os.close(2))  # fmt: skip
            self.assertEqual((done.returncode, closed.returncode), (code, code), words)

    def test_a_stdout_that_takes_nothing_is_code_3(self):
        for words in ("--version", "store info s.db", "store snapshot s.db", "pool hash p.db", "eval rollouts.jsonl"):
            with open("/dev/full", "wb") as full:
                done = subprocess.run(
                    [PROGRAM, *words.split()], cwd=self.here, stdout=full, stderr=subprocess.PIPE, check=False
                )
            self.assertEqual(done.returncode, 3, words)
            self.assertIn(b"cannot write to stdout: No space left on device", done.stderr)

    def test_a_stdout_that_is_closed_is_no_file_of_the_command(self):
        done = self.run_here(["store", "export", "s.db"], preexec_fn=lambda: os.close(1))
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"cannot write to stdout", done.stderr)
        self.assertEqual(self.run_here(["store", "verify", "s.db"]).returncode, 0)

    def test_what_is_replaced_is_the_old_one_until_the_new_one_is_whole(self):
        old = (self.here / "stats.json").read_bytes()
        writing = subprocess.Popen([PROGRAM, "score", "-", "--stats", "stats.json"], cwd=self.here, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE)  # fmt: skip
        writing.stdin.write((self.here / ROLLOUTS).read_bytes())
        writing.stdin.flush()
        while not list(self.here.glob("stats.json.*.unfinished")):
            self.assertIsNone(writing.poll())
        self.assertEqual((self.here / "stats.json").read_bytes(), old)
        writing.kill()
        writing.communicate()
        for draft in self.here.glob("stats.json.*.unfinished"):
            draft.unlink()
        self.assertEqual((self.here / "stats.json").read_bytes(), old)
        self.assertEqual(self.run_here(["score", ROLLOUTS, "--stats", "stats.json"]).returncode, 0)
        self.assertEqual((self.here / "stats.json").read_bytes(), old)

    def test_makers_of_one_file_at_the_same_time_are_whole_or_refused(self):
        for words in (
            "store snapshot s.db -o at-once.db",
            "pool init at-once-pool.db",
            "recompute --store at-once-2.db --spec tsp:easy:test:0-3",
            "bench-set tsp --count 30 --out set",
        ):
            runs = [subprocess.Popen([PROGRAM, *words.split()], cwd=self.here, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, text=True) for _ in range(6)]  # fmt: skip
            ended = [(run.communicate()[1], run.returncode) for run in runs]
            self.assertIn(0, [code for _, code in ended], ended)
            for said, code in ended:
                self.assertTrue(code == 0 or "is being written by host" in said or "is there already" in said, said)
        for name in ("at-once.db", "at-once-2.db"):
            self.assertEqual(self.run_here(["store", "verify", name]).returncode, 0)
        self.assertEqual(self.run_here(["pool", "verify", "at-once-pool.db"]).returncode, 0)
        self.assertEqual(
            [path for path in self.here.rglob("*") if "writer" in path.name or "unfinished" in path.name], []
        )


if __name__ == "__main__":
    unittest.main()
