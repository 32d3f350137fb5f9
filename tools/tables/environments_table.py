#!/usr/bin/env python3
"""The tables of docs/environments.md, made of python/optgap/environments: shapes of rewards, ends, frameworks.

tools/tables/environments_table.py            says whether the page is up to date; exit code 1 if not
tools/tables/environments_table.py --write    writes them
"""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/environments.md"


def _of_names(head, known):
    return "\n".join([f"| `{head}` | |", "|---|---|", *(f"| `{name}` | {said} |" for name, said in known.items())])


def tables():
    """Of this tree's package, by the name of their marker."""
    sys.path.insert(0, str(ROOT / "python"))
    from optgap.environments.adapter import adapters
    from optgap.environments.names import SHAPES, UNTIL

    known = sorted(adapters().values(), key=lambda one: one.title.lower())
    rows = [f"| {one.title} | {one.interface} | {one.turn} | {one.tested} |" for one in known]
    frameworks = "\n".join(["| framework | interface | a turn | tested with |", "|---|---|---|---|", *rows])
    return {"shapes": _of_names("reward_shape", SHAPES), "ends": _of_names("until", UNTIL), "frameworks": frameworks}


def written(page):
    """The page's text with these tables."""
    for name, table in tables().items():
        begin, end = f"<!-- The {name}: tools/tables/environments_table.py --write -->\n", f"<!-- The {name} end. -->"
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
            f"{PAGE}: its tables are not those of python/optgap/environments; run tools/tables/environments_table.py --write"
        )


if __name__ == "__main__":
    main()
