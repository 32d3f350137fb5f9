"""store import --from: other solvers' answer files are read, verified and stored beside our own bounds. Files that are
cut, forged or of another format are refused with the place.

answers/ contains files that HiGHS 1.16 (PyPI highspy) and LKH 3.0.8 (by PyPI elkai) wrote themselves, and KaHIP 3.25's
blocks (PyPI kahip), a line each; answers/make.py made them. The tours in this file are in LKH's form with other cities.
The answers of cuOpt follow its service's documentation: it did not run here."""

import gzip
import json
import pathlib
import random

from optgap_process import lines
from store_test import Case

ANSWERS = pathlib.Path(__file__).parent / "answers"
KNAPSACK, BISECTION, TSP, ROUTES = (
    f"{task}@1:test:easy:0" for task in ("knapsack", "bisection", "tsp", "vehicle_routing")
)
POINTS = [(0, 0), (30, 0), (30, 40), (0, 40)]
TSPLIB = (
    "NAME : four\nTYPE : TSP\nDIMENSION : 4\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n"
    + "".join(f"{k} {x} {y}\n" for k, (x, y) in enumerate(POINTS, 1))
    + "EOF\n"
)


def tour_file(cities, length=None, dimension=None):
    said = "" if length is None else f"COMMENT : Length = {length}\n"
    return (
        f"NAME : four.{length}.tour\n{said}COMMENT : Found by LKH [Keld Helsgaun]\nTYPE : TOUR\nDIMENSION : "
        f"{dimension or len(cities)}\nTOUR_SECTION\n" + "".join(f"{city}\n" for city in cities) + "-1\nEOF\n"
    )


def routes_file(*routes, cost=0.0):
    vehicles = {f"veh-{k}": {"task_id": ["Depot"] * len(route), "route": route} for k, route in enumerate(routes, 1)}
    return json.dumps(
        {"response": {"solver_response": {"status": 0, "solution_cost": cost, "vehicle_data": vehicles}}, "reqId": "x"}
    )


def values_file(values):
    return json.dumps({"response": {"solver_response": {"status": "Optimal", "solution": {"primal_solution": values}}}})


