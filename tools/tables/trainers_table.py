#!/usr/bin/env python3
"""The tables of docs/trainers.md that say what each adapter does and refuses, made of the folders of python/optgap/trainers.

tools/tables/trainers_table.py            says whether the page is up to date; exit code 1 if not
tools/tables/trainers_table.py --write    writes them
"""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/trainers.md"
ROWS = {
    "reward": "reward and components per row",
    "advantages": "own advantages, rankings (need whole groups)",
    "filters": "leaving out groups of equal rewards",
    "other_data": "other data in the same run",
    "data": "fresh instances without a file",
    "curriculum": "levels by a [curriculum](curriculum.md), saved with the run",
    "roles": "one model that poses, solves and judges ([roles](coevolution.md#in-a-trainer))",
    "environment": "where it runs",
    "versions": "tested with",
}


def tables():
    """Of this tree's adapters, by the name of their marker."""
    sys.path.insert(0, str(ROOT / "python"))
    from optgap.trainers.adapter import adapters

    known = sorted(adapters().values(), key=lambda one: one.title.lower())
    lines = ["| | " + " | ".join(one.title for one in known) + " |", "|---" * (len(known) + 1) + "|"]
    lines += [f"| {said} | " + " | ".join(getattr(one, field) for one in known) + " |" for field, said in ROWS.items()]
    refused = ["| trainer | refused | why |", "|---|---|---|"]
    refused += [f"| {one.title} | {setting} | {reason} |" for one in known for setting, reason in one.refused]
    return {"adapters": "\n".join(lines), "refusals": "\n".join(refused)}


def written(page):
    """The page's text with these tables."""
    for name, table in tables().items():
        begin, end = f"<!-- The {name}: tools/tables/trainers_table.py --write -->\n", f"<!-- The {name} end. -->"
        head, _, rest = page.partition(begin)
        if not rest or end not in rest:
            sys.exit(f"{PAGE}: has no place for the {name}: {begin.strip()} … {end}")
        page = head + begin + "\n" + table + "\n\n" + end + rest.partition(end)[2]
    return page


def main():
    page = PAGE.read_text(encoding="utf-8")
    new = written(page)
    if "--write" in sys.argv[1:]:
        PAGE.write_text(new, encoding="utf-8")
    elif new != page:
        sys.exit(
            f"{PAGE}: its tables are not those of python/optgap/trainers; run tools/tables/trainers_table.py --write"
        )


if __name__ == "__main__":
    main()
