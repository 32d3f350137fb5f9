"""Word-based checks in texts of other scripts: forbidden words are found, right answers pass, and ICU is required only
where it is needed."""

import os
import subprocess
import unittest

from optgap_process import BINARY, lines, rows, run

JAPANESE = "私は昨日、東京へ行きました。天気はとても良かったです。"
CHINESE = "我爱北京天安门，天安门上太阳升。"
THAI = "ฉันรักภาษาไทยและอาหารไทยมาก"
KHMER = "ខ្ញុំនៅភ្នំពេញជាមួយគ្រួសារខ្ញុំ"
HINDI = "मैं हिन्दी में लिखता हूँ और पढ़ता हूँ"


def reward(check, text, mode="strict", **environment):
    row = {"chain": {"chain": 1, "style": [check], "rules": {"mode": mode}}, "completion": text}
    done = subprocess.run([BINARY, "score", "-", "--quiet"], input=lines(row), capture_output=True, text=True,
                          timeout=300, env={**os.environ, **environment})  # fmt: skip
    (row,) = rows(done)
    return row["error"]["rule"] if "error" in row else row["reward"]


class Scripts(unittest.TestCase):
    def test_a_forbidden_word_is_found_and_another_is_not(self):
        for text, there, other in ((JAPANESE, "東京", "大阪"), (CHINESE, "北京", "上海"), (THAI, "ไทย", "ลาว"), (KHMER, "ភ្នំពេញ", "ថៃ"),
                                   (HINDI, "हिन्दी", "हिन")):  # fmt: skip
            self.assertEqual(
                reward({"check": "keywords:forbidden_words", "forbidden_words": [there]}, text), 0.0, there
            )
            self.assertEqual(
                reward({"check": "keywords:forbidden_words", "forbidden_words": [other]}, text), 1.0, other
            )
            self.assertEqual(reward({"check": "keywords:existence", "keywords": [there]}, text), 1.0, there)
            self.assertEqual(reward({"check": "contains", "any": [there]}, text), 1.0, there)
            self.assertEqual(reward({"check": "contains", "any": [other]}, text), 0.0, other)

    def test_a_keyword_ends_where_words_do(self):
        # 京都 is not a word of 東京都, nor is "tide" one of "tidé" with a combining accent.
        self.assertEqual(reward({"check": "contains", "any": ["京都"]}, "私は東京都に住んでいます。"), 0.0)
        self.assertEqual(reward({"check": "contains", "any": ["tide"]}, "tide\u0301"), 0.0)
        self.assertEqual(reward({"check": "contains", "any": ["日本の首都"]}, "東京は日本の首都です。"), 1.0)
        self.assertEqual(reward({"check": "contains", "any": ["iPhone"]}, "新しいiPhoneを買った"), 1.0)

    def test_words_are_counted(self):
        for text, count in ((JAPANESE, 16), (CHINESE, 8), (THAI, 8), (HINDI, 8)):
            for check in ({"check": "words", "cjk": "words", "equals": count},
                          {"check": "length_constraints:number_words", "num_words": count, "relation": "at least"}):  # fmt: skip
                self.assertEqual(reward(check, text), 1.0, text)
            self.assertEqual(
                reward({"check": "length_constraints:number_words", "num_words": count, "relation": "less than"}, text),
                0.0,
            )
        self.assertEqual(
            reward({"check": "keywords:frequency", "keyword": "ไทย", "frequency": 2, "relation": "at least"}, THAI), 1.0
        )
        self.assertEqual(
            reward({"check": "keywords:frequency", "keyword": "ไทย", "frequency": 3, "relation": "at least"}, THAI), 0.0
        )

    def test_right_answers_pass(self):
        for check, text in (
            ({"check": "punctuation:no_comma"}, JAPANESE),
            ({"check": "length_constraints:number_sentences", "num_sentences": 2, "relation": "at least"}, JAPANESE),
            ({"check": "length_constraints:number_paragraphs", "num_paragraphs": 2}, JAPANESE + "\n***\n" + JAPANESE),
            ({"check": "combination:two_responses"}, JAPANESE + "******" + CHINESE),
            ({"check": "combination:repeat_prompt", "prompt_to_repeat": "東京の天気は？"}, "東京の天気は？" + JAPANESE),
            ({"check": "startend:quotation"}, '"' + JAPANESE + '"'),
            ({"check": "length_constraints:nth_paragraph_first_word", "num_paragraphs": 2, "nth_paragraph": 2, "first_word": "東京"},
             JAPANESE + "\n\n東京は日本の首都です。"),
            ({"check": "first_word:first_word_answer", "first_word": "東京"}, "東京は日本の首都です。"),
            ({"check": "last_word:last_word_answer", "last_word": "ไทย"}, "ฉันรักภาษาไทย"),
            ({"check": "first_word", "word": "東京"}, "東京は日本の首都です。"),
            ({"check": "last_word", "word": "มาก"}, THAI),
            ({"check": "nth_word", "word": "は", "n": 2}, "東京は日本の首都です。"),
            ({"check": "count:word_count_range", "min_words": 10, "max_words": 20}, JAPANESE),
            ({"check": "count:unique_word_count", "N": 7}, THAI),
            ({"check": "words:repeats", "small_n": 2}, THAI),
            ({"check": "words:keywords_specific_position", "keyword": "東京", "n": 1, "m": 4}, JAPANESE),
            ({"check": "sentence:keyword", "word": "天気", "N": 2}, JAPANESE),
        ):  # fmt: skip
            self.assertEqual(reward(check, text), 1.0, (check, text))

    def test_the_published_form_stays_as_published(self):
        # \b of Python's re takes the run of letters as one word, which is the published gap.
        self.assertEqual(
            reward({"check": "keywords:forbidden_words", "forbidden_words": ["東京"]}, JAPANESE, "peer"), 1.0
        )

    def test_without_icu_a_text_that_needs_it_is_refused_and_no_other(self):
        check = {"check": "keywords:forbidden_words", "forbidden_words": ["river"]}
        self.assertEqual(reward(check, "The tide comes twice a day, 한국어 и море.", OPTGAP_ICU=""), 1.0)
        self.assertIn("need ICU's word breaking", reward(check, JAPANESE, OPTGAP_ICU=""))
        self.assertEqual(reward({"check": "characters", "min": 1}, JAPANESE, OPTGAP_ICU=""), 1.0)

    def test_a_row_says_what_broke_its_words(self):
        check = {"check": "words", "cjk": "words", "min": 1}
        rowed = [{"chain": {"chain": 1, "style": [check]}, "completion": text} for text in (JAPANESE, "The tide")]
        first, second = rows(run("score", "-", "--quiet", stdin=lines(*rowed)))
        self.assertRegex(first["words_by"], r"^ICU \d+\.\d+$")
        self.assertNotIn("words_by", second)
        other = {**first, "words_by": "ICU 60.1"}
        done = run("eval", "-", "--quiet", stdin=lines(second, first, other))
        self.assertEqual(done.returncode, 2)
        self.assertIn(
            f"row 3 has words as ICU 60.1 breaks them, row 2 as {first['words_by']}; --allow-drift", done.stderr
        )
        self.assertEqual(run("eval", "-", "--quiet", "--allow-drift", stdin=lines(second, first, other)).returncode, 0)

    def test_time_is_linear(self):
        checks = [{"check": "keywords:forbidden_words", "forbidden_words": ["東京", "の", "ไทย", "\u0301", "a"]},
                  {"check": "words", "cjk": "words", "min": 1}, {"check": "count:unique_word_count", "N": 1}]  # fmt: skip
        for piece in (
            JAPANESE,
            "の",
            "ไทย",
            "a\u0301\u0301",
            "\u0301",
            "東\u200d",
            "👩\u200d👩\u200d👧",
            "a\u200c",
            "ー",
        ):
            spent = []
            for size in (250_000, 1_000_000):
                text = piece * (size // len(piece.encode()))
                row = {"chain": {"chain": 1, "style": checks}, "completion": text}
                before = os.times().children_user
                done = run("score", "-", "--quiet", stdin=lines(row))
                spent.append(os.times().children_user - before)
                self.assertEqual(done.returncode, 0, done.stderr)
            self.assertLess(spent[1], 8 * spent[0] + 0.5, piece)  # four times the text; 16 if quadratic
            self.assertLess(spent[1], 20, piece)


if __name__ == "__main__":
    unittest.main()
