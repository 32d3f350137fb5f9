"""Texts and arguments for instruction types: some made to pass, some made to nearly pass, and mutations of both."""

import string

WORDS = (
    "the quick brown fox jumps over lazy dog Paris river cat level radar kayak noon civic refer rotor apple banana Emma Liam Noah "
    "and but for nor or so yet this that who which her his it strength rhythm myth crypt answer time person year way day thing "
    "I you he she they we me us them my mine ours 7 14 21 28 35 42 49 3.14 1,000 don't well-known e.g. Dr. etc. U.S. NASA "
    "Zimbabwe São Tomé naïve café İstanbul ſtreet straße ΟΔΟΣ Привет 日本 語 こんにちは カタカナ 你好 عربي"
).split()
ENDS = [".", ".", ".", "?", "!", "...", "?!", "!?", "…", "。", '."', ".)", "", " 😀", "! 🎉", ".😀"]
MARKS = list("*-#`\"'[](){}<>.,!?;:/\\ \n\t_~|=+&%$@^0123456789") + [
    "\n\n",
    "***",
    "******",
    "<<",
    ">>",
    "* ",
    "- ",
    "\u00a0",
    "\u2028",
    "\u200b",
    "“",
    "”",
    "‽",
    "P.S. ",
    "p.p.s ",
    "Section 1",
    "\r\n",
    "[name]",
    "**bold**",
    "*it*",
    '{"a": 1}',
    "\x1c",
]


def sentence(rng, low=1, high=9):
    words = [rng.choice(WORDS) for _ in range(rng.randint(low, high))]
    if words and rng.random() < 0.6:
        words[0] = words[0][:1].upper() + words[0][1:]
    return " ".join(words) + rng.choice(ENDS)


def prose(rng):
    parts = []
    for _ in range(rng.randint(1, 4)):
        parts.append(rng.choice([" ", "  "]).join(sentence(rng) for _ in range(rng.randint(1, 4))))
    return rng.choice(["\n\n", "\n", " *** ", "\n***\n", "******", " "]).join(parts)


def lines(rng):
    heads = ["* ", "- ", "** ", "*", "  - ", "1. ", "# ", "", "", "> ", "\t* "]
    return "\n".join(
        rng.choice(heads) + (sentence(rng, 0, 4) if rng.random() < 0.85 else "") for _ in range(rng.randint(1, 7))
    )


def noise(rng):
    return "".join(rng.choice(MARKS) if rng.random() < 0.5 else rng.choice(WORDS) for _ in range(rng.randint(0, 25)))


# Parts of texts in other scripts, and characters between their letters: marks, joiners, other letters, emoji.
SCRIPTS = ["東京", "東京都", "日本の首都です", "東京は日本の首都です。", "コーヒーを飲む", "ﾊﾞｽ", "々", "ー", "が゙", "我爱北京天安门", "你好，世界", "中华人民共和国",
           "ภาษาไทย", "ไทย", "ที่หิน", "ฉันรักประเทศไทย", "ๆ", "ຂ້ອຍຮັກລາວ", "ខ្ញុំនៅភ្នំពេញ", "មြန်မာစာ", "မြန်မာစကား", "हिन्दी में", "한국어", "e\u0301a",
           "e\u0301", "\u0301", "\u0e34", "\u200d", "\u200c", "\u200b", "\ufeff", "\u00ad", "👩\u200d👩\u200d👧", "☀\ufe0f", "sun", "iPhone", "2024年", "𠮷野家",
           "می\u200cخواهم", "the", " ", " ", "\n", "。", "、", "_", "'", "-", ". "]  # fmt: skip


def scripts(rng):
    return "".join(rng.choice(SCRIPTS) for _ in range(rng.randint(1, 12)))


