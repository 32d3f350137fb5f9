#!/usr/bin/env python3
"""Which room may use which: the law, as data, held against every include of C++ and CUDA and every import of the Python
package. Prints one line per breach; exit code 1 if there is any.

  tools/check_arrows.py            checks, also that docs/architecture.md shows this table
  tools/check_arrows.py --write    writes the table into docs/architecture.md
  tools/check_arrows.py --seen     prints which rooms each room does use"""

import ast
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = "docs/architecture.md"
BEGIN, END = "<!-- The rooms: tools/check_arrows.py --write -->\n", "<!-- The rooms end. -->\n"
CXX = {".cpp", ".hpp", ".cu", ".cuh", ".in"}
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.M)
# What stands beside code to test it may use anything.
TEST = re.compile(r"_(test|reference|fixture)\.(cpp|hpp)$|^tests/|^tools/new_task/|^examples/")

# A room is a folder, and the longest name that fits counts: what it is in one sentence, and the rooms it may use beside
# itself. "host/*" stands for every room of the host.
# fmt: off
ROOMS = {
    "include": ("what a user may write against; no CUDA header but behind `cuda.hpp`", ""),
    "kernels/core": ("the words task code is written in: team, draws, bit sets, checked integers, blocks, the contract", "include"),
    "kernels/text": ("what tasks speak with on the host: prompts, JSON, graphs, pictures", "include kernels/core"),
    "kernels/canonical": ("what is the same about an instance under all its labels ([coevolution.md](coevolution.md))",
                          "include kernels/core kernels/text"),
    "kernels/registry": ("the tasks of this build and the instruction sets it runs", "kernels/core kernels/text"),
    "kernels/search": ("a proof or a search that knows no task", "kernels/core"),
    "kernels/families": ("one shape of instance and answer, with all that its tasks share",
                         "include kernels/core kernels/search kernels/text"),
    "kernels/launch": ("how task code becomes kernels", "kernels/core"),
    "kernels/reward": ("a verdict's worth and a group's", "include kernels/core kernels/launch"),
    "kernels/chain": ("a text against a chain of keywords and bounds, by any team ([chains.md](chains.md))", "kernels/core"),
    "kernels/tasks": ("one folder, one law: generator, moves, proof, prompts, oracle, tests, frozen rows",
                      "include kernels/core kernels/canonical kernels/families kernels/launch kernels/search kernels/text"),
    "host/calls": ("the batch verbs as values: what a call takes and gives", "include"),
    "host/process": ("what a process has one of: forks and traces", "include host/calls"),
    "host/specs": ("rules written as JSON, and what is said of a wrong one", "include"),
    "host/report": ("what a run did: statistics, evaluation, fingerprints, latencies", "include kernels/core kernels/text"),
    "host/suites": ("lists of tasks to report on, to train on, to keep from training ([suites.md](suites.md))",
                    "include kernels/core kernels/registry kernels/text host/report host/specs"),
    "host/report/page": ("pages in HTML and Markdown, and their charts ([reports.md](reports.md))", "include kernels/text"),
    "host/sqlite": ("files of SQLite's, opened and used one way: rollback journal, typed values, one writer (`host/sqlite/sqlite.hpp`)",
                    "include"),
    "host/store": ("baselines in files: which of two is better, shards, what a store holds as text ([scale.md](scale.md))",
                   "include host/sqlite"),
    "host/baselines": ("one source of baselines: the row's own, a snapshot, a store, memory, a proof ([scale.md](scale.md#one-source-of-baselines))",
                       "include host/store"),
    "host/pool": ("problems of co-evolution in a file: deltas of ranks, steps, weights and draws ([coevolution.md](coevolution.md))",
                  "include kernels/core host/sqlite host/store"),
    "host/executor": ("the seam between the engine and a device, and the guard before the GPU",
                      "include kernels/core kernels/registry kernels/reward host/calls"),
    "host/reward": ("rewards and advantages as JSON, groups, ranks", "include kernels/reward host/executor host/specs"),
    "host/cpu": ("the executor of threads", "include kernels/registry kernels/reward host/executor host/process host/reward"),
    "host/cuda": ("the executor of a GPU; no kernel stands here",
                  "include kernels/launch kernels/registry kernels/reward host/calls host/executor host/process host/reward"),
    "host/cuda/resident": ("sets that stay on a GPU, and verbs over columns there ([resident.md](resident.md))",
                           "include kernels/launch kernels/registry kernels/reward host/cuda host/executor"),
    "host/parse": ("completions to answers", "include kernels/core host/specs"),
    "host/programs": ("programs of others: their problems, the sandboxes that hold them, what they print ([programs.md](programs.md))",
                      "include kernels/core kernels/registry kernels/text host/parse host/process host/specs"),
    "host/programs/wrapper": ("the command line of a site's own wrapper", "include"),
    "host/programs/slots": ("what this machine gives the sandbox: where its broker is, and which processors its slots have", ""),
    "host/programs/wire": ("what goes between the engine's side, the broker and what runs modules", ""),
    "host/programs/native": ("programs run by the broker: the ladder, slots, toolchains ([sandbox.md](sandbox.md))",
                             "include host/programs host/programs/slots host/programs/wire host/programs/wrapper"),
    "host/programs/served": ("programs run by the node's daemon, as a sandbox ([serve.md](serve.md#programs))",
                             "include host/calls host/programs host/remote"),
    "tools/broker": ("`optgap-broker`, an executable of its own that links nothing of the engine ([sandbox.md](sandbox.md))",
                     "host/programs/wire"),
    "tools/wasm": ("`optgap-wasm`, an executable of its own that runs modules through wasmtime ([sandbox.md](sandbox.md))", "host/programs/wire"),
    "host/pay": ("what rows of other kinds than answers earn, and what of them runs in a sandbox", "include host/baselines host/programs host/programs/served host/remote host/reward"),
    "host/remote": ("an engine's way to a daemon, and what goes over the wire", "include host/calls"),
    "host/engine": ("the public verbs, and keys",
                    "include kernels/registry kernels/reward kernels/text host/calls host/cpu host/executor host/parse host/process host/remote host/reward"),
    "host/proposal": ("instances that a model proposes, and by what they are known ([coevolution.md](coevolution.md))",
                      "include kernels/canonical kernels/registry kernels/core kernels/text host/specs"),
    "host/roles": ("what proposers and judges earn, and an estimator for each role ([coevolution.md](coevolution.md))",
                   "include kernels/reward host/parse host/specs"),
    "host/chain": ("free text against data: chains of content and style ([chains.md](chains.md))",
                   "include kernels/chain host/cpu"),
    "host/rows/json": ("rows of JSON: a line split into its fields and written anew, files of them in batches", "include kernels/text"),
    "host/rows/read": ("what the fields of a row hold: an instance, a rollout, a place, an answer",
                       "include kernels/core kernels/registry kernels/text host/programs host/rows/json host/specs"),
    "host/rows": ("kinds of rows, a folder each, and the scorer that grades all of them ([rows.md](rows.md))",
                  "include kernels/text host/baselines host/chain host/pay host/programs host/report host/reward host/rows/json host/rows/read host/specs host/store"),
    "host/scheduler/queues": ("what waits in a scheduler, under its lock: room, turns, batches", "include host/programs"),
    "host/scheduler": ("tickets, caches and micro-batches between a trainer and the engine ([scheduler.md](scheduler.md))",
                       "include host/baselines host/pay host/process host/programs host/report host/reward host/rows host/rows/json host/scheduler/queues"),
    "host/serve": ("the node's daemon ([serve.md](serve.md))",
                   "include kernels/registry host/baselines host/calls host/executor host/programs host/programs/served host/remote host/report host/rows host/rows/json host/rows/read"),
    "host/curriculum": ("difficulty that follows the learner ([curriculum.md](curriculum.md))",
                        "include kernels/core host/report/page host/specs"),
    "bench": ("what `optgap bench` measures", "include kernels/core kernels/launch kernels/registry kernels/text host/cuda host/sqlite"),
    "bench/device": ("what kernels and a resident store cost on data that lies on a GPU",
                     "include kernels/core kernels/launch kernels/registry bench host/cuda"),
    "bench/pool": ("what proposals, judgements and a step of a large pool cost", "include kernels/core bench host/pool host/sqlite"),
    "bench/chains": ("what free text costs against chains", "include kernels/core bench host/chain"),
    "bench/programs": ("what programs as candidates cost beside what they compute", "include bench host/programs host/programs/native"),
    "bench/store": ("what a store of baselines costs beside the labels in it", "include bench host/sqlite host/store"),
    "tools/cli": ("the program `optgap`: its main function", "tools/cli/shell"),
    "tools/cli/shell": ("the frame of every command: command line, help, tables, progress",
                        "include kernels/registry host/process host/specs host/rows/read"),
    "tools/cli/rows": ("rows in and out, and the work that keeps their order",
                       "include kernels/core kernels/text host/programs host/report tools/cli/shell host/rows host/rows/json host/rows/read"),
    "tools/cli/make": ("commands that make instances and sets of them",
                       "include kernels/reward kernels/text host/programs host/report host/sqlite bench tools/cli/shell tools/cli/rows host/rows host/rows/json host/rows/read"),
    "tools/cli/pay": ("commands that judge rollouts and pay them",
                      "include kernels/reward kernels/text host/pay host/programs host/report host/reward host/sqlite host/store tools/cli/shell tools/cli/rows host/rows host/rows/json host/rows/read"),
    "tools/cli/prove": ("commands that solve, improve and show why nothing is better ([certificates.md](certificates.md))",
                        "include kernels/registry kernels/text tools/cli/shell tools/cli/rows host/rows host/rows/json host/rows/read"),
    "tools/cli/store": ("commands that keep baselines in bulk ([scale.md](scale.md))",
                        "include kernels/reward kernels/text host/sqlite host/store tools/cli/shell tools/cli/rows host/rows host/rows/json host/rows/read"),
    "tools/cli/pool": ("commands that keep a pool of co-evolution ([coevolution.md](coevolution.md))",
                       "include kernels/text host/pool host/sqlite tools/cli/shell tools/cli/rows host/rows host/rows/json host/rows/read"),
    "tools/cli/measure": ("commands that measure a model or this machine",
                          "include kernels/registry kernels/text host/programs host/report host/sqlite bench tools/cli/shell tools/cli/rows tools/cli/pay host/rows host/rows/json host/rows/read"),
    "tools/cli/look": ("commands to look around with",
                       "include kernels/registry kernels/text bench host/programs host/programs/native host/report tools/cli/shell tools/cli/rows tools/cli/make tools/cli/pay host/rows host/rows/json host/rows/read"),
    "tools/cli/chain": ("commands that make chains and look at them ([chains.md](chains.md))",
                        "host/chain host/pay include tools/cli/look tools/cli/pay tools/cli/rows tools/cli/shell host/rows host/rows/json host/rows/read"),
    "tools/cli/train": ("commands beside a training run", "include host/curriculum host/specs host/store tools/cli/shell tools/cli/rows host/rows host/rows/json host/rows/read"),
    "python/src/values": ("the engine's values as Python's, and back", "include"),
    "python/src/device": ("columns of other libraries' in a GPU's memory, by DLPack", "include python/src/values"),
    "python/src": ("what the package calls: the engine, the scheduler and all that has methods", "include host/baselines host/pool host/sqlite host/store python/src/values python/src/device host/rows host/rows/json host/rows/read"),
    "python/program": ("the program that the package carries, with its own RE2", "include"),
    "python/cuda": ("the CUDA executor as a library that the package finds at run time, and its packages", "include host/cuda"),
    "python/optgap/files": ("files that outlive a kill: a run's folder, its one writer, its lines", ""),
    "python/optgap": ("typed Python over it", "python/optgap/files"),
    "python/optgap/attacks": ("texts that a reward must judge rightly, as data, and how models write", "python/optgap"),
    "python/optgap/chains": ("chains, how they are made, and what texts earn by them ([chains.md](chains.md))",
                             "python/optgap python/optgap/endpoint python/optgap/files python/optgap/programs"),
    "python/optgap/external": ("environments of others, in worker processes that may be killed ([external.md](external.md))",
                               "python/optgap"),
    "python/optgap/external/sources": ("other projects' environments, a file each", ""),
    "python/optgap/integrations": ("adapters of trainers and of evaluators' programs", "python/optgap python/optgap/chains python/optgap/endpoint python/optgap/external python/optgap/files python/optgap/programs"),
    "python/optgap/integrations/roles": ("adapters of runs in which one model proposes, solves and judges ([coevolution.md](coevolution.md))",
                                         "python/optgap python/optgap/endpoint python/optgap/integrations python/optgap/pool python/optgap/roles"),
    "python/optgap/audit": ("does a reward pay what is right, and nothing else ([audit.md](audit.md))",
                            "python/optgap python/optgap/attacks python/optgap/integrations"),
    "python/optgap/endpoint": ("a client of OpenAI-compatible servers", "python/optgap"),
    "python/optgap/benchmark": ("what `bench-model` asks, keeps and computes ([bench_model.md](bench_model.md))",
                                "python/optgap python/optgap/endpoint python/optgap/files"),
    "python/optgap/curves": ("a trainer's counters read back: table, page, TensorBoard, wandb ([statistics.md](statistics.md))",
                             "python/optgap"),
    "python/optgap/pool": ("problems of co-evolution, kept and drawn ([coevolution.md](coevolution.md))", "python/optgap"),
    "python/optgap/roles": ("proposers, solvers and judges of one model, what they are asked and earn ([coevolution.md](coevolution.md))",
                            "python/optgap python/optgap/endpoint python/optgap/pool"),
    "python/optgap/programs": ("problems of programs, and rows of every kind scored in one call ([programs.md](programs.md))",
                               "python/optgap python/optgap/files"),
    "python/optgap/ray": ("baselines in bulk on a Ray cluster ([scale.md](scale.md#shards))", "python/optgap"),
    "python/optgap/rows": ("rows of every kind, scored in this process ([rows.md](rows.md))", "python/optgap"),
    "python/optgap/recipes": ("five papers' training recipes as data, priced and written for a trainer ([recipes.md](recipes.md))",
                              "python/optgap python/optgap/files"),
    "python/optgap/commands": ("commands that need Python",
                               "python/optgap python/optgap/attacks python/optgap/audit python/optgap/benchmark "
                               "python/optgap/chains python/optgap/curves python/optgap/endpoint python/optgap/examples python/optgap/external python/optgap/files "
                               "python/optgap/integrations python/optgap/pool python/optgap/programs python/optgap/recipes python/optgap/roles python/optgap/rows"),
    "python/optgap/examples": ("a training run small enough for a laptop", "python/optgap python/optgap/roles python/optgap/chains python/optgap/external python/optgap/files python/optgap/integrations"),
}
# fmt: on


