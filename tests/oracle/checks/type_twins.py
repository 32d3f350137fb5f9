"""Instruction types that no PyPI package has as published, in plain Python: IF-RLVR's 29, and those of IFBench 0.2.0
that evalscope changed. Written from the table of docs/checks.md; `peer` form. A raised exception is a failure."""

import re
import string

import text_rules

PUNCTUATION = string.punctuation
PRONOUNS = set(
    "i me we us you he him she her it they them my mine our ours your yours his hers its their theirs myself ourselves yourself "
    "yourselves himself herself itself themselves this that these those who whom whose which what whoever whomever whatever "
    "whichever anybody anyone anything everybody everyone everything nobody nothing somebody someone something each either "
    "neither both all some any none".split()
)


def bare(text):
    return text.translate(str.maketrans("", "", PUNCTUATION))


def edge(text):
    return text.strip(PUNCTUATION + " ")


def related(relation, value, bound):
    return value < bound if relation == "less than" else value >= bound


def matches(keyword, text):
    return len(re.findall(keyword, text, flags=re.IGNORECASE))


def trigrams(text):
    return {text[k : k + 3] for k in range(len(text) - 2)}


def overlap(s, t, a):
    own = trigrams(t)
    share = len(own & trigrams(a["reference_text"])) / len(own) * 100
    return a["percentage"] - 2 <= share <= a["percentage"] + 2


def position_of_token(s, a, only_words, fold):
    words = text_rules.tokens(s[a["n"] - 1])
    if only_words:
        words = [w for w in words if any(c.isalnum() for c in w)]
    found = words[a["m"] - 1]
    return found.lower() == a["keyword"].lower() if fold else found == a["keyword"]


def words_position(t, a):
    words = [w.lower() for w in text_rules.tokens(t)]
    final = len(words[-1]) == 1 and words[-1] in PUNCTUATION
    if len(words) < (3 if final else 2):
        return False
    return words[1] == words[-3 if final else -2] == a["keyword"].lower()


def title_case(t):
    for word in text_rules.tokens(t):
        first, rest = word[0], word[1:]
        if first.isalpha() and first.islower() and (not rest or rest.islower() or rest.isupper()):
            return False
    return True


def quote_unquote(t):
    t = "".join(t.replace("'\"'", "").split())
    end = t.strip(string.digits + PUNCTUATION.replace('"', ""))
    return '""' not in t and not end.endswith('"')


def phrase(t, a):
    words = a["phrase"].split()
    spans = re.findall(re.escape(words[0]) + " .*? " + re.escape(words[-1]), t)
    if len(spans) != a["small_n"]:
        return False
    for span in spans:
        differing = sum(x != y for x, y in zip(span.split(), words))
        if len(span.split()) > len(words) or differing > 1:
            return False
    return differing == 1


def parts(items, wanted):
    if any(not item.strip() for item in items[1:-1]):
        return False
    return sum(bool(item.strip()) for item in items) == wanted


def composition(t, a):
    cut = re.split(r"\s?\*\*\*\s?", t)
    return len(cut) == 3 and all(
        len(text_rules.plain(part)) == a["n_sent"]
        and all(len(text_rules.tokens(s)) == a["n_words"] for s in text_rules.plain(part))
        for part in cut
    )


def adjacent(t):
    firsts = [w[0].lower() for w in t.split()]
    return all(len(x) == len(y) == 1 and ord(y) - ord(x) != 1 for x, y in zip(firsts, firsts[1:]))


def word_reverse(t):
    turned = " ".join(bare(t.lower().strip()).split()[::-1])
    return "bald eagle" in turned and turned in text_rules.plain(turned)


IFBENCH = {
    "ratio:overlap": overlap,
    "ratio:sentence_words": lambda s, t, a: len(s) == 3 and len({len(x) for x in s}) == 1,
    "sentence:keyword": lambda s, t, a: bool(
        re.search(r"\b" + re.escape(a["word"]) + r"\b", s[a["N"] - 1], re.IGNORECASE)
    ),
    "count:pronouns": lambda s, t, a: (
        sum(w in PRONOUNS for w in text_rules.tokens(t.replace("/", " ").lower())) >= a["N"]
    ),
    "count:keywords_multiple": lambda s, t, a: all(
        t.lower().count(a[f"keyword{k}"].lower()) == n for k, n in zip(range(1, 6), (1, 2, 3, 5, 7))
    ),
    "words:keywords_specific_position": lambda s, t, a: position_of_token(s, a, True, True),
    "words:words_position": lambda s, t, a: words_position(t, a),
    "words:last_first": lambda s, t, a: all(
        x.rstrip(PUNCTUATION + " ").split()[-1].lower() == y.lstrip(PUNCTUATION + " ").split()[0].lower()
        for x, y in zip(s, s[1:])
    ),
    "format:quote_unquote": lambda s, t, a: quote_unquote(t),
    "format:title_case": lambda s, t, a: title_case(t),
    "repeat:repeat_span": lambda s, t, a: (
        t.strip().lower() == a["prompt_to_repeat"][a["n_start"] : a["n_end"] + 1].strip().lower()
    ),
    "custom:sentence_alphabet": lambda s, t, a: (
        len(s) == 26 and all(x.split()[0].lower()[0] == chr(97 + k) for k, x in enumerate(s))
    ),
    "custom:word_reverse": lambda s, t, a: word_reverse(t),
}