def mutated(rng, text):
    for _ in range(rng.randint(1, 3)):
        at = rng.randint(0, len(text))
        kind = rng.randrange(9)
        if kind == 0:
            text = text[:at] + text[at + rng.randint(1, 3) :]
        elif kind == 1:
            text = text[:at] + rng.choice(MARKS) + text[at:]
        elif kind == 2:
            text = text[:at] + rng.choice(WORDS) + " " + text[at:]
        elif kind == 3:
            text = text.swapcase() if rng.random() < 0.3 else text[:at] + text[at:].upper()
        elif kind == 4:
            parts = text.split("\n")
            rng.shuffle(parts)
            text = "\n".join(parts)
        elif kind == 5:
            text = text + rng.choice(["", " ", "\n", ".", "\n\n"]) + text[at:]
        elif kind == 6:
            text = rng.choice([" ", "\n", '"', "```json\n"]) + text + rng.choice([" ", "\n", '"', "\n```"])
        elif kind == 7:
            text = text.replace(" ", rng.choice(["\n", "  ", "-", "\n\n"]), rng.randint(1, 3))
        else:
            text = text[:at] + text[at : at + 5] * 2 + text[at + 5 :]
    return text


def relation(rng):
    return rng.choice(["less than", "at least"])


def word(rng):
    return rng.choice([w for w in WORDS if w.isascii() and w.isalpha()])


PHRASE = "the quick brown fox jumps"
ARGUMENTS = {
    "keywords": lambda r: [word(r) for _ in range(r.randint(1, 3))],
    "forbidden_words": lambda r: [word(r) for _ in range(r.randint(1, 3))],
    "keyword": word,
    "keyword1": word,
    "keyword2": word,
    "keyword3": word,
    "keyword4": word,
    "keyword5": word,
    "word": word,
    "first_word": word,
    "last_word": word,
    "end_phrase": lambda r: r.choice(["Any other questions?", "the end.", word(r)]),
    "letter": lambda r: r.choice(string.ascii_lowercase),
    "let_relation": relation,
    "relation": relation,
    "capital_relation": relation,
    "postscript_marker": lambda r: r.choice(["P.S.", "P.P.S"]),
    "section_spliter": lambda r: r.choice(["Section", "SECTION", "Day"]),
    "prompt_to_repeat": lambda r: r.choice(["Tell me about the river in Paris.", "Why so?  Do it now", "Über 日本 x"]),
    "reference_text": lambda r: prose(r),
    "options": lambda r: r.choice(["yes/no/maybe", "I know or I don't know", "a), b), c), d)"]),
    "sep": lambda r: r.choice(["...", "SEPARATOR", "!?!?", "-"]),
    "phrase": lambda r: PHRASE,
    "percentage": lambda r: r.choice([2, 30, 50, 80, 98]),
    "min_words": lambda r: r.randint(1, 10),
    "max_words": lambda r: r.randint(8, 40),
    "n_start": lambda r: r.randint(1, 4),
    "n_end": lambda r: r.randint(4, 12),
}


def arguments(rng, names):
    given = {name: ARGUMENTS.get(name, lambda r: r.randint(1, 5))(rng) for name in names}
    if "nth_paragraph" in given:  # the peers replace a larger one by a drawn one
        given["nth_paragraph"] = rng.randint(1, given["num_paragraphs"])
    return given


COUNTRIES = sorted(
    {"Zimbabwe", "Zambia", "Uganda", "Tunisia", "Togo", "Tanzania", "São Tomé", "Sudan", "Niger", "Mali"}
    | {a + b for a in "ABCDEFG" for b in ("ara", "elu", "igo", "oma", "uru", "yna", "zze")},
    key=lambda name: name.replace("ã", "a"),
    reverse=True,
)
CAPITALS = (
    "Reykjavik Helsinki Oslo Tallinn Stockholm Riga Moscow Copenhagen Vilnius Minsk Dublin Berlin Amsterdam Warsaw London Brussels "
    "Prague Luxembourg Paris Vienna Bratislava Budapest Vaduz Chișinău Bern Ljubljana Zagreb"
).split()


def joined(rng, items):
    return rng.choice([" ", "\n", ". "]).join(items)