class Formats(Case):
    def solved(self, key):
        return json.loads(self.done("solve", "-", stdin=lines({"key": key})).stdout)

    def imported(self, text, form, instance, *arguments, code=0):
        """The stored rows and the messages on stderr, with a fresh store."""
        self.count = getattr(self, "count", 0) + 1
        path = self.path(f"{self.count}.db")
        ended = self.done(
            "store",
            "import",
            path,
            "-",
            "--from",
            form,
            "--instance",
            instance,
            "--budget",
            "0",
            *arguments,
            stdin=text,
            code=code,
        )
        return [json.loads(line) for line in self.export(path).splitlines()], ended.stderr

    def one(self, text, form, instance, *arguments):
        made, said = self.imported(text, form, instance, *arguments)
        self.assertEqual(len(made), 1, said)
        self.assertNotIn("left out;", said.replace("0 left out;", ""))
        return made[0], said

    def test_real_files_of_highs_kahip_and_lkh(self):
        for name, form, key in (
            ("knapsack.sol", "highs", KNAPSACK),
            ("independent_set.sol", "highs", "independent_set@1:test:easy:0"),
            ("bisection.part", "kahip", BISECTION),
            ("tsp.tour", "lkh", TSP),
        ):
            row, said = self.one((ANSWERS / name).read_text(encoding="utf-8"), form, key)
            best = self.solved(key)
            self.assertEqual((row["objective"], row["solver"]), (best["objective"], f"import:{form}"))
            self.assertNotIn("it says", said)
            self.assertFalse(row["proven"], "a bound of no steps proves neither")

    def test_real_files_without_an_answer_are_refused(self):
        """HiGHS' output for an infeasible program, and in its style for people."""
        for name, words in (
            ("infeasible.sol", "line 5: 'None': expected Feasible"),
            ("pretty.sol", "expected # Primal solution values, as HiGHS' raw style has it"),
        ):
            text = (ANSWERS / name).read_text(encoding="utf-8")
            made, said = self.imported(text, "highs", "independent_set@1:test:easy:0", code=1)
            self.assertIn(words, said)
            self.assertEqual(made, [])

    def test_a_tour_to_a_file_and_to_a_key(self):
        path = self.here / "four.tsp"
        path.write_text(TSPLIB, encoding="utf-8")
        row, said = self.one(tour_file([1, 2, 3, 4], length=180), "lkh", str(path), "--name", "LKH-3")
        self.assertEqual(
            (row["answer"], row["objective"], row["name"], row["solver"]),
            ([0, 1, 2, 3], 140, "four.tsp", "import:LKH-3"),
        )
        self.assertIn("it says 180, but its answer is worth 140", said)
        best = self.solved(TSP)
        row, said = self.one(tour_file([city + 1 for city in best["answer"]], best["objective"]), "lkh", TSP)
        self.assertEqual((row["objective"], row["key"].split("#")[0]), (best["objective"], TSP))
        self.assertNotIn("it says", said)
        self.done("store", "verify", self.path("2.db"))

    def test_a_published_length_of_decimals_is_that_of_doubles(self):
        path = self.here / "three.tsp"
        points = "1 0.1 0.2\n2 3.4 4.6\n3 0.1 4.6\n"  # 3.3 and 4.4 apart: exactly 5.5, slightly less in doubles
        path.write_text(
            f"TYPE : TSP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n{points}", encoding="utf-8"
        )
        tour = tour_file([1, 2, 3], length=12)
        row, said = self.one("\ufeff" + tour, "lkh", str(path))
        self.assertEqual(row["objective"], 12)
        self.assertNotIn("it says", said)
        packed = self.here / "three.tour.gz"
        packed.write_bytes(gzip.compress(tour.encode()))
        store = self.path("packed.db")
        self.done("store", "import", store, str(packed), "--from", "lkh", "--instance", str(path), "--budget", "0")
        self.assertEqual(json.loads(self.export(store))["objective"], 12)

    def test_several_files_and_the_better_stays(self):
        best = self.solved(TSP)["answer"]
        worse = best[:2][::-1] + best[2:]
        names = []
        for name, tour in (("a", worse), ("b", best)):
            (self.here / f"{name}.tour").write_text(tour_file([city + 1 for city in tour]), encoding="utf-8")
            names.append(self.path(f"{name}.tour"))
        said = self.done(
            "store", "import", self.path("s.db"), *names, "--from", "lkh", "--instance", TSP, "--budget", "0"
        ).stderr
        self.assertIn("2 taken", said)
        self.assertEqual(json.loads(self.export(self.path("s.db")))["objective"], self.solved(TSP)["objective"])
        self.named(
            "2 files", "store", "import", self.path("s.db"), *names, "--from", "lkh", *(["--instance", TSP] * 3), code=2
        )
        self.named("--instance KEY", "store", "import", self.path("s.db"), *names, "--from", "lkh", code=2)
        self.named("for --from lkh", "store", "import", self.path("s.db"), *names, "--instance", TSP, code=2)
        self.named(
            "is no file, and as a key",
            "store",
            "import",
            self.path("s.db"),
            *names,
            "--from",
            "lkh",
            "--instance",
            "x.tsp",
            code=2,
        )
        self.named(
            "its hash is not",
            "store",
            "import",
            self.path("s.db"),
            *names,
            "--from",
            "lkh",
            "--instance",
            TSP + "#00000000",
            code=2,
        )

    def test_answers_of_cuopt(self):
        tour, routes, items = (self.solved(key) for key in (TSP, ROUTES, KNAPSACK))
        row, said = self.one(
            routes_file([*tour["answer"], tour["answer"][0]], cost=float(tour["objective"])), "cuopt", TSP
        )
        self.assertEqual(row["objective"], tour["objective"])
        self.assertNotIn("it says", said)
        row, _ = self.one(routes_file(*([0, *route, 0] for route in routes["answer"])), "cuopt", ROUTES)
        self.assertEqual((row["objective"], len(row["answer"])), (routes["objective"], len(routes["answer"])))
        things = len(
            json.loads(self.done("generate", "knapsack", "--level", "easy", "--split", "test", "--count", "1").stdout)[
                "instance"
            ]["weights"]
        )
        row, _ = self.one(
            values_file([1.0000001 if k in items["answer"] else -1e-9 for k in range(things)]), "cuopt", KNAPSACK
        )
        self.assertEqual(row["objective"], items["objective"])

    def test_values_of_the_variables_themselves(self):
        best = self.solved("max_cut@1:test:easy:0")
        columns = "".join(f"x{k} {value}\n" for k, value in enumerate([*best["answer"], 0.25]))
        text = f"Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective 1\n# Columns {len(best['answer']) + 1}\n{columns}# Rows 0\n"
        row, _ = self.one(text, "highs", "max_cut@1:test:easy:0")
        self.assertEqual(row["objective"], best["objective"])

    def test_what_is_wrong_is_refused_with_its_line(self):
        good = tour_file(range(1, 5))
        highs = (ANSWERS / "knapsack.sol").read_text(encoding="utf-8")
        part = (ANSWERS / "bisection.part").read_text(encoding="utf-8")
        four = self.here / "four.tsp"
        four.write_text(TSPLIB, encoding="utf-8")
        cases = [
            ("lkh", four, "", "line 0: the file ends before its tour: expected TOUR_SECTION"),
            ("lkh", four, good.replace("-1\nEOF\n", ""), "after 4 of 4 cities: expected them all, and -1"),
            ("lkh", four, good[: good.index("3\n4\n")], "after 2 of 4 cities"),
            ("lkh", four, good.replace("\n4\n-1", "\n-1"), "-1 after 3 cities: expected 4"),
            ("lkh", four, good.replace("\n3\n", "\n2\n"), "city 2 stands in line 7, too"),
            ("lkh", four, good.replace("\n3\n", "\n99999999999999999999\n"), "expected a city from 1 to 4"),
            ("lkh", four, good.replace("\n3\n", "\n0\n"), "line 8: '0': expected a city"),
            ("lkh", four, good.replace("TYPE : TOUR", "TYPE : TSP"), "line 3: TYPE is 'TSP': expected TOUR"),
            ("lkh", four, tour_file([1, 2, 3]), "DIMENSION is '3': expected 4, as the instance has"),
            ("lkh", four, "\x1b[31m what\n", "line 1: '?[31m what': expected KEY : VALUE"),
            ("lkh", BISECTION, good, "one of bisection, and a tour has no answers to it"),
            ("kahip", BISECTION, part[:-2], "after 31 of 32 vertices: expected a line for each"),
            ("kahip", BISECTION, part + "1\n", "line 33: '1' behind the blocks of 32 vertices"),
            ("kahip", BISECTION, part.replace("1", "2", 1), "expected the block of vertex"),
            ("kahip", BISECTION, "0\n" * 32, "its answer is not feasible"),
            ("kahip", BISECTION, "", "after 0 of 32 vertices"),
            ("kahip", KNAPSACK, part, "one of knapsack, and a partition has no answers to it"),
            ("highs", KNAPSACK, highs[: highs.index("c20")], "the file ends here: expected column 21 of 25"),
            ("highs", KNAPSACK, highs.replace("# Columns 25", "# Columns 24"), "there are 24 columns: expected 25"),
            ("highs", KNAPSACK, highs.replace("\nc4 1", "\nc4 0.5"), "the value is 0.5: expected 0 or 1, within 1e-06"),
            ("highs", KNAPSACK, highs.replace("\nc4 1", "\nc4 nan"), "'nan': expected NAME VALUE"),
            ("highs", KNAPSACK, highs.replace("\nFeasible", "\nInfeasible"), "line 5: 'Infeasible': expected Feasible"),
            ("highs", KNAPSACK, "Model status\nOptimal\n", "the file ends here: expected # Primal solution values"),
            ("highs", KNAPSACK, highs.replace(" 0\n", " 1\n"), "its answer is not feasible"),
            ("highs", TSP, highs, "a solution of columns has no answers to it"),
            ("cuopt", TSP, routes_file([0, 1, 2])[:-9], "is no JSON"),
            ("cuopt", TSP, routes_file([0, 1, 2]), "expected one of 18 locations"),
            (
                "cuopt",
                TSP,
                routes_file([0, 1, -2]),
                "vehicle_data.veh-1.route[2]: -2: expected a location from 0 to 17",
            ),
            ("cuopt", TSP, routes_file([0, 1, 10**30]), "expected a location"),
            ("cuopt", TSP, "[]", "vehicle_data: is missing"),
            ("cuopt", TSP, '{"vehicle_data":{"a":{"route":"0"}}}', "vehicle_data.a.route: expected a list"),
            ("cuopt", TSP, '{"vehicle_data":[]}', "vehicle_data: expected an object of vehicles"),
            ("cuopt", KNAPSACK, values_file([1]), "solution.primal_solution: expected a list of 25 values"),
            ("cuopt", KNAPSACK, values_file([2] * 25), "solution.primal_solution[0]: 2: expected 0 or 1"),
            ("cuopt", BISECTION, "{}", "an answer of cuOpt has no answers to it"),
        ]
        for form, instance, text, words in cases:
            made, said = self.imported(text, form, str(instance), code=1)
            self.assertIn(words, said)
            self.assertEqual(made, [])
            self.assertIn("0 taken", said)

    def test_cut_and_changed_files_never_end_otherwise(self):
        """Any content is taken with a verified answer, or left out."""
        draw = random.Random(5)
        highs, part = ((ANSWERS / name).read_bytes() for name in ("knapsack.sol", "bisection.part"))
        tour = tour_file(range(1, 19)).encode()
        routes = routes_file([*range(18), 0]).encode()
        for form, key, text in (
            ("highs", KNAPSACK, highs),
            ("kahip", BISECTION, part),
            ("lkh", TSP, tour),
            ("cuopt", TSP, routes),
        ):
            names = []
            for k in range(40):
                changed = bytearray(text[: draw.randrange(len(text) + 1)] if k % 2 else text)
                for _ in range(draw.randrange(4)):
                    if changed:
                        changed[draw.randrange(len(changed))] = draw.randrange(256)
                (self.here / f"{form}{k}").write_bytes(changed)
                names.append(self.path(f"{form}{k}"))
            ended = self.done(
                "store",
                "import",
                self.path(f"{form}.db"),
                *names,
                "--from",
                form,
                "--instance",
                key,
                "--budget",
                "0",
                code=1,
            )
            left = ended.stderr.count("; left out\n")
            self.assertIn(f"{40 - left} taken", ended.stderr)
            self.assertGreater(left, 10)
            self.done("store", "verify", self.path(f"{form}.db"))


if __name__ == "__main__":
    import unittest

    unittest.main()
