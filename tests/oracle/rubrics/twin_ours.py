"""Preset `ours` in plain Python: content, style, gates, total, floors, from docs/rubrics.md, character by character.

Checks are measured by tests/oracle/checks/measure_twins.py, sentences split by text_rules.py there. It shares no code
with the engine. Known limits: keywords in one script (a match never ends inside of a mixed word otherwise), no normal
forms.
"""

import fractions
import functools
import pathlib
import re
import sys
import unicodedata

import stem_twin
import twin

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "checks"))
import measure_twins  # noqa: E402
import text_rules  # noqa: E402

FULL = 1024
BLANKS = " \t\n\v\f\r\x1c\x1d\x1e\x1f"
PLAIN = {"'": "‘’‚‛′", '"': "“”„‟″«»", "-": "‐‑‒–—―−", " ": "\u00a0\u202f\u3000", "...": "…"}
PLAIN = {one: plain for plain, several in PLAIN.items() for one in several}
PLAIN.update({chr(ord(c) + 0xFEE0): c for c in map(chr, range(0x21, 0x7F))})
SPACELESS = (
    "CJK UNIFIED",
    "CJK COMPAT",
    "IDEOGRAPHIC",
    "HIRAGANA LETTER",
    "KATAKANA LETTER",
    "THAI",
    "LAO",
    "KHMER",
    "MYANMAR",
)
CONSTANT = ("empty", "one_word", "prompt_echo", "other_reference")


@functools.lru_cache(None)
def is_word(char):
    return char.isalnum() or char == "_"


@functools.lru_cache(None)
def named(char, begins):
    return unicodedata.name(char, "").startswith(begins)


def fold(char):
    """Unicode's simple fold: one character for one."""
    whole, lower = char.casefold(), char.lower()
    return whole if len(whole) == 1 else lower if len(lower) == 1 else char


@functools.lru_cache(None)
def plain_folded(char):
    """The text's replacement for a character; None: it is hidden."""
    return None if unicodedata.category(char) == "Cf" else "".join(fold(plain) for plain in PLAIN.get(char, char))


def answer(text):
    behind = text.rpartition("</think>")[2]
    return "" if "<think>" in behind else behind


def outside_fences(text):
    fence = re.compile(r" {0,3}(`{3,}|~{3,})")
    out, at, line_begins = "", 0, True
    while at < len(text):
        opened = fence.match(text, at) if line_begins else None
        behind = at
        if opened:
            behind = text.find("\n", at)
            while behind >= 0:
                closed = fence.match(text, behind + 1)
                behind = text.find("\n", behind + 1)
                if closed and closed[1][0] == opened[1][0] and len(closed[1]) >= len(opened[1]):
                    break
            behind = len(text) if behind < 0 else behind
        elif text.startswith("<!--", at):
            close = text.find("-->", at + 4)
            behind = len(text) if close < 0 else close + 3
        elif text.startswith("](", at):
            line = text.find("\n", at)
            line = len(text) if line < 0 else line
            close = text.find(")", at + 2, line)
            behind = line if close < 0 else close + 1
        if behind > at:
            out, at, line_begins = out + "\n", behind, False
        else:
            line_begins = text[at] == "\n"
            out, at = out + text[at], at + 1
    return out


@functools.lru_cache(100000)
def stemmed(word):
    return stem_twin.stem(word) if word.isascii() and word.isalpha() and word.islower() else word


class Ready:
    """A text in the form that keywords are matched on."""

    def __init__(self, text, strip=True, stem=False):
        self.stem = stem
        shown = [plain_folded(char) if strip else char for char in text]
        self.hidden = shown.count(None)
        points = "".join(char for char in shown if char is not None)
        self.points = len(points) + self.hidden
        # As many blanks as the character had bytes, since a run of blanks counts as one.
        self.text = "".join(" " * len(c.encode()) if strip and c.isspace() and not c.isascii() else c for c in points)
        self.know()
        if stem:
            pieces, at = [], 0
            for begin, word in self.places():
                pieces += [self.text[at:begin], stemmed(word)]
                at = begin + len(word)
            self.text = "".join([*pieces, self.text[at:]])
            self.know()
        self.mixed = [False] * len(self.text)
        for run in re.finditer(r"\w+", self.text):
            if not strip or run[0].isascii():
                continue
            latin = any(named(c, ("LATIN", "ROMAN NUMERAL")) for c in run[0])
            if latin and any(named(c, ("CYRILLIC", "GREEK")) for c in run[0]):
                self.mixed[run.start() : run.end()] = [True] * len(run[0])

    def know(self):
        self.word = [is_word(c) for c in self.text] + [False]
        self.alone = [is_word(c) and named(c, SPACELESS) for c in self.text] + [False]

    def places(self):
        found = []
        for at, char in enumerate(self.text):
            if not self.word[at]:
                continue
            if at > 0 and self.word[at - 1] and not self.alone[at] and not self.alone[at - 1]:
                found[-1][1] += char
            else:
                found.append([at, char])
        return found

    def words(self):
        return [word for _, word in self.places()]

    def end_of(self, form, at):
        """The end of a keyword that begins at `at`; None: it is not there."""
        end = at
        for char in form:
            if end >= len(self.text):
                return None
            if char == " " and self.text[end] in BLANKS:
                while end < len(self.text) and self.text[end] in BLANKS:
                    end += 1
            elif char != " " and self.text[end] == char:
                end += 1
            else:
                return None
        closes = not is_word(form[-1]) or not self.word[end] or named(form[-1], SPACELESS) or self.alone[end]
        return end if closes else None

    def may_begin(self, at):
        before = at == 0 or not self.word[at - 1] or self.alone[at] or self.alone[at - 1]
        return not self.mixed[at] and (before or not self.word[at])


