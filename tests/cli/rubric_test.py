"""`optgap rubric`, and rubrics among the rows of `optgap score`."""

import json
import pathlib
import re
import tempfile
import unittest

from optgap_process import forge, lines, rows, run

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs/rubrics.md"
SAMPLES = [json.loads(line) for line in (ROOT / "tools/demo/rubrics.jsonl").read_text(encoding="utf-8").splitlines()]
PRESETS = ("repo", "paper", "found", "ours")
PARIS = "The capital of France is Paris. Paris lies on the Seine. The Seine flows through Paris to the sea."
TSP = "tsp@1:train:easy:1"


def paris(**more):
    return {"chain": 1, "references": [PARIS],
            "content": {"points": [{"references": [{"keywords": words}]}
                                   for words in (["capital", "France", "Paris"], ["Seine", "Paris", "sea"])]}, **more}  # fmt: skip


def score(*given, options=()):
    done = run("score", "-", "--quiet", *options, stdin=lines(*given))
    return done, rows(done)


class Attacks(unittest.TestCase):
    """Each preset's scores for honest answers and for cheats: the table of docs/rubrics.md."""

    def means(self):
        found = {}
        for preset in PRESETS:
            done, scored = score(*SAMPLES, options=("--rubric-preset", preset))
            self.assertEqual(done.returncode, 0, done.stderr)
            for row in scored:
                self.assertEqual(row["preset"], preset)
                found.setdefault(row["kind"], {}).setdefault(preset, []).append(row["total"])
        return {kind: {preset: sum(of) / len(of) for preset, of in by.items()} for kind, by in found.items()}

    def test_the_table_is_what_is_measured(self):
        wanted = [
            f"| {kind} | " + " | ".join(f"{by[preset]:.2f}" for preset in PRESETS) + " |"
            for kind, by in self.means().items()
        ]
        page = PAGE.read_text(encoding="utf-8")
        self.assertEqual(len(wanted), 9)
        self.assertEqual([row for row in wanted if row not in page], [])

    def test_gates_hold_six_of_seven_attacks_back_and_say_so_of_the_seventh(self):
        means = self.means()
        honest = means["honest"]["ours"]
        self.assertGreater(honest, 0.7)
        self.assertEqual(means["reference"]["ours"], 1.0)
        for attack in ("keywords", "stuffing", "filler", "prompt_copied", "out_of_sight", "hidden_characters"):
            self.assertLess(means[attack]["ours"], 0.5 * honest, attack)
        self.assertGreater(means["negated"]["ours"], 0.9)  # not detectable here, as the page states


