#!/usr/bin/env python3
"""Starts a task: copies tools/new_task, a small task that compiles and passes every property, under a new name.

    tools/new_task.py NAME [--into DIR] [--declarative [TASK]]

--declarative copies a declarative task of this tree (default vertex_cover; futoshiki for a grid), which inherits all but its definition. Writes DIR/NAME (default kernels/tasks/NAME) and nothing else: CMake finds the folder by itself.
"""

import argparse
import pathlib
import re
import sys

TEMPLATE = pathlib.Path(__file__).resolve().parent / "new_task"
TASKS = TEMPLATE.parent.parent / "kernels" / "tasks"
# Words that would not compile as a namespace, or collide with the command line's own.
RESERVED = set(
    "all alignas alignof and asm auto bool break case catch char class concept const constexpr continue decltype default "
    "delete do double else enum explicit export extern false float for friend goto if inline int long mutable namespace "
    "new noexcept not operator or private protected public register requires return short signed sizeof skeleton static "
    "struct switch task template this throw true try typedef typename union unsigned using virtual void volatile while xor "
    "main std optgap tasks reference text".split()
)


def refuse(sentence):
    print(f"new_task.py: {sentence}", file=sys.stderr)
    sys.exit(2)


def main():
    parser = argparse.ArgumentParser(description="Starts a task from the skeleton in tools/new_task.")
    parser.add_argument("name", help="lower-case letters, digits and single underscores, e.g. vertex_cover")
    parser.add_argument(
        "--declarative", nargs="?", const="vertex_cover", metavar="TASK", help="copy this declarative task"
    )
    parser.add_argument("--into", type=pathlib.Path, default=TASKS, help="folder of task folders")
    arguments = parser.parse_args()
    name = arguments.name
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or len(name) > 40:
        refuse(f"'{name}' is no task name: lower-case letters, digits and single underscores, 40 at most")
    if name in RESERVED or re.search(r"_(test|text|reference)$|_isa_", name):
        refuse(f"'{name}' is reserved")
    target = arguments.into / name
    if target.exists():
        refuse(f"{target} exists")
    template, old = (
        (TASKS / arguments.declarative, arguments.declarative) if arguments.declarative else (TEMPLATE, "skeleton")
    )
    definition = template / f"{old}.cu"
    if (
        not definition.is_file()
        or arguments.declarative
        and "OPTGAP_DEFINE_DECLARATIVE_TASK" not in definition.read_text()
    ):
        refuse(f"'{arguments.declarative}' is no declarative task of kernels/tasks")
    target.mkdir(parents=True)
    for source in sorted(template.iterdir()):
        if source.is_file() and not source.name.startswith("golden"):
            written = target / source.name.replace(old, name)
            written.write_text(source.read_text(encoding="utf-8").replace(old, name), encoding="utf-8")
            print(written)
    pages = "tools/family_pages.py --write fills its README's tables, and " if arguments.declarative else ""
    print(
        f"Build and test as before: CMake finds the folder. Then {pages}tools/freeze_golden.py {name} freezes its rows."
    )


if __name__ == "__main__":
    main()