def tracked():
    """Tracked files and new ones that git does not ignore; everything when there is no git."""
    listing = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard", "-z"], capture_output=True, check=False
    )
    if listing.returncode == 0:
        paths = [name for name in listing.stdout.decode().split("\0") if name]
    else:
        paths = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if "build" not in path.relative_to(ROOT).parts]
    return sorted(path for path in paths if (ROOT / path).is_file())


def room_of(path):
    """The room a file lies in, or None."""
    folder = path.rpartition("/")[0]
    while folder and folder not in ROOMS:
        folder = folder.rpartition("/")[0]
    return folder or None


def includes(path, text):
    """(line, file) of each of our own headers that a C++ file includes."""
    for found in INCLUDE.finditer(text):
        target = found.group(1)
        if target.startswith("optgap/"):
            target = f"include/{target}"
        if target.startswith("kernels/tasks/") or (ROOT / target).is_file():
            yield text.count("\n", 0, found.start()) + 1, target


def imports(path, text):
    """(line, file) of each of the package's own modules that a Python file imports, wherever it does."""
    package = ROOT / "python"
    for node in ast.walk(ast.parse(text)):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = pathlib.PurePath(path).relative_to("python").parent.parts
                base = ".".join([*parts[: len(parts) - node.level + 1], *filter(None, [node.module])])
            names = [f"{base}.{alias.name}" for alias in node.names]
        for name in names:
            while name.startswith("optgap"):
                where = package / name.replace(".", "/")
                if (module := where.with_suffix(".py")).is_file() or (module := where / "__init__.py").is_file():
                    yield node.lineno, str(module.relative_to(ROOT))
                    break
                name = name.rpartition(".")[0]


