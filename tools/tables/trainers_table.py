#!/usr/bin/env python3
"""The tables of docs/trainers.md that say what each adapter does and refuses, made of the folders of python/optgap/trainers.

tools/tables/trainers_table.py            says whether the page is up to date; exit code 1 if not
tools/tables/trainers_table.py --write    writes them
"""

import marked

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
    from optgap.trainers.adapter import adapters

    known = sorted(adapters().values(), key=lambda one: one.title.lower())
    lines = ["| | " + " | ".join(one.title for one in known) + " |", "|---" * (len(known) + 1) + "|"]
    lines += [f"| {said} | " + " | ".join(getattr(one, field) for one in known) + " |" for field, said in ROWS.items()]
    refused = ["| trainer | refused | why |", "|---|---|---|"]
    refused += [f"| {one.title} | {setting} | {reason} |" for one in known for setting, reason in one.refused]
    return {"adapters": "\n".join(lines), "refusals": "\n".join(refused)}


if __name__ == "__main__":
    marked.main("docs/trainers.md", tables(), "python/optgap/trainers")
