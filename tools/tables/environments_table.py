#!/usr/bin/env python3
"""The tables of docs/environments.md, made of python/optgap/environments: shapes of rewards, ends, frameworks.

tools/tables/environments_table.py            says whether the page is up to date; exit code 1 if not
tools/tables/environments_table.py --write    writes them
"""

import marked


def _of_names(head, known):
    return "\n".join([f"| `{head}` | |", "|---|---|", *(f"| `{name}` | {said} |" for name, said in known.items())])


def tables():
    """Of this tree's package, by the name of their marker."""
    from optgap.environments.adapter import adapters
    from optgap.environments.names import SHAPES, UNTIL

    known = sorted(adapters().values(), key=lambda one: one.title.lower())
    rows = [f"| {one.title} | {one.interface} | {one.turn} | {one.tested} |" for one in known]
    frameworks = "\n".join(["| framework | interface | a turn | tested with |", "|---|---|---|---|", *rows])
    return {"shapes": _of_names("reward_shape", SHAPES), "ends": _of_names("until", UNTIL), "frameworks": frameworks}


if __name__ == "__main__":
    marked.main("docs/environments.md", tables(), "python/optgap/environments")