def arrows(paths):
    """(file, line, file that it uses) of all code outside of tests; a header and a module's own package left out."""
    for path in paths:
        suffix = pathlib.PurePath(path).suffix
        if TEST.search(path) or not (suffix in CXX or path.startswith("python/optgap/") and suffix == ".py"):
            continue
        text = (ROOT / path).read_text(encoding="utf-8")
        for line, target in imports(path, text) if suffix == ".py" else includes(path, text):
            yield path, line, target


def circle(graph):
    """One circle of a graph {node: nodes}, or nothing."""
    done, trail = set(), []

    def visit(node):
        if node in trail:
            return trail[trail.index(node) :] + [node]
        if node not in done:
            trail.append(node)
            for other in sorted(graph.get(node, ())):
                if found := visit(other):
                    return found
            trail.pop()
            done.add(node)
        return []

    for node in sorted(graph):
        if found := visit(node):
            return found
    return []


def breaches(seen):
    """A line for each arrow that no law allows, for each circle, and for laws that name no room."""
    for room, (_, uses) in ROOMS.items():
        for used in uses.split():
            if used not in ROOMS:
                yield f"tools/check_arrows.py: {room} may use {used}, which is no room"
    if found := circle({room: uses.split() for room, (_, uses) in ROOMS.items()}):
        yield f"tools/check_arrows.py: the law itself goes in a circle: {' -> '.join(found)}"
    modules = {}
    for path, line, target in seen:
        here, there = room_of(path), room_of(target)
        if here is None:
            yield f"{path}:{line}: lies in no room of tools/check_arrows.py"
        elif (
            there != here and there not in ROOMS[here][1].split() and not path.endswith(("__init__.py", "__main__.py"))
        ):
            yield f"{path}:{line}: {here} may not use {there} ({target})"
        elif path.endswith(".py") and not path.endswith("__init__.py"):
            modules.setdefault(path, set()).add(target)
    if found := circle(modules):
        yield f"{found[0]}: imports itself: {' -> '.join(found)}"