@functools.lru_cache(10000)
def folded_keyword(form, stem=False):
    return re.sub(f"[{BLANKS}]+", " ", Ready(form, stem=stem).text).strip(" ")


def forms_of(keywords, stem):
    return [[folded_keyword(form, stem) for form in ([one] if isinstance(one, str) else one)] for one in keywords]


@functools.lru_cache(10000)
def words_in(form):
    return len(Ready(form, strip=False).words())


def matches(keywords, ready):
    """(keyword's index, begin, end, words) in order: of several with the same begin the first of the list, and its
    shortest form."""
    found, free, forms = [], 0, forms_of(keywords, ready.stem)
    begins = {form[0] for several in forms for form in several}
    for at, char in enumerate(ready.text):
        if at < free or char not in begins or not ready.may_begin(at):
            continue
        here = [(place, end, form) for place, several in enumerate(forms) for form in several
                if (end := ready.end_of(form, at)) is not None]  # fmt: skip
        if here:
            place, free, form = min(here)
            found.append((place, at, free, words_in(form)))
    return found


@functools.lru_cache(100)
def prompt_runs(prompt, stem):
    return set(runs(Ready(prompt, stem=stem).words(), 8))


@functools.lru_cache(100)
def seen(text, stem):
    return Ready(outside_fences(answer(text)), stem=stem)


def falling(value, low, high):
    return FULL if value <= low else 0 if value >= high else FULL * (high - value) // (high - low)


def runs(words, width):
    return [tuple(words[at : at + width]) for at in range(len(words) - width + 1)]


def thousandths(part, whole, empty):
    return 1000 * part // whole if whole else empty


def repetition(words):
    return thousandths(len(set(runs(words, 4))), len(runs(words, 4)), 1000)


def copied(words, prompt, stem):
    known = prompt_runs(prompt, stem)
    return thousandths(sum(run in known for run in runs(words, 8)), len(runs(words, 8)), 0) if prompt else 0


def passes(check, text, prompt):
    if "all" in check:
        return all(passes(one, text, prompt) for one in check["all"])
    if "any" in check:
        return any(passes(one, text, prompt) for one in check["any"])
    if "not" in check:
        return not passes(check["not"], text, prompt)
    value, of = measure_twins.measured(check["check"], text, check, prompt)
    low, high = check.get("in", (check.get("min", 0), check.get("max", value)))
    if "equals" in check:
        low = high = check["equals"]
    of_what = measure_twins.TWINS[check["check"]](text, check, prompt)
    has_share = not isinstance(of_what, tuple) or of_what[1] > 0
    ratio = check.get("ratio_min", 0) * of <= 1000 * value <= check.get("ratio_max", 1000 * value) * of
    return low <= value <= high and ratio and (has_share or not {"ratio_min", "ratio_max"} & set(check))


