"""Measures in plain Python, from the table of docs/checks.md: (value, the whole that it is a share of). Slow and
simple."""

import csv
import io
import json
import re
import string
import unicodedata

import text_rules
import word_rules


def words(text):
    return re.findall(r"\w+", text)


def characters(text):
    return len(text)


def is_cjk(char):
    name = unicodedata.name(char, "")
    return name.startswith(
        (
            "CJK UNIFIED",
            "CJK COMPAT",
            "HIRAGANA LETTER",
            "KATAKANA LETTER",
            "HALFWIDTH KATAKANA LETTER",
            "IDEOGRAPHIC ITERATION",
        )
    )


def counted_words(text, options):
    if options.get("cjk") == "runs":
        return len(words(text))
    if options.get("cjk") == "words":
        return len(word_rules.words(text))
    return len(re.findall(r"\w+", "".join(" x " if is_cjk(c) else c for c in text)))


def outside(text):
    """Lines outside of code fences, and the first lines of the fences."""
    lines, opens, mark = [], [], None
    for line in text.split("\n"):
        rest = line.lstrip(" \t")
        if mark is None and rest[:3] in ("```", "~~~"):
            mark = rest[:3]
            opens.append(rest)
        elif mark is not None:
            mark = None if rest.startswith(mark) else mark
        else:
            lines.append(line)
    return lines, opens


def level(line):
    indent = re.match(r"[ \t]*", line)[0]
    return (indent.count(" ") + 4 * indent.count("\t")) // 2 + 1


def bullets(text, options, wanted):
    markers = options.get("markers", "-*+•")
    found = [line for line in outside(text)[0] if re.match(r"[ \t]*[" + re.escape(markers) + r"][ \t].*\S", line)]
    return sum(wanted(level(line)) for line in found), nonempty(text)


def nonempty(text):
    return sum(bool(line.strip()) for line in text.split("\n"))


def lines_like(text, pattern):
    return sum(bool(re.match(pattern, line)) for line in outside(text)[0]), nonempty(text)


def spans(text, size):
    """Spans between runs of exactly `size` stars. One opens before a character other than white space; the next that
    may close closes."""
    count = 0
    for line in outside(text)[0]:
        runs = [(m.start(), m.end()) for m in re.finditer(r"\*+", line)]
        opened = None
        for begin, end in runs:
            if end - begin != size:
                continue
            if opened is not None and not line[begin - 1].isspace():
                count, opened = count + 1, None
            elif opened is None and end < len(line) and not line[end].isspace():
                opened = end
    return count


def links(text):
    return sum(len(re.findall(r"\[[^\[\]]+\]\([^)]+\)", line)) for line in outside(text)[0])


def tables(text):
    count, piped = 0, False
    for line in outside(text)[0]:
        rule = bool(re.fullmatch(r"[|\-: \t]+", line.strip())) and "|" in line and "-" in line
        count += rule and piped
        piped = not rule and "|" in line
    return count


def python_fold(text):
    """Simple lower case and IGNORECASE's four letters, one code point for each."""
    return "".join({"\u0130": "i", "\u0131": "i", "\u017f": "s", "\u212a": "k"}.get(c, c.lower()) for c in text)


def found(one, text, options):
    folded = (lambda given: given) if options.get("fold") == "none" else python_fold
    if options.get("boundary", "word") == "word":
        return word_rules.count(text, one, folded)
    return folded(text).count(folded(one))


def runs_of(text, n):
    all_words = word_rules.words(text.lower())
    return [tuple(all_words[k : k + n]) for k in range(len(all_words) - n + 1)]


def repeated(text, n):
    runs = runs_of(text, n)
    return len(runs) - len(set(runs)), len(runs)


def shared(text, other, n):
    known, runs = set(runs_of(other, n)), runs_of(text, n)
    return sum(run in known for run in runs), len(runs)


def in_order(text, texts):
    at, text = 0, text.lower()
    for found, one in enumerate(texts):
        at = text.find(one.lower(), at)
        if at < 0:
            return found
        at += len(one.lower())
    return len(texts)


def nesting(text, quotes):
    """Removes innermost closed pairs, a level at a time, between mismatches."""
    if quotes:
        stack, best = [], 0
        for char in text:
            if char in "\"'":
                if stack and stack[-1][0] == char:
                    depth = stack.pop()[1] + 1
                    best = max(best, depth)
                    if stack:
                        stack[-1][1] = max(stack[-1][1], depth)
                else:
                    stack.append([char, 0])
        return best
    best, stack = 0, []
    for char in text:
        if char in "([{":
            stack.append([char, 0])
        elif char in ")]}":
            if stack and "([{".index(stack[-1][0]) == ")]}".index(char):
                depth = stack.pop()[1] + 1
                best = max(best, depth)
                if stack:
                    stack[-1][1] = max(stack[-1][1], depth)
            else:
                stack = []
    return best


