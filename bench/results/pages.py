#!/usr/bin/env python3
"""Keeps the pages' numbers equal to those of bench/results. pages.json, in this folder, maps numbers to result lines.

  bench/results/pages.py --check    names each number that differs from its line's; exit code 1
  bench/results/pages.py --write    writes them, including machines and commits

`lines` names result lines by the fields that a line must have, with a value or a list of alternatives. `on` selects the
machine (`machines`: that of the newest such line). `least` or `most` names a field by which one of several lines is
chosen, `sum` one that is added up; otherwise the newest line is used. A claim is a sentence of a page, or a table's
row, with {line.field|format} for a number, {line.field/line.field|…} for a ratio, {*} for text written by hand and
{task} for a name that selects the lines; `rows` is the number of its occurrences. A table stands between marker lines.
It has a row for each group of lines, and in each cell the first of its texts whose fields all exist."""

import argparse
import json
import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLACE = re.compile(r"\{([^{}]+)\}")
FOUND = r"([^|]{1,300}?)"  # a value on a page, within a table's cell
PREFIXES = ["", " k", " M", " G", " T"]
TIMES = [(1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")]


class Problem(Exception):
    """A fault of the data, described in a sentence."""


def figure(value, digits=2):
    """Rounds to so many significant digits, but keeps every digit before the point."""
    text = f"{value:#.{digits}g}"
    return f"{value:.0f}" if "e" in text or value == 0 else text.rstrip(".")


def si(value, digits=3):
    power = 0
    while float(figure(value, digits)) >= 1000 and power + 1 < len(PREFIXES):
        value, power = value / 1000, power + 1
    return figure(value, digits) + PREFIXES[power]


def seconds(value, digits=2):
    size, unit = next((pair for pair in TIMES if value >= pair[0] * 0.9995), TIMES[-1])
    return f"{figure(value / size, digits)} {unit}"


def one_in(count):
    """The bound 1 in n at 95 % when none of `count` occurred: the rule of three, rounded down to two digits."""
    most = int(count / -math.log(0.05))
    return str(most - most % 10 ** max(0, len(str(most)) - 2))


def ratio(value):
    return f"{value:,.0f}" if value >= 10 else figure(value, 2)


FORMATS = {
    "figure": figure,
    "fixed": lambda value, digits=2: f"{value:.{digits}f}",
    "si": si,
    "time": seconds,
    "ms": lambda value, digits=3: figure(1e3 * value, digits),
    "percent": lambda value, digits=2: f"{figure(100 * value, digits)} %",
    "ratio": ratio,
    "one_in": one_in,
    "first": lambda value, digits=7: value[:digits],
    "text": str,
}


def field_of(line, path):
    for part in path.split("."):
        line = line.get(part) if isinstance(line, dict) else None
    return line


def shown(value, form):
    name, _, digits = form.partition(":")
    if name not in FORMATS:
        raise Problem(f"no format '{name}'; expected one of {', '.join(FORMATS)}")
    return FORMATS[name](value, *([int(digits)] if digits else []))


def fits(line, wanted):
    return all(
        str(line.get(name, "")).partition(":")[0] == value
        if name == "device"
        else line.get(name) in (value if isinstance(value, list) else [value])
        for name, value in wanted.items()
    )


class Results:
    """The lines, and their names in the data."""

    def __init__(self, root):
        self.data = json.loads((root / "bench/results/pages.json").read_text(encoding="utf-8"))
        self.lines = [
            json.loads(line)
            for path in sorted((root / "bench/results").glob("*.jsonl"))
            for line in path.read_text(encoding="utf-8").splitlines()
        ]
        self.on = {name: self.of_newest_machine(wanted) for name, wanted in self.data["machines"].items()}

    def of_newest_machine(self, wanted):
        known = [line for line in self.lines if fits(line, wanted)]
        newest = max(known, key=lambda line: line["date"], default={"machine": None})
        return [line for line in self.lines if line["machine"] == newest["machine"]]

    def all(self, wanted):
        """The lines that have the fields, on the machine that `on` names."""
        wanted = dict(wanted)
        return [line for line in self.on[wanted.pop("on")] if fits(line, wanted)]

    def line(self, name, bound):
        if name not in self.data["lines"]:
            raise Problem(f"`lines` has no '{name}'")
        wanted = {
            field: PLACE.sub(lambda found: bound[found[1]], value) if isinstance(value, str) else value
            for field, value in self.data["lines"][name].items()
        }
        order = {end: wanted.pop(end) for end in ("least", "most", "sum") if end in wanted}
        lines = self.all(wanted)
        if not lines:
            raise Problem(f"bench/results has no line '{name}': {wanted}")
        if order:
            ((end, path),) = order.items()
            if end == "sum":
                return {"sum": sum(field_of(line, path) or 0 for line in lines)}
            return (min if end == "least" else max)(lines, key=lambda line: field_of(line, path))
        return max(lines, key=lambda line: (line["date"], line.get("batch", 0)))

    def value(self, place, bound):
        """The text for {place}."""
        expression, _, form = place.partition("|")
        parts = []
        for part in expression.split("/"):
            name, _, path = part.partition(".")
            parts.append(field_of(self.line(name, bound), path))
            if parts[-1] is None:
                raise Problem(f"the line '{name}' has no field '{path}'")
        return shown(parts[0] if len(parts) == 1 else parts[0] / parts[1], form or "text")


def pattern_of(text):
    """A claim's regular expression, in which any white space matches any other, and its places in their order."""
    pattern, places = "", []
    for k, part in enumerate(PLACE.split(text)):
        if k % 2 == 0:
            pattern += r"\s+".join(re.escape(word) for word in re.split(r"\s+", part))
        elif part == "*":
            pattern += r"[^|\n]*?"
        elif re.fullmatch(r"\w+", part):
            pattern += rf"(?P<{part}>\w+)"
        else:
            places.append(part)
            pattern += FOUND.replace("(", f"(?P<p{len(places) - 1}>", 1)
    return re.compile(pattern, re.DOTALL), places


def edits_of(page, claim, results):
    """(begin, end, found, expected, place) of each number of a claim on a page."""
    pattern, places = pattern_of(claim["text"])
    matches = list(pattern.finditer(page))
    if len(matches) != claim.get("rows", 1):
        raise Problem(f"stands there {len(matches)} times, expected {claim.get('rows', 1)}")
    for match in matches:
        bound = {name: word for name, word in match.groupdict().items() if not re.fullmatch(r"p\d+", name)}
        for k, place in enumerate(places):
            yield (*match.span(f"p{k}"), match[f"p{k}"], results.value(place, bound), place)


def cell_of(texts, line):
    for text in texts:
        values = [
            (field_of(line, place.partition("|")[0]), place.partition("|")[2] or "text")
            for place in PLACE.findall(text)
        ]
        if all(value is not None for value, _ in values):
            filled = iter(shown(value, form) for value, form in values)
            return PLACE.sub(lambda _, filled=filled: next(filled), text)
    return ""


def table_of(table, results):
    groups = {}
    for line in results.all(table["of"]):
        groups.setdefault(tuple(line.get(field, "") for field in table["row"]), []).append(line)
    first = table.get("first", "")
    titles = [column["title"] for column in table["columns"]]
    text = f"| {' | '.join(titles)} |\n|{'---|' * len(titles)}\n"
    above = ""
    for key in sorted(groups, key=lambda key: (key[0], key[1:] != (first,), key[1:])):
        cells = []
        for column in table["columns"]:
            line = next((line for line in groups[key] if fits(line, column.get("where", {}))), {})
            cells.append(cell_of(column["cell"], line))
        above, cells[0] = cells[0], "" if cells[0] == above else cells[0]
        text += f"| {' | '.join(cells)} |\n"
    return text


def with_table(page, table, results):
    begin, end = f"<!-- {table['name']}: bench/results/pages.py --write -->\n", f"<!-- {table['name']} ends. -->\n"
    if page.count(begin) != 1 or page.count(end) != 1 or page.index(begin) > page.index(end):
        raise Problem(f"needs these two lines, in this order:\n{begin}{end}")
    return page[: page.index(begin) + len(begin)] + table_of(table, results) + page[page.index(end) :]


def refreshed(name, page, results, say):
    """The page with its numbers. `say` gets each number that differed, and each claim that cannot be checked."""
    for table in results.data["tables"]:
        if table["page"] == name:
            try:
                fresh = with_table(page, table, results)
            except Problem as problem:
                say(f"{name}: the table '{table['name']}' {problem}", True)
                continue
            if fresh != page:
                say(f"{name}: the table '{table['name']}' is not what its lines are", False)
            page = fresh
    for claim in results.data["claims"]:
        if claim["page"] != name:
            continue
        head = f"{name}: '{' '.join(claim['text'].split())[:70]}…'"
        try:
            edits = list(edits_of(page, claim, results))
        except Problem as problem:
            say(f"{head} {problem}", True)
            continue
        for begin, end, found, expected, place in sorted(edits, reverse=True):
            if " ".join(found.split()) != " ".join(expected.split()):
                say(f"{head}: {{{place}}} is '{found}', expected '{expected}'", False)
                page = page[:begin] + expected + page[end:]
    return page


def main(arguments, root=ROOT):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--check", action="store_true")
    what.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    results = Results(root)
    stale = []

    def say(sentence, is_broken):
        stale.append(is_broken)
        if options.check or is_broken:
            print(sentence, file=sys.stderr)

    for name in sorted({part["page"] for part in results.data["claims"] + results.data["tables"]}):
        path = root / name
        page = path.read_text(encoding="utf-8")
        fresh = refreshed(name, page, results, say)
        if options.write and fresh != page:
            path.write_text(fresh, encoding="utf-8")
            print(name)
    if options.check and stale:
        print("bench/results/pages.py --write puts the numbers of bench/results there", file=sys.stderr)
    return 1 if any(stale) or (options.check and stale) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
