#!/usr/bin/env python3
"""Counts what is expensive in the machine code of tasks' kernels, and fails where it grew.

    sass.py BUILD            compares build/cuda's objects (sm_90) with tests/compile/sass.tsv
    sass.py BUILD --write    rewrites that table; commit it with a change that is meant to cost more
    sass.py BUILD --task tsp         shows one task's

A row is a task's kernel: instructions; loads and stores that determine their space at run time (generic), where shared
memory or global memory alone would be less expensive; those of local memory, which is a stack in global memory; and the
same three of its innermost loops alone (tests/compile/sass_loops.py). A kernel that is compiled for two places of its
scratch has a row for each. A count may be 2 % and 4 above the table's. A kernel that the table lacks, such as a new
task's, is shown and passes. With another compiler than the table's the comparison is skipped.

With any compiler it fails where lanes leave a function while others wait for them, in code that nvcc considered
unreachable (sass_loops.left).

cuobjdump and nvdisasm come from PyPI (5 MB). Exit code 77 where they are unavailable, unless OPTGAP_REQUIRE=oracle.
"""

import os
import pathlib
import re
import subprocess
import sys
import zipfile

import sass_loops

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "tests" / "compile" / "sass.tsv"
TOOL = ROOT / "build" / "cuobjdump"
WHEELS = ("nvidia-cuda-cuobjdump==13.5.37", "nvidia-cuda-nvdisasm==13.5.37")
COLUMNS = ("instructions", "generic", "local", "looped", "looped_generic", "looped_local")
COMPILER = re.compile(r"CMAKE_CUDA_COMPILER_VERSION \"([0-9.]+)\"")
IN_GLOBAL = re.compile(r"scratch_inE1E")  # a template argument, as the compiler writes it


def fetch():
    """The folder of the disassemblers; None where PyPI cannot be reached."""
    found = TOOL / "nvidia" / "cu13" / "bin"
    if not (found / "nvdisasm").exists():
        TOOL.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "pip",
                "download",
                "--quiet",
                "--disable-pip-version-check",
                "--no-deps",
                "--only-binary",
                ":all:",
                "--dest",
                TOOL,
                *WHEELS,
            ]
        )
        if done.returncode != 0:
            return None
        for wheel in TOOL.glob("*.whl"):
            zipfile.ZipFile(wheel).extractall(TOOL)
            wheel.unlink()
        for program in found.iterdir():
            program.chmod(0o755)
    return found


def kind(opcode):
    """generic, local, or neither. LDG, LDS, LDC and similar opcodes name their space."""
    word = opcode.split(".")[0]
    if word in ("LD", "ST", "ATOM"):
        return "generic"
    return "local" if word in ("LDL", "STL") else ""


def counted(tool, unit):
    """{kernel: {column: count}} of one object, and where lanes leave others: (kernel, address)."""
    path = f"{tool}{os.pathsep}{os.environ['PATH']}"  # where cuobjdump searches for nvdisasm
    text = subprocess.run(
        [tool / "cuobjdump", "-sass", "-arch", "sm_90", unit],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PATH": path},
    ).stdout
    kernels, leaving = {}, []
    for part in re.split(r"^\s*Function : ", text, flags=re.MULTILINE)[1:]:
        name = re.findall(r"\d+([a-z][a-z_]*_kernel)", part.split("\n", 1)[0])
        code = sass_loops.instructions(part)
        place = ", global" if IN_GLOBAL.search(part.split("\n", 1)[0]) else ""
        kernel = name[-1] + place if name else "functions"
        row = kernels.setdefault(kernel, dict.fromkeys(COLUMNS, 0))
        leaving += [(kernel, f"{address:#x}") for address in sass_loops.left(code)]
        count(row, ("instructions", "generic", "local"), [opcode for _, _, opcode, _ in code])
        for loop in sass_loops.innermost(code):
            count(row, ("looped", "looped_generic", "looped_local"), loop)
    return kernels, leaving


def count(row, columns, opcodes):
    """Adds the counts of all, generic and local accesses."""
    kinds = [kind(opcode) for opcode in opcodes]
    for column, number in zip(columns, (len(opcodes), kinds.count("generic"), kinds.count("local"))):
        row[column] += number


def main(arguments):
    named = arguments[arguments.index("--task") + 1 :][:1] if "--task" in arguments else []
    rest = [word for word in arguments if word not in ("--write", "--task", *named)]
    if len(rest) != 1 or ("--task" in arguments and not named):
        sys.exit(__doc__)
    tool = fetch()
    if tool is None:
        print("SKIPPED: PyPI cannot be reached, which has cuobjdump")
        return 1 if "oracle" in os.environ.get("OPTGAP_REQUIRE", "").split() else 77
    units = sorted(pathlib.Path(rest[0]).glob("CMakeFiles/optgap_kernels.dir/kernels/tasks/*/*.cu.o"))
    rows, leaving = {}, 0
    for unit in units:
        if not named or unit.parent.name in named:
            kernels, places = counted(tool, unit)
            for kernel, row in kernels.items():
                rows[(unit.parent.name, kernel)] = row
            for kernel, address in places:
                print(f"{unit.parent.name} {kernel}: lanes leave at {address} while others wait for them")
            leaving += len(places)
    if not rows:
        sys.exit(f"sass: no kernels of tasks below {rest[0]}; cmake --preset cuda builds them")
    compiler = (
        "nvcc "
        + COMPILER.search(next(pathlib.Path(rest[0]).glob("CMakeFiles/*/CMakeCUDACompiler.cmake")).read_text())[1]
    )
    if "--write" in arguments:
        lines = ["\t".join((*key, *(str(row[column]) for column in COLUMNS))) for key, row in sorted(rows.items())]
        TABLE.write_text("\n".join([compiler, "\t".join(("task", "kernel", *COLUMNS)), *lines]) + "\n")
        return 1 if leaving else 0
    known = {}
    made_by, _, *lines = TABLE.read_text().splitlines()
    if made_by != compiler and not named:
        print(f"SKIPPED: this build is of {compiler}, and the table of {made_by}")
        return 1 if leaving else 77
    for line in lines:
        task, kernel, *counts = line.split("\t")
        known[(task, kernel)] = dict(zip(COLUMNS, map(int, counts)))
    failed = 0
    for key, row in sorted(rows.items()):
        grown = [column for column in COLUMNS if key in known and row[column] > known[key][column] * 1.02 + 4]
        failed += bool(grown)
        if grown or named or key not in known:
            print(*key, *(f"{column} {row[column]} ({known.get(key, {}).get(column, 'new')})" for column in COLUMNS))
        for column in grown:
            print(f"  {column} grew; tests/compile/sass.py {rest[0]} --write where that is meant")
    gone = sorted(key for key in known if key not in rows and not named)
    for task, kernel in gone:
        print(f"{task} {kernel}: in the table alone; --write where it is meant to be gone")
    print(f"{len(rows)} kernels, {failed} grew, {len(gone)} in the table alone")
    return 1 if failed or gone or leaving else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
