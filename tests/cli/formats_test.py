"""Completions as the families' chat templates write them, each with the proven optimum, under the formats that fit."""

import json
import unittest

from optgap_process import TSP4, lines, rows, run

OPTIMUM = "[0, 1, 3, 2]"
TAGGED = f"<answer>{OPTIMUM}</answer>"
DRAFT = "<answer>[2, 0, 1, 3]</answer>"
QUOTED = "I must write <answer>[a, b, c, ...]</answer>."
REWARDED, BROKEN, UNREAD = 2.0, -2.5, -0.5
LENIENT = {"format": "answer_only", "tail": "lenient"}
HARMONY = (
    "<|channel|>analysis<|message|>{}<|end|><|start|>assistant<|channel|>final<|message|>",
    "analysis{}assistantfinal",
)

# Format, completion, how generation ended, reward.
TABLE = [
    ("forge", f"<think>hm</think>{TAGGED}", "stop", REWARDED),
    ("forge", f"<think>{DRAFT} no</think>{TAGGED}<|im_end|>", "stop", REWARDED),
    ("forge", f"<think>I close it with </think> later</think>{TAGGED}", "stop", BROKEN),
    ("answer_only", f"<think>I close it with </think> later</think>{TAGGED}", "stop", REWARDED),
    ("forge", f"<think>hm</think>{TAGGED} The length is 80.", "stop", BROKEN),
    ("answer_only", f"<think>hm</think>{TAGGED} The length is 80.", "stop", BROKEN),
    (LENIENT, f"<think>hm</think>{TAGGED} The length is 80.", "stop", REWARDED),
    (LENIENT, f"<think>hm</think>{TAGGED} The length is 80.", "length", BROKEN),
    ("forge", TAGGED, "stop", BROKEN),
    ("answer_only", TAGGED, "stop", REWARDED),
    ("answer_only", f"<think>{DRAFT}</think>{TAGGED}", "stop", REWARDED),
    ("answer_only", f"<think>{QUOTED}</think>{TAGGED}", "stop", REWARDED),
    ("answer_only", f"<think>so {TAGGED}", "length", BROKEN),
    ("answer_only", f"<think>so {TAGGED}", None, BROKEN),
    ({"format": "answer_only", "opened": True}, f"so {TAGGED}", "length", BROKEN),
    ("boxed", f"<think>hm</think>so \\boxed{{{OPTIMUM}}}.", "stop", REWARDED),
    ("boxed", "\\boxed{\\left[0, 1, 3, 2\\right]}", "stop", REWARDED),
    ("boxed", "\\boxed{\\text{[0, 1, 3, 2]}}", "stop", REWARDED),
    ("boxed", "\\boxed{0 \\to 1 \\to 3 \\to 2}", "stop", REWARDED),
    ({"format": "boxed", "spelling": "strict"}, "\\boxed{\\left[0, 1, 3, 2\\right]}", "stop", UNREAD),
    ("boxed", f"<think>so \\boxed{{{OPTIMUM}}} but let me", "length", BROKEN),
    ("boxed", f"so \\boxed{{{OPTIMUM}}} but let me", "length", BROKEN),
    ("answer_line", f"<think>hm</think>**Final Answer:** {OPTIMUM}", "stop", REWARDED),
    ("answer_line", f"<think>so Answer: {OPTIMUM}", "length", BROKEN),
    ("answer_line", f"so Answer: {OPTIMUM}", "length", BROKEN),
    ({"format": "answer_line", "tail": "lenient"}, f"Answer: {OPTIMUM}\nIts length is 80.", "stop", REWARDED),
    *(
        ("harmony", form.format(inside) + TAGGED + end, "stop", REWARDED)
        for form in HARMONY
        for inside in ("hm", DRAFT, QUOTED)
        for end in ("", "<|return|>")
    ),
    *(("harmony", form.format(DRAFT).split("assistant")[0], "length", BROKEN) for form in HARMONY),
    ("magistral", f"[THINK]{DRAFT}[/THINK]{TAGGED}</s>", "stop", REWARDED),
    ("magistral", f"[THINK]{TAGGED}", "length", BROKEN),
    ("magistral_boxed", f"[THINK]hm[/THINK]\\boxed{{{OPTIMUM}}}", "stop", REWARDED),
    ("gemma4", f"<|channel>thought\n{QUOTED}<channel|>{TAGGED}<turn|>", "stop", REWARDED),
    ("seed", f"<seed:think>{DRAFT}</seed:think>{TAGGED}<seed:eos>", "stop", REWARDED),
    ("kimi", f"◁think▷{DRAFT}◁/think▷{TAGGED}<|im_end|>", "stop", REWARDED),
    ("cohere", f"<|START_THINKING|>{DRAFT}<|END_THINKING|>{TAGGED}<|END_OF_TURN_TOKEN|>", "stop", REWARDED),
    *(
        ("forge", f"<think>hm</think>{TAGGED}{end}", "stop", REWARDED)
        for end in (
            "<|user|>",
            "<|observation|>",
            "<turn|>",
            "<|eot|>",
            "<|call|>",
            "<|END_OF_TURN_TOKEN|>",
            "<end_of_utterance>",
            "[e~[",
            "<|hy_eos|>",
            "<end_of_turn>",
            "<｜end▁of▁sentence｜>",
        )
    ),
    ("answer_only", "<answer>0 -> 1 -> 3 -> 2</answer>", "stop", REWARDED),
    (LENIENT, "<answer>0 -> 1 -> 3 -> 2</answer>", "stop", REWARDED),
    (LENIENT, '<answer>{"tour": [0, 1, 3, 2]}</answer>', "stop", UNREAD),
    (LENIENT, f"<ANSWER>{OPTIMUM}</ANSWER>", "stop", BROKEN),
    ("answer_only", f"<answer>```json\n{OPTIMUM}\n```</answer>", "stop", REWARDED),
    ("answer_only", "<answer>[0, 1, 3, 2, 0]</answer>", "stop", REWARDED),
]