def table():
    """The table of docs/architecture.md."""
    lines = ["| room | what | may use |\n", "|---|---|---|\n"]
    for room, (what, uses) in ROOMS.items():
        lines.append(f"| `{room}/` | {what} | {shortened(uses.split()) or 'std'} |\n")
    return "".join(lines)


def shortened(uses):
    """Rooms of one floor behind its name: kernels/{core,text}."""
    floors = {}
    for used in uses:
        floor, _, name = used.rpartition("/")
        floors.setdefault(floor, []).append(name)
    parts = []
    for floor, names in floors.items():
        if not floor:
            parts += names
        else:
            parts.append(f"{floor}/{names[0]}" if len(names) == 1 else f"{floor}/{{{','.join(names)}}}")
    return ", ".join(parts)


def main():
    command = sys.argv[1] if len(sys.argv) > 1 else ""
    if len(sys.argv) > 2 or command not in {"", "--write", "--seen"}:
        print(__doc__, file=sys.stderr)
        return 2
    seen = list(arrows(tracked()))
    if command == "--seen":
        for room in ROOMS:
            used = sorted({room_of(target) or "?" for path, _, target in seen if room_of(path) == room} - {room})
            print(f"{room}: {', '.join(used)}")
        return 0
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, found, after = rest.partition(END)
    wanted = before + BEGIN + table() + END + after
    if not found:
        print(f"{PAGE}: has no place for the table of rooms: {BEGIN.strip()} ... {END.strip()}")
        return 1
    if command == "--write":
        (ROOT / PAGE).write_text(wanted, encoding="utf-8")
        return 0
    found = list(breaches(seen))
    if page != wanted:
        found.append(f"{PAGE}: its table of rooms is not this one: tools/check_arrows.py --write")
    for line in found:
        print(line)
    print(f"{len(ROOMS)} rooms, {len(seen)} arrows, {len(found)} breaches")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