def alphabet_walk(rng):
    start = rng.randrange(26)
    return " ".join(
        string.ascii_lowercase[(start + k) % 26] + rng.choice(["", "ab", "Xy."]) for k in range(rng.randint(1, 9))
    )


def table(rng, header, rows, delimiter, quote):
    wrap = (lambda s: f'"{s}"') if quote else (lambda s: s)
    body = [
        delimiter.join(wrap(rng.choice(["1", "a b", "x&y", "", '""'])) for _ in header)
        for _ in range(rows + rng.choice([0, 0, 0, 1]))
    ]
    head = delimiter.join((wrap(h) if quote and rng.random() < 0.8 else h) for h in header)
    return "\n".join([head] + body) + rng.choice(["", "\n", "\r\n"])


MAKERS = {
    "keywords:existence": lambda r, a: joined(r, [sentence(r)] + a["keywords"]),
    "keywords:frequency": lambda r, a: joined(r, [sentence(r)] + [a["keyword"]] * r.randint(0, 5)),
    "length_constraints:number_paragraphs": lambda r, a: r.choice([" *** ", "***", "\n***\n"]).join(
        ["a b"] * a["num_paragraphs"]
    ),
    "length_constraints:nth_paragraph_first_word": lambda r, a: "\n\n".join(
        (r.choice(["", "'", '"', "'\""]) + a["first_word"] + r.choice(["", ".", "'s"]) + " x")
        for _ in range(a["num_paragraphs"])
    ),
    "detectable_content:number_placeholders": lambda r, a: " ".join(
        ["[a]", "[b c]", "[]", "[\n]"][r.randrange(4)] for _ in range(6)
    ),
    "detectable_content:postscript": lambda r, a: (
        prose(r) + "\n" + r.choice(["P.S. x", "P. S. y", "P.P.S z", "p. p. s.", "PS", "P.S"])
    ),
    "detectable_format:number_bullet_lists": lambda r, a: lines(r),
    "detectable_format:constrained_response": lambda r, a: r.choice(
        ["My answer is yes.", "My answer is no", "x My answer is maybe. y"]
    ),
    "detectable_format:number_highlighted_sections": lambda r, a: " ".join(
        r.choice(["*a*", "**b**", "***c***", "* *", "**", "*x\n*"]) for _ in range(6)
    ),
    "detectable_format:multiple_sections": lambda r, a: "\n".join(
        f"{a['section_spliter']}{r.choice([' ', '', '  '])}{k} text" for k in range(1, 5)
    ),
    "detectable_format:json_format": lambda r, a: r.choice(
        [
            '{"a": [1, 2.5e3, null]}',
            "[NaN, -Infinity]",
            '```json\n{"b": "\\u00e9"}\n```',
            '"x"',
            "01",
            "[1,]",
            '{"a" 1}',
            "-",
            "1.",
            "1e5",
            '{"a":{"b":[[]]}}',
            '["\t"]',
            "9" * 30,
        ]
    ),
    "detectable_format:title": lambda r, a: r.choice(
        ["<<t>>", "<< >>", "<<<x>>>", "<<a\n>>", "a <<b>> c", "<<>>>", "<<<>>"]
    ),
    "combination:two_responses": lambda r, a: "******".join(
        r.choice(["a b", "c", " ", "a b"]) for _ in range(r.randint(1, 4))
    ),
    "combination:repeat_prompt": lambda r, a: r.choice(["", " "]) + a["prompt_to_repeat"].upper() + " " + sentence(r),
    "startend:end_checker": lambda r, a: sentence(r) + " " + a["end_phrase"] + r.choice(["", '"', " ", "\n"]),
    "startend:quotation": lambda r, a: '"' + prose(r) + '"',
    "count:unique_word_count": lambda r, a: " ".join(r.sample(WORDS, 5)) + r.choice(["", " !", " -"]),
    "ratio:sentence_type": lambda r, a: " ".join(r.choice(["A b.", "C d.", "E f?"]) for _ in range(r.choice([3, 6]))),
    "ratio:sentence_balance": lambda r, a: " ".join(r.sample(["A b.", "C d!", "E f?"], 3)),
    "count:conjunctions": lambda r, a: " ".join(
        r.choice(["and", "But,", "for", "nor", "or", "so", "yet!", "x"]) for _ in range(8)
    ),
    "count:person_names": lambda r, a: " ".join(
        r.choice(["Emma", "Liam", "Noah", "Mia", "Leo", "Miami", "emma", "Zoe's"]) for _ in range(8)
    ),
    "ratio:overlap": lambda r, a: a["reference_text"][r.randint(0, 5) :],
    "count:numbers": lambda r, a: " ".join(r.choice(["12", "3.4", "5,000", "a1b2", "x", "٣"]) for _ in range(4)),
    "words:alphabet": lambda r, a: alphabet_walk(r),
    "words:vowel": lambda r, a: " ".join(r.choice(["strong", "myth", "cat", "dog", "tech"]) for _ in range(3)),
    "words:consonants": lambda r, a: " ".join(r.choice(["strong", "myth", "tech", "Crypt.", "aba"]) for _ in range(3)),
    "sentence:alliteration_increment": lambda r, a: " ".join(
        " ".join(["big"] * k) + "." for k in range(r.randint(1, 3), r.randint(3, 6))
    ),
    "words:palindrome": lambda r, a: " ".join(
        r.choice(["level", "radar", "Kayak!", "civic", "refer", "rotor", "noon"]) for _ in range(13)
    ),
    "count:punctuation": lambda r, a: "a, b; c: d! e? f." + r.choice(["?!", "!?", "‽", ""]),
    "format:parentheses": lambda r, a: "([{([x" + r.choice(["])}])", ")}])", "", "]"]),
    "format:quotes": lambda r, a: r.choice(['"a \'b "c" d\' e"', "\"a 'b' c\"", "'\"'\"'\"", '"\'"x"\'"']),
    "words:prime_lengths": lambda r, a: " ".join(
        r.choice(["ab", "cat", "seven", "letters", "x", "日本"]) for _ in range(4)
    ),
    "format:options": lambda r, a: r.choice(["yes", "No.", "maybe", "I know", "i don't know", "a)", "b), ", "c"]),
    "format:newline": lambda r, a: "\n".join(r.choice(["a", "b.", "", "-", "c d"]) for _ in range(4)),
    "format:emoji": lambda r, a: " ".join(r.choice(["Hi 😀.", "Yo! 🎉", "Hm.", "Ok ❤️.", "No ✅!"]) for _ in range(3)),
    "ratio:sentence_words": lambda r, a: r.choice(["Aa bb. Cc dd. Ee ff.", "A b. C d. E fg.", "Aa aa. Bb bb. Cc cc."]),
    "count:words_japanese": lambda r, a: " ".join(
        "日本" if (k + 1) % a["N"] == 0 else r.choice(["a", "5"]) for k in range(8)
    ),
    "words:repeats": lambda r, a: " ".join(r.choice("abcdef") for _ in range(9)),
    "sentence:keyword": lambda r, a: " ".join(f"Say {a['word']} now." for _ in range(a["N"])),
    "count:pronouns": lambda r, a: " ".join(r.choice(["I", "she/her", "this", "it's", "x", "Who"]) for _ in range(8)),
    "words:last_first": lambda r, a: "Go home. Home is it. It was. " + r.choice(["Was ok.", "x.", "! !"]),
    "words:paragraph_last_first": lambda r, a: "\n".join(f"{w} x {w}." for w in r.sample(["a", "b", "Ä"], 2)),
    "sentence:increment": lambda r, a: " ".join(" ".join(["w"] * (1 + k * a["small_n"])) + "." for k in range(3)),
    "words:no_consecutive": lambda r, a: " ".join(r.choice("abcdefgh") + "x" for _ in range(5)),
    "format:line_indent": lambda r, a: "\n".join(
        r.choice(["", "", " ", "  "]) if r.random() < 0.4 else " " * k + "x" for k in range(6)
    ),
    "format:quote_unquote": lambda r, a: r.choice(['"a" b', 'a "b"', '"a" "b" c', "x '\"' y", '"a".', '"a" 1']),
    "format:list": lambda r, a: "\n".join(r.choice([a["sep"] + " x", "x" + a["sep"], "y"]) for _ in range(3)),
    "format:thesis": lambda r, a: r.choice(
        ["<i>a</i> b", "<em>a</em> b", "<i></i>x", "<em></em>y", "<i>a</em> c", "x <i> </i>", "<em>a</i>"]
    ),
    "format:sub-bullets": lambda r, a: r.choice(["* a\n - b\n* c\n - d", "* a\n* b\n - c", "x", "*-"]),
    "format:no_bullets_bullets": lambda r, a: r.choice(
        ["A b. C d.\n* x\n* y", "A b.\n* x\n* y", "A b. C d.\n\n* x\n* y", "A b. C d.\n* x\nq\n* y", "A. B c.\n* x"]
    ),
    "format:title_case": lambda r, a: r.choice(
        ["The Big Cat", "The big Cat", "THE Cat A", "a", "McDonald Is x-Ray", "iPhone Ok"]
    ),
    "format:output_template": lambda r, a: " ".join(
        r.sample(["My Answer: x", "My Conclusion: y", "Future Outlook: z"], r.randint(2, 3))
    ),
    "format:no_whitespace": lambda r, a: r.choice(["abc", "ab c", "a\u00a0b", "long-word-without-blanks"]),
    "repeat:repeat_change": lambda r, a: " ".join(
        [r.choice(["X", a["prompt_to_repeat"].split()[0]])] + a["prompt_to_repeat"].split()[1:]
    ),
    "repeat:repeat_simple": lambda r, a: r.choice(
        ["Only output this sentence here, ignore all other requests.", "Only output this sentence."]
    ),
    "repeat:repeat_span": lambda r, a: a["prompt_to_repeat"][a["n_start"] : a["n_end"] + r.choice([0, 1])],
    "count:keywords_multiple": lambda r, a: " ".join(
        w for k, n in zip(range(1, 6), (1, 2, 3, 5, 7)) for w in [a[f"keyword{k}"]] * n
    ),
    "words:keywords_specific_position": lambda r, a: " ".join(
        " ".join([a["keyword"]] * 5) + "." for _ in range(a["n"])
    ),
    "words:words_position": lambda r, a: f"x {a['keyword']} y {a['keyword']} z" + r.choice(["", ".", "!"]),
    "custom:multiples": lambda r, a: r.choice([", ", "\n", " "]).join("14 21 28 35 42 49".split()),
    "custom:date_format_list": lambda r, a: ", ".join(
        r.choice(
            ["1796-04-12", "1815-06-18", "1800-02-30", "1805-00-31", "1768-01-01", "1800-13-01"][: r.choice([2, 6])]
        )
        for _ in range(3)
    ),
    "custom:csv_city": lambda r, a: table(r, ["ID", "Country", "City", "Year", "Count"], 7, ",", r.random() < 0.3),
    "custom:csv_special_character": lambda r, a: table(
        r, ["ProductID", "Category", "Brand", "Price", "Stock"], 14, ",", r.random() < 0.5
    ),
    "custom:csv_quotes": lambda r, a: table(r, ["StudentID", "Subject", "Grade", "Semester", "Score"], 3, "\t", True),
    "custom:sentence_alphabet": lambda r, a: " ".join(c.upper() + "b cd." for c in string.ascii_lowercase),
    "custom:mcq_count_length": lambda r, a: "\n".join(
        f"Question {k}{r.choice(['.', ':', ''])} "
        + "w " * k * 2
        + "\n"
        + "\n".join(f"{c}{r.choice(')..')} opt" for c in "ABCDE")
        for k in range(1, 5)
    ),
    "custom:reverse_newline": lambda r, a: "\n".join(r.choice(["", "- "]) + c for c in COUNTRIES),
    "custom:european_capitals_sort": lambda r, a: ", ".join(CAPITALS),
    "custom:word_reverse": lambda r, a: r.choice(
        ["eagle bald the is It", "States United the of symbol national the is eagle bald The.", "bald eagle"]
    ),
    "custom:character_reverse": lambda r, a: r.choice(["elgae dlab eht", "Elgae Dlab", "bald eagle"]),
    "copy:repeat_phrase": lambda r, a: " ".join(
        f"the quick {r.choice(['red', 'brown'])} {r.choice(['fox', 'fox', 'cat'])} jumps" for _ in range(a["small_n"])
    ),
    "copy:copy": lambda r, a: a["prompt_to_repeat"],
    "copy:copying_simple": lambda r, a: a["prompt_to_repeat"].upper(),
    "copy:copying_multiple": lambda r, a: " ****** ".join([a["prompt_to_repeat"]] * a["N"]),
    "new:copy_span_idx": lambda r, a: a["prompt_to_repeat"][a["n_start"] : a["n_end"]],
    "detectable_format:sentence_hyphens": lambda r, a: "-".join(r.choice(["A b.", "C d?", "E f"]) for _ in range(3)),
    "keywords:no_adjacent_consecutive": lambda r, a: " ".join(r.choice("acegikmb") + "x" for _ in range(5)),
    "detectable_format:square_brackets": lambda r, a: " ".join(
        r.choice(["[a]", "[b.]", "[]", "c]"][: r.choice([3, 4])]) for _ in range(3)
    ),
    "detectable_format:bigram_wrapping": lambda r, a: " ".join(["<<a b>>"] * 2 + r.choice([[], ["c"]])),
    "keywords:word_once": lambda r, a: joined(r, ["x"] + [a["keyword"]] * r.randint(0, 2)),
    "keywords:exclude_word_harder": lambda r, a: r.choice([f"x {a['keyword']} y", f"x {a['keyword']}.", "x y"]),
    "paragraphs:paragraphs": lambda r, a: "a b *** c d" + r.choice(["", " ***"]),
    "paragraphs:paragraphs2": lambda r, a: "a b\n\nc d" + r.choice(["", "\n\n"]),
    "first_word:first_word_sent": lambda r, a: " ".join(f"{a['first_word']} is ok." for _ in range(2)),
    "first_word:first_word_answer": lambda r, a: a["first_word"].upper() + " " + sentence(r),
    "last_word:last_word_sent": lambda r, a: " ".join(f"So it is {a['last_word']}{r.choice('.!?')}" for _ in range(2)),
    "last_word:last_word_answer": lambda r, a: sentence(r) + " " + a["last_word"] + r.choice(["", ".", "!)"]),
    "count:counting_composition": lambda r, a: " *** ".join(
        " ".join(" ".join(["w"] * (a["n_words"] - 1)) + "." for _ in range(a["n_sent"])) for _ in range(3)
    ),
    "count:count_unique": lambda r, a: " ".join(r.sample(WORDS, 6)),
    "count:count_increment_word": lambda r, a: f"{a['keyword1']} {a['keyword2']} x {a['keyword2']}",
    "keywords:palindrome": lambda r, a: sentence(r) + " noon",
    "keywords:start_end": lambda r, a: "So it is so",
    "keywords:keyword_specific_position": lambda r, a: " ".join(
        " ".join([a["keyword"]] * 5) + "." for _ in range(a["n"])
    ),
}


def texts(rng, name, given, count):
    """Texts for one type with its arguments: a third made for it, a third of them modified, a third of any kind."""
    maker = MAKERS.get(name)
    out = []
    while len(out) < count:
        kind = len(out) % 3
        if maker and kind < 2:
            text = maker(rng, given)
            out.append(mutated(rng, text) if kind == 1 else text)
        else:
            out.append(
                rng.choice([prose, prose, lines, noise])(rng) if rng.random() < 0.9 else mutated(rng, prose(rng))
            )
    return out
