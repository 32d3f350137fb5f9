"""optgap report of a store: its numbers against the export's, its commands run unchanged, and its statements on
additions and losses."""

import json
import pathlib
import re
import shlex
import shutil
import subprocess

from optgap_process import BINARY, KNAPSACK4, lines
from store_test import Case

SPEC = "tsp:benchmark:test:0-11,coloring:hard:test:0-11,sat:hard:val:0-3"


def tables(markdown):
    """The first table of each heading of a page: its rows as dicts by column."""
    out = {}
    for section in re.split(r"^#+ ", markdown, flags=re.M)[1:]:
        found = re.search(r"(?:^\|.*\n)+", section, re.M)
        if found:
            cells = [
                [cell.strip().replace("\\", "") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
                for line in found[0].splitlines()
            ]
            out[section.splitlines()[0]] = [dict(zip(cells[0], row, strict=True)) for row in cells[2:]]
    return out


def gap(row):
    return abs(row["objective"] - row["bound"]) / abs(row["bound"])


class Report(Case):
    def filled(self, name="a.db", budget="20"):
        path = self.path(name)
        self.done("recompute", "--store", path, "--spec", SPEC, "--budget", budget)
        self.done(
            "recompute",
            "--store",
            path,
            "--in",
            "-",
            "--budget",
            "0",
            stdin=lines({"task": "knapsack", "instance": KNAPSACK4}),
        )
        return path

    def rows(self, path):
        return [json.loads(line) for line in self.export(path).splitlines()]

    def test_the_numbers_are_those_of_the_export(self):
        path = self.filled()
        page, rows = self.done("report", path).stdout, self.rows(path)
        proven = sum(row["proven"] for row in rows)
        content = json.loads(self.done("store", "info", path, "--json").stdout)["content"]
        gaps = [gap(row) for row in rows if not row["proven"] and row["bound"]]
        self.assertIn(f"{len(rows)} rows, {100 * proven / len(rows):.2f} % of them proven", page)
        self.assertIn(f"{100 * sum(gaps) / len(gaps):.3g} %; content {content}", page)
        found = tables(page)
        cells = {(row["task"], row["level"]): row for row in found["Tasks and levels"]}
        self.assertEqual(
            set(cells), {("tsp@1", "benchmark"), ("coloring@1", "hard"), ("sat@1", "hard"), ("knapsack@1", "explicit")}
        )
        for (task, level), cell in cells.items():
            some = [row for row in rows if f"{row['task']}@1" == task]
            mine = sorted(gap(row) for row in some if not row["proven"] and row["bound"])
            self.assertEqual((int(cell["rows"]), int(cell["proven"])), (len(some), sum(row["proven"] for row in some)))
            if not mine:
                self.assertEqual(cell["max %"], "–")
                continue
            for name, share in (("gap p50 %", 0.5), ("p90 %", 0.9), ("max %", 1)):
                wanted = mine[max(0, -int(-share * len(mine) // 1) - 1)]
                self.assertAlmostEqual(float(cell[name]), 100 * wanted, delta=0.01, msg=f"{task} {level} {name}")
            quality = sum(
                row["objective"] / row["greedy"] if task != "knapsack@1" else row["greedy"] / row["objective"]
                for row in some
            ) / len(some)
            self.assertAlmostEqual(float(cell["greedy quality"]), quality, places=3)
        worst = found["Worst rows"]
        order = sorted((row for row in rows if not row["proven"] and row["bound"]), key=lambda row: -gap(row))
        self.assertEqual(len(worst), 10)
        self.assertEqual(
            [float(row["gap %"]) for row in worst], sorted((float(row["gap %"]) for row in worst), reverse=True)
        )
        self.assertAlmostEqual(float(worst[0]["gap %"]), 100 * gap(order[0]), delta=0.01)
        curve = found["Effort and gaps"][-1]
        self.assertAlmostEqual(float(curve["all rows"]), proven / len(rows), places=3)

    def commands(self, page):
        return [line.strip("`") for line in page.splitlines() if line.startswith("`optgap ")]

    def run_it(self, command):
        return subprocess.run(
            ["/bin/sh", "-ec", command.replace("optgap ", shlex.quote(BINARY) + " ")],
            cwd=self.here,
            check=True,
            capture_output=True,
            text=True,
        )

    def test_its_commands_go_on_with_the_worst_rows(self):
        path = self.path("own.db")
        self.done(
            "recompute",
            "--store",
            path,
            "--in",
            "-",
            "--budget",
            "20",
            stdin=lines(
                *(
                    {"task": "tsp", "instance": json.loads(line)["instance"]}
                    for line in self.done("generate", "tsp", "--level", "benchmark", "--count", "2").stdout.splitlines()
                )
            ),
        )
        self.done(
            "recompute",
            "--store",
            path,
            "--spec",
            "tsp:test:benchmark:18446744073709551610-18446744073709551615",
            "--budget",
            "20",
        )
        before = shutil.copyfile(path, self.path("before.db"))
        commands = self.commands(self.done("report", path).stdout)
        self.assertEqual(len(commands), 8)
        self.assertEqual(sum("grep -F" in command for command in commands), 2)
        for command in commands:
            self.assertRegex(self.run_it(command).stderr, r"1 of 1 rows solved, 1 changed")
        ended = self.done("report", path, "--against", before)
        self.assertIn("No row got worse, lost its proof or is gone.", ended.stdout)
        self.assertGreater(sum(int(row["better"]) for row in tables(ended.stdout)["Changes"]), 0)
        frozen = self.done("store", "snapshot", path).stdout.strip()
        said = self.done("report", frozen).stdout
        self.assertIn(f"optgap store merge all.db {frozen} more.db", said)
        self.run_it(self.commands(said)[0])
        self.done("store", "merge", self.path("all.db"), frozen, self.path("more.db"))

    def test_losses_are_listed_and_end_with_1(self):
        old = self.filled()
        new = shutil.copyfile(old, self.path("new.db"))
        self.change(new, "DELETE FROM baselines WHERE task='sat' AND seed=1")
        self.change(
            new,
            "UPDATE baselines SET bound=bound-1, status=1 WHERE task='coloring' AND seed=(SELECT min(seed) FROM baselines "
            "WHERE task='coloring' AND status=2)",
            digests=False,
        )
        ended = self.done("report", new, "--against", old, code=1)
        self.assertIn("2 rows got worse, lost their proof or are gone", ended.stdout)
        lost = tables(ended.stdout)["What got worse"]
        self.assertEqual([row["key"].split("@")[0] for row in lost], ["coloring", "sat"])
        self.assertIn("2 rows of", ended.stderr)
        self.done("report", old, "--against", old)

    def test_published_values_stand_beside_ours(self):
        path = self.path("p.db")
        self.done("recompute", "--store", path, "--spec", "tsp:easy:test:0-3,clique:easy:test:0")
        best = {row["key"]: row["objective"] for row in self.rows(path)}
        steps = {"0": 0, "1": 5, "2": -5}
        given = [
            {"key": key, "published": value + steps[key.split("#")[0][-1]]}
            for key, value in best.items()
            if key.startswith("tsp") and key.split("#")[0][-1] in steps
        ]
        self.done("store", "import", path, "-", stdin=lines(*given))
        said = {
            row["key"].split("#")[0][-1]: row["which is better"]
            for row in tables(self.done("report", path).stdout)["Published values"]
        }
        self.assertEqual(
            said, {"0": "equal", "1": "news: ours is better", "2": "news: published is better than our bound allows"}
        )

    def throughput(self, path):
        page = self.done("report", path, "--times").stdout
        last = re.findall(r"(?:^\|.*\n)+", page.partition("## Throughput")[2], re.M)[-1]
        return tables("# Throughput\n\n" + last)["Throughput"]

    def test_times_are_told_when_asked_for(self):
        path = self.filled()
        plain = self.done("report", path).stdout
        self.assertNotIn("Throughput", plain)
        page = self.done("report", path, "--times").stdout
        self.assertEqual({name: rows for name, rows in tables(page).items() if name != "Throughput"}, tables(plain))
        found = {(row["task"], row["level"]): row for row in self.throughput(path)}
        self.assertEqual(
            {kind: int(row["rows"]) for kind, row in found.items()},
            {
                ("tsp@1", "benchmark"): 12,
                ("coloring@1", "hard"): 12,
                ("sat@1", "hard"): 4,
                ("knapsack@1", "explicit"): 1,
            },
        )
        for row in found.values():
            self.assertGreater(float(row["seconds"]), 0)
            self.assertAlmostEqual(float(row["rows/s"]) * float(row["µs a row"]) / 1e6, 1, delta=0.05)
        steps = sum(row["steps"] for row in self.rows(path) if row["task"] == "tsp")
        cell = found["tsp@1", "benchmark"]
        self.assertAlmostEqual(float(cell["steps/s"]) * float(cell["seconds"]) / steps, 1, delta=0.05)
        # An empty run takes no time, and times are not content: two files of equal rows have the same hash.
        self.filled()
        self.assertEqual(self.throughput(path), list(found.values()))
        self.assertEqual(self.export(path), self.export(self.filled("b.db")))
        frozen = self.done("store", "snapshot", path).stdout.strip()
        self.named("hold none", "report", frozen, "--times", code=2)

    def test_times_of_shards_are_summed(self):
        for shard in range(2):
            self.done("recompute", "--store", self.path("d"), "--spec", "tsp:easy:test:0-2047", "--shard", f"{shard}/2")
        self.assertEqual([int(row["rows"]) for row in self.throughput(self.path("d"))], [2048])

    def test_files_and_what_is_none(self):
        path = self.filled()
        self.done("report", path, "-o", self.path("r.html"))
        html = pathlib.Path(self.path("r.html")).read_text(encoding="utf-8")
        self.assertGreaterEqual(html.count("<svg"), 10)
        self.assertNotRegex(html, r"(src|href)=.?http")
        self.named("must end in .html or .md", "report", path, "-o", self.path("r.pdf"), code=2)
        (self.here / "rows.db").write_text("{}\n" * 99, encoding="utf-8")
        self.named("no SQLite file", "report", self.path("rows.db"))
        self.done("recompute", "--store", self.path("empty.db"), "--spec", SPEC, "--only", "unproven")
        self.assertIn("0 rows", self.done("report", self.path("empty.db")).stdout)


if __name__ == "__main__":
    import unittest

    unittest.main()