IF_RLVR = {
    "copy:repeat_phrase": lambda s, t, a: phrase(t, a),
    "copy:copy": lambda s, t, a: t.strip().lower() == a["prompt_to_repeat"].strip().lower(),
    "copy:copying_simple": lambda s, t, a: t.strip().lower() == a["prompt_to_repeat"].strip().lower(),
    "copy:copying_multiple": lambda s, t, a: (
        len(t.split("******")) == a["N"]
        and all(x.strip().lower() == a["prompt_to_repeat"].strip().lower() for x in t.split("******"))
    ),
    "new:copy_span_idx": lambda s, t, a: (
        t.strip().lower() == a["prompt_to_repeat"][a["n_start"] : a["n_end"]].strip().lower()
    ),
    "detectable_format:sentence_hyphens": lambda s, t, a: all(
        x == y for x, y in zip(t.split("-"), text_rules.plain(t.replace("-", " ")))
    ),
    "keywords:no_adjacent_consecutive": lambda s, t, a: adjacent(t),
    "detectable_format:square_brackets": lambda s, t, a: all(w.startswith("[") and w.endswith("]") for w in t.split()),
    "detectable_format:bigram_wrapping": lambda s, t, a: all(
        x.startswith("<<") and y.endswith(">>") for x, y in zip(t.split()[::2], t.split()[1::2])
    ),
    "keywords:word_once": lambda s, t, a: matches(a["keyword"], t) == 1,
    "keywords:word_count_different_numbers": lambda s, t, a: related(
        a["relation"], matches(a["keyword"], t), a["frequency"]
    ),
    "keywords:exclude_word_harder": lambda s, t, a: f" {a['keyword']} " not in t,
    "paragraphs:paragraphs": lambda s, t, a: parts(re.split(r"\s?\*\*\*\s?", t), 2),
    "paragraphs:paragraphs2": lambda s, t, a: parts(t.split("\n\n"), 2),
    "first_word:first_word_sent": lambda s, t, a: all(x.split()[0].lower() == a["first_word"].lower() for x in s),
    "first_word:first_word_answer": lambda s, t, a: t.split()[0].lower() == a["first_word"].lower(),
    "last_word:last_word_sent": lambda s, t, a: all(
        re.sub(r"[^\w\s]", "", x.split()[-1]).lower() == a["last_word"].lower() for x in s
    ),
    "last_word:last_word_answer": lambda s, t, a: (
        re.sub(r"[^\w\s]", "", t.split()[-1]).lower() == a["last_word"].lower()
    ),
    "punctuation:punctuation_dot": lambda s, t, a: "." not in t,
    "punctuation:punctuation_exclamation": lambda s, t, a: "!" not in t,
    "count:lowercase_counting": lambda s, t, a: len(re.findall(r"\b[a-z]+\b", t)) <= a["N"],
    "letters:letter_counting": lambda s, t, a: related(a["relation"], len(re.findall("[a-zA-Z]", t)), a["N"]),
    "letters:letter_counting2": lambda s, t, a: related(
        a["let_relation"], t.lower().count(a["letter"].lower()), a["let_frequency"]
    ),
    "count:counting_composition": lambda s, t, a: composition(t, a),
    "count:count_unique": lambda s, t, a: len(set(text_rules.tokens(t))) == len(text_rules.tokens(t)),
    "count:count_increment_word": lambda s, t, a: (matches(a["keyword1"], t), matches(a["keyword2"], t)) == (1, 2),
    "keywords:palindrome": lambda s, t, a: any(w == w[::-1] for w in t.split()),
    "keywords:keyword_specific_position": lambda s, t, a: position_of_token(s, a, False, False),
    "keywords:start_end": lambda s, t, a: (
        len(text_rules.tokens(t)) > 1 and text_rules.tokens(t)[0].lower() == text_rules.tokens(t)[-1].lower()
    ),
}


def verdict(rules, name, arguments, text):
    if not text.strip():
        return False
    try:
        return bool(rules[name](text_rules.plain(text), text, arguments))
    except (IndexError, ZeroDivisionError):
        return False