def row(form, completion, finish="stop"):
    made = {"task": "tsp", "instance": TSP4, "completion": completion, "format": form}
    return made if finish is None else {**made, "finish": finish}


class Formats(unittest.TestCase):
    def test_right_answers_are_rewarded_and_drafts_are_not(self):
        found = rows(run("score", "-", stdin=lines(*(row(*case[:3]) for case in TABLE))))
        for (form, completion, finish, reward), scored in zip(TABLE, found, strict=True):
            with self.subTest(format=form, completion=completion, finish=finish):
                self.assertEqual(scored["reward"], reward, scored["code"])

    def test_a_completion_that_used_up_its_limit_was_cut_off(self):
        text = f"so \\boxed{{{OPTIMUM}}} but let me"
        cases = [
            (9, 10, "stop", 0),
            (10, 10, "stop", 1),
            (11, 10, None, 1),
            (10, 10, "abort", 1),
            (10, None, "stop", 0),
        ]
        given = [{**row("boxed", text, finish), "length": length, "limit": limit} for length, limit, finish, _ in cases]
        found = rows(run("score", "-", stdin=lines(*given)))
        self.assertEqual([one["truncated"] for one in found], [case[3] for case in cases])
        self.assertEqual([one["reward"] > 0 for one in found], [not case[3] for case in cases])
        (refused,) = rows(run("score", "-", stdin=lines({**given[0], "limit": -1})))
        self.assertEqual(refused["error"]["field"], "limit")

    def test_groups_that_differ_by_length_alone_are_not_kept(self):
        spec = '{"length": {"limit": 100, "buffer": 50}}'
        texts = [(TAGGED, 10), (TAGGED, 80), (TAGGED, 99)]
        given = [{**row("answer_only", text, "stop"), "length": length, "group": 1} for text, length in texts]
        given += [{**one, "group": 2} for one in given[:2]] + [
            {**row("answer_only", "x", "stop"), "length": 10, "group": 2}
        ]
        found = rows(run("score", "-", "--reward", spec, stdin=lines(*given)))
        self.assertEqual(len({one["reward"] for one in found[:3]}), 3)
        self.assertEqual([one["keep"] for one in found], [0, 0, 0, 1, 1, 1])

    def test_they_are_listed_as_what_score_takes(self):
        listed = json.loads(run("formats", "--json").stdout)
        self.assertEqual(
            [one["name"] for one in listed[:5]], ["forge", "forge_prefilled", "answer_only", "boxed", "answer_line"]
        )
        self.assertEqual(len(listed), 5 + 3 * 6 + 3)
        self.assertEqual([one["name"] for one in listed[-3:]], ["program", "program_strict", "program_lenient"])
        text = run("formats").stdout
        for one in listed:
            self.assertIn(one["name"], text)
            given = {**one, "name": "mine"}
            (read,) = json.loads(run("formats", json.dumps(given), "--json").stdout)
            self.assertEqual(read, given)
            (same,) = json.loads(run("formats", json.dumps(one), "--json").stdout)
            self.assertEqual(same, one)
        (scored,) = rows(
            run(
                "score",
                "-",
                "--format",
                json.dumps(LENIENT),
                stdin=lines({**row(None, f"{TAGGED}. Done."), "format": None}),
            )
        )
        self.assertEqual(scored["reward"], REWARDED)

    def test_the_table_fits_a_terminal_and_a_name_shows_all(self):
        self.assertLessEqual(max(map(len, run("formats").stdout.splitlines())), 120)
        text = run("formats", "harmony", json.dumps({"format": "boxed", "reasoning": "none"})).stdout
        for said in (
            "<|channel|>commentary...",
            "analysis...assistantfinal",
            "first bytes alone",
            "last \\boxed{...}",
            "none: no markers",
            "lenient: ",
        ):
            self.assertIn(said, text)

    def test_what_has_no_effect_is_refused_with_reason_and_remedy(self):
        for given, field, why, remedy in (
            ({"format": "boxed", "answer": ["<a>", "</a>"]}, "format.answer", 'place is "boxed"', '"place" to "tagged"'),
            ({"place": "line", "answer": ["<answer>", "</a>"]}, "format.answer", 'place is "line"', "leave it out"),
            ({"reasoning": "none", "markers": [["<r>", "</r>"]]}, "format.markers", 'reasoning is "none"', "leave it out"),
            ({"format": "harmony", "reasoning": "none", "markers": []}, "format.markers", "[] has no effect", "leave it out"),
            ({"reasoning": "none", "opened": True}, "format.opened", 'reasoning is "none"', "set it to false"),
            ({"format": "forge_prefilled", "reasoning": "none"}, "format.opened", "true has no", 'or "reasoning" to'),
            ({"markers": [["", "</r>", "at_start"]]}, "format.markers[0][2]", "no opening tag", "leave it out"),
        ):  # fmt: skip
            with self.subTest(given=given):
                done = run("formats", json.dumps(given))
                self.assertEqual(done.returncode, 2)
                for said in (field, "has no effect, for ", why, remedy):
                    self.assertIn(said, done.stderr)

    def test_what_a_format_is_written_as_reads_back(self):
        for given in ({"format": "harmony", "reasoning": "none"}, {"format": "boxed", "answer": ["<answer>", "</answer>"]},
                      {"format": "forge_prefilled", "reasoning": "none", "opened": False},
                      {"format": "kimi_line", "ends": ["."]}):  # fmt: skip
            with self.subTest(given=given):
                (fields,) = json.loads(run("formats", json.dumps(given), "--json").stdout)
                again = run("formats", json.dumps(fields), "--json")
                self.assertEqual(again.stderr, "")
                self.assertEqual(json.loads(again.stdout), [fields])

    def test_a_scored_row_carries_its_format_along(self):
        first = run("score", "-", stdin=lines(row(LENIENT, f"{TAGGED} Done.")))
        name = rows(first)[0]["format_name"]
        self.assertEqual(json.loads(name)["tail"], "lenient")
        again = run("score", "-", stdin=lines({**row(name, f"{TAGGED} Done.")}))
        self.assertEqual(rows(again)[0]["reward"], REWARDED)

    def test_what_does_not_fit_is_refused_by_name(self):
        for given, said in (
            ({"format": "nope"}, "nope"), ({"tails": "strict"}, "format.tails"), ({"tail": "loose"}, "format.tail"),
            ({"place": 3}, "format.place"), ({"reasoning": True}, "format.reasoning"), ({"markers": "x"}, "format.markers"),
            ({"markers": [["", ""]]}, "format.markers[0]"), ({"markers": []}, "closing tag"), ({"opened": 1}, "format.opened"),
            ({"answer": ["<a>", ""]}, "format.answer[1]"), ({"answer": [" ", "x"]}, "white space"),
            ({"ends": [""]}, "format.ends[0]"), ({"answer": ["<think>", "</x>"]}, "begins the tag"),
            ({"format": "boxed", "reasoning": "none", "opened": True}, "no effect"),
            ({"markers": [["ab", "cd"], ["ef", "gh"]]}, "more than 4 ways"), ({"answer": ["x" * 65, "y"]}, "64"),
        ):  # fmt: skip
            with self.subTest(given=given):
                (refused,) = rows(run("score", "-", stdin=lines(row(given, TAGGED))))
                self.assertEqual(refused["error"]["field"], "format")
                self.assertIn(said, refused["error"]["rule"])
        done = run("formats", "{")
        self.assertEqual(done.returncode, 2)


if __name__ == "__main__":
    unittest.main()
