#!/usr/bin/env python3
"""Rules of the tree that no compiler checks. Prints one line per breach; exit code 1 if there is any."""

import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CODE = {".cpp", ".hpp", ".cu", ".cuh", ".py", ".sh", ".cmake", ".txt"}
CXX = {".cpp", ".hpp", ".cu", ".cuh"}
MAX_LINES = 400
MAX_DEPTH = 4
MAX_FILES = 25  # of code in one folder: what one look takes in
# A file a task, or a command, by its name, as kernels/tasks holds a folder a task: no cap.
BY_NAME = {"tools/certificates/tasks", "python/optgap/commands"}
# A key of rows that was there before a task of that name.
KEYS_NAMED_AS_TASKS = {("host/report/statistics.cpp", "pairs"), ("host/roles/judge.cpp", "pairs")}
# What stands beside code to test it.
TEST = re.compile(r"_(test|reference|fixture)\.\w+$|^tests/")
CUDA_INCLUDE = re.compile(
    r'#\s*include\s*[<"](cuda|cub/|curand|cooperative_groups|thrust/|nvtx3/|device_launch|vector_types)'
)
CUB_INCLUDE = re.compile(r'#\s*include\s*[<"]cub/')
CUB_CALLS = "kernels/launch/cub_calls.cuh"
DEVICE_ONLY = re.compile(r"\b(threadIdx|blockIdx|blockDim|gridDim|__CUDA_ARCH__|__syncthreads|__syncwarp|__shfl\w*)\b")
FLOATING = re.compile(r"\b(float|double)\b")
ALLOCATION = re.compile(r"\b(malloc|calloc|realloc|free)\s*\(|\bnew\s+[A-Za-z_]|\bstd::(vector|string|map|set|deque)\b")
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{")
TYPE = re.compile(r"^(?:struct|class|enum(?: class)?) (\w+)(?: final)?(?: :[^{;]*)? \{")
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def files():
    """Tracked files and new ones that git does not ignore; everything when there is no git."""
    listing = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard", "-z"], capture_output=True, check=False
    )
    if listing.returncode == 0:
        paths = [ROOT / name for name in listing.stdout.decode().split("\0") if name]
    else:
        skipped = {"build", ".git", ".venv", "dist", "__pycache__"}
        paths = [p for p in ROOT.rglob("*") if not skipped.intersection(p.relative_to(ROOT).parts)]
    return sorted(p for p in paths if p.is_file())


def is_kernel_code(path):
    """Compiled for the GPU as well: what the property tests of task code hold for."""
    parts = path.parts
    if parts[0] != "kernels" or path.suffix not in {".hpp", ".cu"}:
        return False
    return parts[1] in {"families", "search", "tasks"} and not re.search(
        r"_(reference|text|prompt|files|picture|test|fixture)\.hpp$", path.name
    )


def breaches(path, text, task_names):
    """Yields (line, rule) for one file; `path` is relative to the root."""
    lines = text.splitlines()
    if path.suffix in CODE and len(lines) > MAX_LINES:
        yield len(lines), f"{len(lines)} lines; the cap is {MAX_LINES}"
    if len(path.parts) - 1 > MAX_DEPTH:
        yield 1, f"{len(path.parts) - 1} folders deep; the cap is {MAX_DEPTH}"
    if path.suffix in CODE and path.name != "check_layout.py":
        for number, line in enumerate(lines, 1):
            if UNFINISHED.search(line):
                yield number, "unfinished work belongs in the issue tracker"
    if path.suffix not in CXX:
        return
    if path.suffix in {".hpp", ".cuh"} and "#pragma once" not in text:
        yield 1, "a header without #pragma once"
    if path.parts[0] == "include" and path.name != "cuda.hpp":
        for number, line in enumerate(lines, 1):
            if CUDA_INCLUDE.search(line):
                yield number, "a CUDA header is reachable from the public surface"
    if path.suffix in CXX and path.as_posix() != CUB_CALLS:
        for number, line in enumerate(lines, 1):
            if CUB_INCLUDE.search(line):
                yield number, f"CUB looks at what errors are pending: call it through {CUB_CALLS}"
    bare = COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text).splitlines()
    for number, line in enumerate(bare, 1):
        if is_kernel_code(path):
            if found := DEVICE_ONLY.search(line):
                yield number, f"task code is written against a Team: {found.group()}"
            if found := FLOATING.search(line):
                yield number, f"task code has integers only: {found.group()}"
            if found := ALLOCATION.search(line):
                yield number, f"task code allocates nothing: {found.group()}"
        if path.parts[0] in {"host", "include"} and (found := re.search(r"\btasks::(\w+)|kernels/tasks/", line)):
            yield number, f"{path.parts[0]}/ never names a task: {found.group()}"
    # Formats of files say whose instances they hold.
    if path.parts[0] in {"host", "include"} and path.parts[:2] != ("host", "files"):
        for number, line in enumerate(lines, 1):
            for found in re.findall(r'"([a-z0-9_]+)"', line.split("//")[0]):
                if found in task_names and (path.as_posix(), found) not in KEYS_NAMED_AS_TASKS:
                    yield number, f'{path.parts[0]}/ never names a task: "{found}"'