class Rubric:
    def __init__(self, data):
        self.data, self.prompt, self.references = data, data.get("prompt", ""), data.get("references", [])
        self.points = data.get("content", {}).get("points", [])
        self.style = data.get("style", [])
        self.gates = data.get("gates", ["density", "length", "repetition", "copy", "hidden"] if self.points else [])
        self.stem = data.get("text", {}).get("stem") == "snowball:english"
        texts = [seen(text, self.stem) for text in self.references]
        words = [text.words() for text in texts]
        self.own = {"repetition": min(map(repetition, words), default=1000),
                    "hidden": max((thousandths(one.hidden, one.points, 0) for one in texts), default=0)}  # fmt: skip
        self.sequences = [[[place for place, *_ in matches(one["keywords"], texts[one.get("of", at)])]
                           for at, one in enumerate(point["references"])] for point in self.points]  # fmt: skip
        self.words, self.lengths, self.density = words, [], 0
        for text in range(len(self.references)):
            lists = [(forms_of(one["keywords"], self.stem), sequence)
                     for point, sequences in zip(self.points, self.sequences, strict=True)
                     for at, (one, sequence) in enumerate(zip(point["references"], sequences, strict=True))
                     if one.get("of", at) == text]  # fmt: skip
            if lists:
                matched = sum(max(map(words_in, forms[k])) for forms, sequence in lists for k in sequence)
                self.lengths.append(len(words[text]))
                self.density = max(self.density, thousandths(matched, len(words[text]), 1000))

    def has_inert_gate(self):
        """Whether a gate by keywords or by a reference's words has nothing to compare with."""
        keywords = any(one["keywords"] for point in self.points for one in point["references"])
        by_words = {"density", "length"} & set(self.gates)
        return bool(by_words and 0 in self.lengths) or ("density" in self.gates and not keywords)

    def gate_values(self, text, found, prompt):
        words, out = text.words(), {}
        matched = [0] * len(self.references)
        for point, lists in zip(self.points, found, strict=True):
            for at, (one, spans) in enumerate(zip(point["references"], lists, strict=True)):
                matched[one.get("of", at)] += sum(words for *_, words in spans)
        most = max(matched, default=0)
        density, length = thousandths(most, len(words), 0), 0
        for own in self.lengths:
            rise = FULL if own == 0 else falling(-3 * len(words), -2 * own, -own)
            length = max(
                length, min(rise, falling(len(words), 0, 1) if own == 0 else falling(2 * len(words), 3 * own, 6 * own))
            )
        out["density"] = [density, falling(2 * density, 5 * self.density, 12 * self.density) if self.density else FULL]
        out["length"] = [len(words), length]
        out["repetition"] = [repetition(words), falling(self.own["repetition"] - repetition(words), 250, 500)]
        own = max((copied(one, prompt, self.stem) for one in self.words), default=0)
        out["copy"] = [copied(words, prompt, self.stem), falling(copied(words, prompt, self.stem) - own, 150, 500)]
        hidden = thousandths(text.hidden, text.points, 0)
        out["hidden"] = [hidden, falling(hidden - self.own["hidden"], 2, 3)]
        return {name: out[name] for name in out if name in self.gates}

    def score(self, completion, prompt=""):
        prompt = prompt or self.prompt
        text = seen(completion, self.stem)
        found = [[matches(one["keywords"], text) for one in point["references"]] for point in self.points]
        ratios, content = [], 0.0
        for point, lists, sequences in zip(self.points, found, self.sequences, strict=True):
            pairs = [
                twin.ratio(sequence, [place for place, *_ in one])
                for sequence, one in zip(sequences, lists, strict=True)
            ]
            best = (0, 1)
            for upper, lower in pairs:
                best = (upper, lower) if fractions.Fraction(upper, lower) > fractions.Fraction(*best) else best
            ratios.append(list(best))
            content += round(point.get("weight", 1) * 10**6) * (best[0] / best[1])
        content = content / sum(round(point.get("weight", 1) * 10**6) for point in self.points) if self.points else 0.0
        checks = [int(passes(check, answer(completion), prompt)) for check in self.style]
        weights = [round(check.get("weight", 1) * 10**6) for check in self.style]
        style = sum(w for w, passed in zip(weights, checks, strict=True) if passed) / sum(weights) if weights else 0.0
        gates = self.gate_values(text, found, prompt)
        factor = min((of for _, of in gates.values()), default=FULL)
        if factor < FULL:
            content, style = content * factor / FULL, style * factor / FULL
        said = self.data.get("total", {})
        of_content, of_style = said.get("content", int(bool(self.points))), said.get("style", int(bool(self.style)))
        divide, grid = said.get("divide", of_content + of_style), said.get("grid", 1 / 4096)
        total = (of_content * content + of_style * style) / divide
        total = round(total / grid) * grid if grid else total
        return {"content": content, "style": style, "total": total, "points": ratios, "checks": checks, "gates": gates,
                "normalized": self.normalized(total, (of_content + of_style) / divide)}  # fmt: skip

    def normalized(self, total, top):
        floor = max([self.data.get("floors", {}).get(name, 0.0) for name in CONSTANT] + [0.0])
        if not top > floor:
            return float(total >= top)
        return min(max((total - floor) / (top - floor), -1.0), 1.0)

    def telegraphic(self, reference):
        text, spans = seen(reference, self.stem), {}
        for point in self.points:
            for one in point["references"]:
                for _, begin, end, _ in matches(one["keywords"], text):
                    spans[begin] = max(end, spans.get(begin, 0))
        pieces, behind = [], 0
        for begin in sorted(spans):
            if spans[begin] > behind:
                pieces.append(text.text[max(begin, behind) : spans[begin]])
                behind = spans[begin]
        return " ".join(pieces)

    def floors(self, other):
        texts = {"empty": "", "one_word": "Pst"}
        if self.prompt:
            texts["prompt_echo"] = self.prompt
        if self.points:
            texts["keyword_list"] = " ".join(one if isinstance(one, str) else one[0] for point in self.points
                                             for one in point["references"][0]["keywords"])  # fmt: skip
        if self.references:
            if self.points:
                texts["telegraphic"] = self.telegraphic(self.references[0])
            texts["shuffled"] = shuffled(self.references[0])
        if other:
            texts["other_reference"] = other
        if self.references:
            texts["reference"] = self.references[0]
        return {name: self.score(text)["total"] for name, text in texts.items()}


def shuffled(text):
    """The sentences in the order of the program's own random number generator."""
    sentences, state = text_rules.plain(text), 1
    for left in range(len(sentences), 1, -1):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        other = (state >> 33) % left
        sentences[left - 1], sentences[other] = sentences[other], sentences[left - 1]
    return " ".join(sentences)