class Commands(unittest.TestCase):
    def test_the_sample_is_the_file(self):
        self.assertEqual(rows(run("rubric", "sample")), SAMPLES)
        self.assertEqual(run("rubric", "sample", "--as", "x").returncode, 2)

    def test_samples_of_data_sets_are_read_and_rewarded_as_they_deserve(self):
        """Columns as published, including IFEval's `key`, which is a number."""
        for source in ("rlvrr", "ifeval", "ifbench", "if-rlvr", "rubric"):
            sample = run("rubric", "sample", "--as", source)
            self.assertEqual(sample.stdout, (ROOT / f"tools/demo/labels/{source}.jsonl").read_text(encoding="utf-8"))
            imported = run("rubric", "import", "-", "--quiet", "--from", source,
                           *(["--content-only"] if source == "rlvrr" else []), stdin=sample.stdout)  # fmt: skip
            self.assertEqual(imported.returncode, 0, imported.stderr)
            rewarded = run("score", "-", "--quiet", "--external", stdin=imported.stdout)
            self.assertEqual(rewarded.returncode, 0, rewarded.stderr)
            means = {}
            for row in rows(rewarded):
                means.setdefault(row["kind"], []).append(row["total"])
            means = {kind: sum(totals) / len(totals) for kind, totals in means.items()}
            self.assertEqual(set(means), {"honest", "keywords" if source == "rlvrr" else "one_word"}, source)
            if source == "rlvrr":  # content alone cannot distinguish keywords from an answer
                self.assertGreater(min(means.values()), 0.8)
            else:
                self.assertEqual(means, {"honest": 1.0, "one_word": 0.0}, source)
            table = run("eval", "-", "--quiet", "--json", stdin=rewarded.stdout)
            self.assertEqual(table.returncode, 0, table.stderr)

    def test_compiling_writes_sequences_that_stay(self):
        done = run("rubric", "compile", "-", "--quiet", stdin=lines({"chain": paris(), "id": 7}))
        (row,) = rows(done)
        self.assertEqual(row["id"], 7)
        sequences = [point["references"][0]["sequence"] for point in row["chain"]["content"]["points"]]
        self.assertEqual(sequences, [[0, 1, 2, 2, 2], [1, 1, 0, 0, 1, 2]])
        (again,) = rows(run("rubric", "compile", "-", "--quiet", stdin=lines(row)))
        self.assertEqual(again, row)
        (lean,) = rows(run("rubric", "compile", "-", "--quiet", "--drop-references", stdin=lines(row)))
        self.assertNotIn("references", lean["chain"])
        self.assertEqual(lean["chain_key"], row["chain_key"])
        _, (full_rewarded, lean_rewarded) = score(
            {"chain": row["chain"], "completion": PARIS}, {"chain": lean["chain"], "completion": PARIS}
        )
        self.assertEqual(full_rewarded["total"], lean_rewarded["total"])
        row["chain"]["content"]["points"][0]["references"][0]["sequence"] = [0]
        done = run("rubric", "check", "-", "--quiet", stdin=lines(row))
        self.assertEqual(done.returncode, 1)
        self.assertEqual(rows(done)[0]["error"]["field"], "content.points[0].references[0].sequence")

    def test_a_prompt_beside_the_rubric_is_the_one_that_references_copy_of(self):
        prompt = "Repeat this and add a word: one two three four five six seven eight nine ten."
        reference = "One two three four five six seven eight nine ten, and done."
        row = {"chain": {"chain": 1, "references": [reference], "gates": ["copy"],
                         "content": {"points": [{"references": [{"keywords": ["done"]}]}]}}, "completion": reference}  # fmt: skip
        messages = [{"role": "user", "content": prompt}]
        _, found = score(
            {**row, "prompt": prompt},
            {**row, "prompt": messages},
            {**row, "chain": {**row["chain"], "prompt": prompt}},
            {**row, "prompt": prompt, "completion": prompt},
        )
        self.assertEqual([one["gates"]["copy"] for one in found], [[600, 1024]] * 3 + [[1000, 292]])
        checked = rows(run("rubric", "check", "-", "--quiet", stdin=lines({**row, "prompt": messages})))
        self.assertEqual([one["gates_open"] for one in checked], [True])
        done = run("rubric", "explain", "-", "--row", "1", stdin=lines({**row, "prompt": messages}))
        self.assertRegex(done.stdout, "factor 1024 +copy 600 of 1000, the references' 600: whole up to 750")

    def test_check_and_floors(self):
        done = run("rubric", "check", "-", stdin=lines(*SAMPLES[::9]))
        found = rows(done)
        self.assertEqual([row["sound"] for row in found], [True] * 3)
        self.assertTrue(all(row["gates_open"] for row in found))
        self.assertIn("sand", found[0]["free_keywords"])
        self.assertIn("0 with a reference below", done.stderr)
        found = rows(run("rubric", "floors", "-", "--quiet", stdin=lines(*SAMPLES[::9])))
        self.assertEqual([row["hackable"] for row in found], [False] * 3)
        self.assertEqual(found[0]["floors"]["reference"], 1.0)
        self.assertEqual(found[0]["floors"]["empty"], 0.0)
        self.assertNotIn("other_reference", found[0]["floors"])
        self.assertLess(found[1]["floors"]["other_reference"], 0.6)
        hacked = rows(
            run("rubric", "floors", "-", "--quiet", "--rubric-preset", "paper", stdin=lines({"chain": paris()}))
        )
        self.assertEqual(hacked[0]["hackable"], True)
        # `normalized` is measured from the best constant answer
        _, (row,) = score({"chain": found[1]["chain"], "completion": SAMPLES[9]["completion"]})
        floor = max(
            value
            for name, value in found[1]["floors"].items()
            if name in ("empty", "one_word", "prompt_echo", "other_reference")
        )
        self.assertAlmostEqual(row["normalized"], (row["total"] - floor) / (1 - floor), places=6)

    def test_explain_marks_matches_and_shows_bounds(self):
        done = run("rubric", "explain", "-", "--row", "1", stdin=lines(SAMPLES[0]))
        self.assertEqual(done.returncode, 0, done.stderr)
        for part in ("[[gravity]]", "Content", "Style", "Gates", "words", "at least 5", "Total"):
            self.assertIn(part, done.stdout)
        self.assertNotIn("not there", done.stdout)
        given = {
            "references": [PARIS + " It is so."],
            "content": {"points": [{"references": [{"keywords": ["Paris", "sea", "Seine"]}]}]},
        }
        done = run(
            "chain",
            "explain",
            "-",
            stdin=lines({"chain": {"chain": 1, **given}, "prompt": "p", "completion": "Paris and Paris again."}),
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        bounds = re.findall(r"^  factor ([0-9]+) +([a-z]+) ([0-9]+) .*", done.stdout, re.M)
        self.assertEqual([name for _, name, _ in bounds], ["density", "length", "repetition", "copy", "hidden"])
        _, (scored,) = score({"chain": {"chain": 1, **given}, "prompt": "p", "completion": "Paris and Paris again."})
        self.assertEqual({name: [int(value), int(factor)] for factor, name, value in bounds}, scored["gates"])
        self.assertIn(
            "length 4 words, a reference's 22: whole from 15 to 33, nothing up to 7 and from 66 on", done.stdout
        )
        self.assertIn("not there:   sea, Seine", done.stdout)
        self.assertEqual(run("rubric", "explain", "-", "--row", "2", stdin=lines(SAMPLES[0])).returncode, 2)

    def test_labels_of_other_data_sets(self):
        split = "[[[SPLIT]]]"
        label = f"{PARIS}{split}[[['capital', 'France', 'Paris']], [['Seine', \"Paris\", 'sea']]]{split}" + \
            "{'key_points': []}"  # fmt: skip
        done = run("rubric", "import", "-", "--quiet", "--from", "rlvrr", stdin=lines({"label": label}))
        (row,) = rows(done)
        self.assertEqual(row["chain"]["preset"], "repo")
        _, (rewarded,) = score({**row, "completion": "capital France Paris Seine sea"})
        self.assertEqual((rewarded["content"], rewarded["points"]), (0.55, [[3, 5], [3, 6]]))
        coded = label.replace("[]}", "[{'verification_code': 'import os', 'weight': 0.5}]}")
        done = run("rubric", "import", "-", "--quiet", "--from", "rlvrr", stdin=lines({"label": coded}))
        self.assertEqual(rows(done)[0]["chain"]["style"], [{"check": "code", "code": "import os", "weight": 0.5}])
        for broken in ("{'verification_code': 7, 'weight': 0.5}", "{'verification_code': 'x'}", "7"):
            bad = label.replace("[]}", f"[{broken}]}}")
            done = run("rubric", "import", "-", "--quiet", "--from", "rlvrr", stdin=lines({"label": bad}))
            self.assertIn("label.style.key_points[0]", rows(done)[0]["error"]["field"])
        done = run(
            "rubric", "import", "-", "--quiet", "--from", "rlvrr", "--content-only", stdin=lines({"label": coded})
        )
        self.assertEqual(done.returncode, 0)
        for broken in ("__import__('os')", "[1", "[[['a', b]]]", "['\\N{BULLET}']", "[" * 99):
            bad = f"x{split}{broken}{split}{{}}"
            done = run("rubric", "import", "-", "--quiet", "--from", "rlvrr", stdin=lines({"label": bad}))
            self.assertEqual(rows(done)[0]["error"]["field"], "label.keywords", broken)

        given = {"prompt": "p", "instruction_id_list": ["punctuation:no_comma", "length_constraints:number_words"],
                 "kwargs": [{}, {"relation": "at least", "num_words": 30, "other": None}]}  # fmt: skip
        for rewards, total in (("share", 0.5), ("all", 0.0)):
            (row,) = rows(
                run("rubric", "import", "-", "--quiet", "--from", "ifeval", "--rewards", rewards, stdin=lines(given))
            )
            _, (rewarded,) = score({**row, "completion": "This answer has a good deal fewer words than that."})
            self.assertEqual(rewarded["total"], total)
        former = run("rubric", "import", "-", "--from", "ifeval", "--pays", "all", stdin=lines(given))
        self.assertEqual((former.returncode, rows(former)), (0, [row]))
        self.assertIn("'--pays' is called '--rewards' now", former.stderr)
        given = {"messages": [{"role": "user", "content": "hello"}],
                 "ground_truth": str([{"instruction_id": ["punctuation:no_comma"], "kwargs": [None]}])}  # fmt: skip
        (row,) = rows(run("rubric", "import", "-", "--quiet", "--from", "if-rlvr", stdin=lines(given)))
        self.assertEqual(row["prompt"], "hello")
        given = {"rubric": [{"title": "helpful", "description": "d", "weight": 3}, {"title": "short", "weight": 1}]}
        (row,) = rows(run("rubric", "import", "-", "--quiet", "--from", "rubric", stdin=lines(given)))
        told = {**row, "completion": "x", "external": {"helpful": 1, "short": 0}}
        self.assertEqual(score(told)[1][0]["error"]["field"], "external")
        _, (rewarded,) = score(told, options=("--external",))
        self.assertEqual((rewarded["total"], rewarded["checks"]), (0.75, [1, 0]))


class Score(unittest.TestCase):
    def test_rubrics_stand_beside_answers_in_one_file(self):
        answer = {"key": TSP, "completion": forge("[0,1]"), "id": 1}
        given = [
            answer,
            {"chain": paris(), "completion": PARIS, "id": 2},
            {"chain": {"chain": 1}, "completion": "x", "id": 3},
            dict(answer, id=4),
            {"chain": paris(), "completion": "Paris", "id": 5},
        ]
        done, found = score(*given)
        self.assertEqual(done.returncode, 1)
        self.assertEqual([row["id"] for row in found], [1, 2, 3, 4, 5])
        self.assertEqual(found[2]["error"]["field"], "content")
        self.assertEqual(
            [row["baseline_kind"] for row in found if "error" not in row],
            ["proven", "reference", "proven", "reference"],
        )
        self.assertEqual([found[1]["reward"], found[4]["reward"]], [1.0, 0.0])
        self.assertGreater(found[1]["advantage"], 0)  # grouped by rubric
        self.assertNotIn("content", found[0])
        _, (alone, _) = score(answer, dict(answer, id=4))
        self.assertEqual(found[0], alone)
        _, again = score(found[1], found[4])
        self.assertEqual(again, [found[1], found[4]])

    def test_eval_has_a_table_of_rubrics_alike_for_scored_rows_and_texts(self):
        sample = run("rubric", "sample").stdout
        scored = run("score", "-", stdin=sample)
        rewarded = rows(scored)
        (found,) = json.loads(run("eval", "-", "--json", stdin=scored.stdout).stdout)["rubrics"]
        self.assertEqual(
            (found["preset"], found["rows"], found["groups"], found["zero_variance_groups"]), ("ours", 27, 3, 0)
        )
        for column in ("total", "content", "style", "normalized"):
            self.assertAlmostEqual(found[column], sum(row[column] for row in rewarded) / 27, 6)
        held = [min(factor for _, factor in row["gates"].values()) < 1024 for row in rewarded]
        self.assertEqual(found["held_back"], sum(held) / 27)
        (fresh,) = json.loads(run("eval", "-", "--json", stdin=sample).stdout)["rubrics"]
        self.assertAlmostEqual(fresh.pop("normalized"), found.pop("normalized"), 6)
        self.assertEqual(fresh, found)
        report = json.loads(run("eval", "-", "--json", "--rubric-preset", "repo", stdin=sample).stdout)
        repo = report["rubrics"]
        self.assertEqual(repo, report["chains"])  # the former name
        self.assertEqual([row["preset"] for row in repo], ["repo"])
        answer = json.dumps({"key": "tsp@1:train:easy:1", "completion": forge("[0,1]")})
        table = run("eval", "-", "--k", "1", stdin=sample + answer + "\n").stdout
        self.assertRegex(table, r"(?m)^tsp +easy +1 ")
        self.assertRegex(table, r"(?m)^ours +27 ")
        self.assertNotIn("easy", run("eval", "-", stdin=scored.stdout).stdout)
        broken = json.dumps({**rewarded[0], "gates": {"density": 1}})
        self.assertIn("gates: must be {name: [value, factor]}", run("eval", "-", stdin=broken).stderr)

    def test_a_side_file_holds_rubrics_by_their_keys(self):
        (row,) = rows(run("rubric", "compile", "-", "--quiet", stdin=lines({"chain": paris()})))
        with tempfile.TemporaryDirectory() as folder:
            side = pathlib.Path(folder) / "rubrics.jsonl"
            side.write_text(json.dumps(row), encoding="utf-8")
            named = {"chain_key": row["chain_key"], "completion": PARIS}
            _, found = score(named, {**named, "chain_key": "chain:0"}, options=("--rubrics", str(side)))
            self.assertEqual(found[0]["total"], 1.0)
            self.assertEqual(found[1]["error"]["field"], "chain_key")
            _, (rewarded,) = score(named, options=("--rubrics", str(side), "--rubric-preset", "repo"))
            self.assertEqual((rewarded["preset"], rewarded["total"]), ("repo", 1.0))
        self.assertEqual(score(named)[1][0]["error"]["field"], "chain_key")

    def test_advantages_by_content_and_style_apart(self):
        rubric = paris(preset="paper", style=[{"check": "words", "max": 5}])
        given = [
            {"chain": rubric, "completion": text} for text in (PARIS, "Paris", "capital of France", "much else " * 9)
        ]
        _, found = score(*given, options=("--advantage", "decoupled"))
        self.assertEqual([row["style"] for row in found], [0, 1, 1, 0])
        values = [row["advantage"] for row in found]
        _, style = score(
            *[{"chain": {**rubric, "content": paris()["content"]}, "completion": row["completion"]} for row in given],
            options=("--advantage", "grpo"),
        )
        self.assertNotEqual(values, [row["advantage"] for row in style])
        self.assertAlmostEqual(sum(values), 0, places=5)

    def test_cut_off_texts_follow_the_rewards_policy(self):
        row = {"chain": paris(), "completion": PARIS, "finish": "length"}
        for policy, reward in (("penalise", 1.0), ("zero", 0.0), ("exclude", None)):
            _, (found,) = score(row, options=("--reward", json.dumps({"truncated": policy})))
            self.assertEqual((found["reward"], found["truncated"]), (reward, True))

    def test_reasoning_is_not_matched(self):
        given = [f"<think>{PARIS}</think>", f"<think>{PARIS}", f"<think>hm</think>{PARIS}"]
        _, found = score(*[{"chain": paris(), "completion": text} for text in given])
        self.assertEqual([row["total"] for row in found], [0, 0, 1])
        self.assertEqual([row["code"] for row in found], ["empty", "empty", "ok"])
        _, (answer,) = score({"chain": paris(), "completion": forge(PARIS), "format": "forge"})
        self.assertEqual(answer["total"], 1)

    def test_rows_that_cannot_be(self):
        for more, field in (({"key": TSP}, "key"), ({"external": {"a": 1}}, "external"), ({"prompt": 7}, "prompt")):
            self.assertEqual(score({"chain": paris(), "completion": "x", **more})[1][0]["error"]["field"], field)
        self.assertEqual(run("score", "-", "--rubric-preset", "mine", stdin="").returncode, 2)

    def test_a_penalty_on_tokens_is_refused_where_rubrics_would_ignore_it(self):
        penalty = {"length": {"limit": 100, "buffer": 50}}
        given = [
            {"chain": paris(), "completion": PARIS, "length": 99},
            {"key": TSP, "completion": forge("[0,1]"), "length": 99},
        ]
        _, (rubric, answer) = score(*given, options=("--reward", json.dumps(penalty)))
        self.assertEqual(rubric["error"]["field"], "chain")
        self.assertIn("not rewarded by its tokens", rubric["error"]["rule"])
        self.assertLess(answer["length_penalty"], 0)

    def test_a_keyword_that_folds_to_nothing_is_refused(self):
        for keyword in (" ", "\u200b", ["cat", "\t \u00a0"]):
            rubric = {
                "chain": 1,
                "references": ["a cat sat"],
                "content": {"points": [{"references": [{"keywords": ["a", keyword]}]}]},
            }
            (row,) = score({"chain": rubric, "completion": "the  cat"})[1]
            self.assertEqual(row["error"]["field"], "content.points[0].references[0].keywords[1]")

    def test_a_reference_that_spells_a_keyword_at_length_passes_its_own_density(self):
        keywords = [["machine learning systems", "ML"], "data"]
        text = "Here machine learning systems read data that people wrote, and machine learning systems do so slowly."
        rubric = {"chain": 1, "references": [text], "content": {"points": [{"references": [{"keywords": keywords}]}]}}
        (row,) = score({"chain": rubric, "completion": text})[1]
        self.assertEqual((row["gates"]["density"][1], row["total"]), (1024, 1.0))


if __name__ == "__main__":
    unittest.main()