def strict_json(text):
    text = text.strip()
    for fence in ("```json", "```Json", "```JSON", "```"):
        text = text.removeprefix(fence)

    def refuse(_):
        raise ValueError

    try:
        return True, json.loads(text.removesuffix("```").strip(), parse_constant=refuse)
    except (ValueError, RecursionError):
        return False, None


KINDS = {
    dict: "object",
    list: "array",
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
}


def json_keys(text, options):
    _, value = strict_json(text)
    types = options.get("types", [])
    return sum(
        isinstance(value, dict) and key in value and (k >= len(types) or types[k] in ("any", KINDS[type(value[key])]))
        for k, key in enumerate(options["required"])
    )


def is_csv(text, options):
    delimiter = {"tab": "\t", "semicolon": ";"}.get(options.get("delimiter"), ",")
    try:
        rows = list(csv.reader(io.StringIO(text.strip()), delimiter=delimiter))
    except csv.Error:
        return False
    return (
        bool(rows)
        and options.get("rows", 0) in (0, len(rows))
        and all(len(row) == len(rows[0]) and options.get("columns", 0) in (0, len(row)) for row in rows)
    )


def parts(text, options):
    found = [part.strip() for part in text.split(options["separator"]) if part.strip()]
    return len(set(found)) if options.get("distinct") == "yes" else len(found)


def paragraphs(text, by):
    cut = {"blank": r"\n\s*\n", "double": r"\n\n", "stars": r"\s?\*\*\*\s?"}[by]
    return sum(bool(part.strip()) for part in re.split(cut, text))


def wraps(text):
    text = text.strip()
    return any(
        len(text) > len(a) + len(b) and text.startswith(a) and text.endswith(b) for a, b in ('""', "''", "“”", "«»")
    )


def punctuation(text):
    return sum(c in string.punctuation or unicodedata.category(c)[0] == "P" for c in text)


def highlights(text):
    return sum(bool(h.strip("*").strip()) for h in re.findall(r"\*[^\n\*]*\*", text)) + sum(
        bool(h[2:-2].strip()) for h in re.findall(r"\*\*[^\n\*]*\*\*", text)
    )


def letters_of(text, name):
    """Letters whose name begins with the script's; CJK ideographs are Han."""
    begin = {"han": ("CJK ", "IDEOGRAPHIC ITERATION"), "katakana": ("KATAKANA ", "HALFWIDTH KATAKANA LETTER")}.get(
        name, name.upper() + " "
    )
    return sum(c.isalpha() and unicodedata.name(c, "").startswith(begin) for c in text)