def named_twice(headers):
    """(path, line, rule) of types that two headers define in one namespace: units that never meet may hold both, and the linker
    then takes one unit's inline functions for the other's. `headers` are (path, text)."""
    first = {}
    for path, text in headers:
        space = ""
        for number, line in enumerate(text.splitlines(), 1):
            if found := NAMESPACE.match(line):
                space = found[1]
            elif found := TYPE.match(line):
                other = first.setdefault((space, found[1]), path)
                if other != path:
                    yield path, number, f"{space}::{found[1]} is defined in {other}, too"


def crowded(paths):
    """(folder, files of code) of the folders that hold too many."""
    kept = [path for path in paths if path.suffix in CODE and not TEST.search(path.as_posix())]
    counts = collections.Counter(path.parent.as_posix() for path in kept)
    return [(folder, count) for folder, count in sorted(counts.items()) if count > MAX_FILES and folder not in BY_NAME]


def task_folders():
    """The folders that hold a task, as CMake sees them."""
    return sorted(p.parent for p in (ROOT / "kernels/tasks").glob("*/*.cu") if p.stem == p.parent.name)


def is_declarative(folder):
    return "OPTGAP_DEFINE_DECLARATIVE_TASK" in (folder / f"{folder.name}.cu").read_text(encoding="utf-8")


def is_tracked(path):
    listing = subprocess.run(["git", "-C", str(ROOT), "ls-files", str(path)], capture_output=True, check=False)
    return bool(listing.stdout.strip())


def main():
    failed = 0
    folders = task_folders()
    names = {folder.name for folder in folders}
    for folder in folders:
        required_files = ["README.md", f"{folder.name}.hpp", f"{folder.name}_text.cpp", f"{folder.name}_reference.hpp"]
        if not is_declarative(folder):  # whose examples the property tests test
            required_files.append(f"{folder.name}_test.cpp")
        for required in required_files:
            if not (folder / required).is_file():
                print(f"{folder.relative_to(ROOT)}: {required} is missing")
                failed += 1
        # A task under work has no frozen rows yet; one that is kept has.
        for frozen in ("golden.jsonl", "golden_hash.json"):
            if is_tracked(folder / f"{folder.name}.cu") and not (folder / frozen).is_file():
                print(
                    f"{folder.relative_to(ROOT)}: {frozen} is missing: tools/freeze_golden.py {folder.name} writes it"
                )
                failed += 1
    for folder, count in crowded(path.relative_to(ROOT) for path in files()):
        print(f"{folder}: {count} files of code; the cap is {MAX_FILES}")
        failed += 1
    checked = 0
    headers = []
    for path in files():
        relative = path.relative_to(ROOT)
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        checked += 1
        if path.suffix in {".hpp", ".cuh"} and relative.parts[0] in {
            "bench",
            "host",
            "include",
            "kernels",
            "python",
            "tools",
        }:
            headers.append((relative, text))
        for line, rule in breaches(relative, text, names):
            print(f"{relative}:{line}: {rule}")
            failed += 1
    for path, line, rule in named_twice(headers):
        print(f"{path}:{line}: {rule}")
        failed += 1
    print(f"{checked} files, {len(folders)} tasks, {failed} breaches")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