TWINS = {
    "bytes": lambda t, o, p: len(t.encode()),
    "characters": lambda t, o, p: len(t),
    "words": lambda t, o, p: counted_words(t, o),
    "pieces": lambda t, o, p: len(t.split()),
    "unique_words": lambda t, o, p: (len(set(word_rules.words(t.lower()))), len(word_rules.words(t.lower()))),
    "letters": lambda t, o, p: (sum(c.isalpha() for c in t), len(t)),
    "digits": lambda t, o, p: (len(re.findall(r"\d", t)), len(t)),
    "numbers": lambda t, o, p: len(re.findall(r"\d+", t)),
    "punctuation": lambda t, o, p: (punctuation(t), len(t)),
    "lines": lambda t, o, p: len(t.split("\n")) if t else 0,
    "nonempty_lines": lambda t, o, p: nonempty(t),
    "paragraphs": lambda t, o, p: paragraphs(t, o.get("by", "blank")),
    "sentences": lambda t, o, p: len(text_rules.plain(t)),
    "longest_line": lambda t, o, p: max(map(len, t.split("\n"))),
    "longest_word": lambda t, o, p: max(map(len, words(t)), default=0),
    "upper_words": lambda t, o, p: (sum(w.isupper() and len(w) > 1 for w in words(t)), len(words(t))),
    "title_words": lambda t, o, p: (
        sum(w[0].isupper() and (len(w) == 1 or w[1:].islower()) for w in words(t)),
        len(words(t)),
    ),
    "upper_letters": lambda t, o, p: (sum(c.isupper() for c in t), sum(c.isalpha() for c in t)),
    "lower_letters": lambda t, o, p: (sum(c.islower() for c in t), sum(c.isalpha() for c in t)),
    "all_upper": lambda t, o, p: t.isupper(),
    "all_lower": lambda t, o, p: t.islower(),
    "script_letters": lambda t, o, p: (letters_of(t, o["script"]), sum(c.isalpha() for c in t)),
    "bullets": lambda t, o, p: bullets(t, o, lambda n: o.get("level", 0) in (0, n)),
    "sub_bullets": lambda t, o, p: bullets(t, o, lambda n: n >= 2),
    "numbered": lambda t, o, p: lines_like(t, r"[ \t]*[0-9]+[.)][ \t].*\S"),
    "headings": lambda t, o, p: lines_like(t, r"#{%s}[ \t].*\S" % (o.get("level") or "1,6")),
    "bold": lambda t, o, p: spans(t, 2),
    "italic": lambda t, o, p: spans(t, 1),
    "inline_code": lambda t, o, p: sum(bool(m[1:-1]) for line in outside(t)[0] for m in re.findall(r"`[^`]*`", line)),
    "fences": lambda t, o, p: sum(
        not o.get("language") or f[3:].strip().lower() == o["language"].lower() for f in outside(t)[1]
    ),
    "tables": lambda t, o, p: tables(t),
    "links": lambda t, o, p: links(t),
    "block_quotes": lambda t, o, p: (
        sum(bool(re.match(r"[ \t]*>", line)) and bool(line.lstrip(" \t")[1:].strip()) for line in outside(t)[0]),
        nonempty(t),
    ),
    "rules": lambda t, o, p: sum(bool(re.fullmatch(r"-{3,}|\*{3,}|_{3,}", line.strip())) for line in outside(t)[0]),
    "highlights": lambda t, o, p: highlights(t),
    "contains": lambda t, o, p: (sum(found(x, t, o) > 0 for x in o["texts"]), len(o["texts"])),
    "count_of": lambda t, o, p: (sum(found(x, t, o) for x in o["texts"]), len(word_rules.words(t))),
    "tone": lambda t, o, p: (sum(found(x, t, o) for x in o["list"]), len(word_rules.words(t))),
    "first_word": lambda t, o, p: word_rules.words(t)[:1] != [] and word_rules.words(t)[0].lower() == o["word"].lower(),
    "last_word": lambda t, o, p: word_rules.words(t)[:1] != [] and word_rules.words(t)[-1].lower() == o["word"].lower(),
    "nth_word": lambda t, o, p: (
        word_rules.words(t)[o["n"] - 1 : o["n"]] != [] and word_rules.words(t)[o["n"] - 1].lower() == o["word"].lower()
    ),
    "starts_with": lambda t, o, p: t.strip().lower().startswith(tuple(x.lower() for x in o["texts"])),
    "ends_with": lambda t, o, p: t.strip().lower().endswith(tuple(x.lower() for x in o["texts"])),
    "order_of": lambda t, o, p: (in_order(t, o["texts"]), len(o["texts"])),
    "max_repeat": lambda t, o, p: (
        max((word_rules.words(t.lower()).count(w) for w in word_rules.words(t.lower())), default=0),
        len(word_rules.words(t.lower())),
    ),
    "repeated_ngrams": lambda t, o, p: repeated(t, o.get("n", 4)),
    "shared_ngrams": lambda t, o, p: shared(t, o.get("other") or p, o.get("n", 4)),
    "repeats_prompt": lambda t, o, p: bool(p.strip()) and t.strip().lower().startswith(p.strip().lower()),
    "commas": lambda t, o, p: t.count(","),
    "exclamations": lambda t, o, p: t.count("!"),
    "questions": lambda t, o, p: t.count("?"),
    "quotes_wrap": lambda t, o, p: wraps(t),
    "nesting": lambda t, o, p: nesting(t, o.get("of") == "quotes"),
    "placeholders": lambda t, o, p: len(re.findall(r"\[.*?\]", t)),
    "angle_title": lambda t, o, p: any(x.lstrip("<").rstrip(">").strip() for x in re.findall(r"<<[^\n]+>>", t)),
    "json_valid": lambda t, o, p: strict_json(t)[0],
    "json_keys": lambda t, o, p: (json_keys(t, o), len(o["required"])),
    "csv": lambda t, o, p: is_csv(t, o),
    "sections": lambda t, o, p: sum(
        bool(re.match(r"[#* \t]*" + re.escape(o["splitter"]) + r"\s*[0-9]", line)) for line in t.split("\n")
    ),
    "postscript": lambda t, o, p: any(
        line.strip().lower().startswith(o.get("marker", "P.S.").lower())
        and line.strip()[len(o.get("marker", "P.S.")) :].strip()
        for line in t.split("\n")[1:]
    ),
    "parts": lambda t, o, p: parts(t, o),
    "equals": lambda t, o, p: t.strip().lower() == o["text"].strip().lower(),
}


def measured(name, text, options, prompt):
    """(value, of) as the program shows it: of is 1 where the measure is not a share."""
    found = TWINS[name](text, options, prompt)
    value, share = found if isinstance(found, tuple) else (found, 0)
    return [int(value), share or 1]
