#!/usr/bin/env python3
"""The rooms of the tree and the rooms that each may use, checked against every include of C++ and CUDA and every import
of the Python package. A room is a folder. Prints one line per breach; exit code 1 if there is any.

  tools/check_arrows.py            checks, also whether docs/architecture.md shows this table
  tools/check_arrows.py --write    writes the table into docs/architecture.md
  tools/check_arrows.py --seen     prints the rooms that each room uses now"""

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
# Tests and their helpers may use anything.
TEST = re.compile(r"_(test|reference|fixture)\.(cpp|hpp)$|^tests/|^tools/new_task/|^examples/")

# Folder: (what it holds, as the table of docs/architecture.md says it; the rooms that it may use beside itself). A file
# belongs to the room with the longest name that fits. A new folder inside a room belongs to that room and needs no line.
# fmt: off
ROOMS = {
    "include": ("the public C++ headers; only `cuda.hpp` includes a header of CUDA", ""),
    "kernels/core": ("the vocabulary of task code: team, random draws, bit sets, checked integers, blocks of words, the contract of a task", "include"),
    "kernels/text": ("the vocabulary of a task's texts on the host: prompts, JSON, graphs, pictures", "include kernels/core"),
    "kernels/canonical": ("canonical forms of instances: equal for two instances that differ only in their labels ([coevolution.md](coevolution.md))",
                          "include kernels/core kernels/text"),
    "kernels/registry": ("the list of the tasks in this build, and the instruction sets that it runs", "kernels/core kernels/text"),
    "kernels/search": ("proofs and searches that several tasks share", "kernels/core"),
    "kernels/families": ("a family each: one shape of instance and answer, and the code that its tasks share",
                         "include kernels/core kernels/search kernels/text"),
    "kernels/launch": ("templates that make kernels of task code, and their launches", "kernels/core"),
    "kernels/reward": ("rewards of verdicts and advantages of groups, on the CPU and on a GPU", "include kernels/core kernels/launch"),
    "kernels/rubric": ("the scoring of a text against a rubric of keywords and bounds, by any team ([rubrics.md](rubrics.md))", "kernels/core"),
    "kernels/tasks": ("a folder for each task: generator, moves, proof, prompts, reference, tests, frozen rows",
                      "include kernels/core kernels/canonical kernels/families kernels/launch kernels/search kernels/text"),
    "host/calls": ("the batch verbs as values: the inputs and the results of a call", "include"),
    "host/process": ("process-wide state: forks and traces", "include host/calls"),
    "host/specs": ("specs as JSON, and the errors about wrong ones", "include"),
    "host/report": ("summaries of a run: statistics, evaluation, fingerprints, latencies", "include kernels/core kernels/text"),
    "host/suites": ("named lists of tasks, to report on, to train on or to keep out of training ([suites.md](suites.md))",
                    "include kernels/core kernels/registry kernels/text host/report host/specs"),
    "host/report/page": ("pages in HTML and Markdown, and their charts ([reports.md](reports.md))", "include kernels/text"),
    "host/sqlite": ("the one way in which SQLite files are opened and used: rollback journal, typed values, one writer (`host/sqlite/sqlite.hpp`)",
                    "include"),
    "host/store": ("baselines in files: which of two is better, shards, a store as text ([scale.md](scale.md))",
                   "include host/sqlite"),
    "host/baselines": ("the one source of baselines: given in the row, a snapshot, a store, memory, a proof ([scale.md](scale.md#one-source-of-baselines))",
                       "include host/store"),
    "host/pool": ("a file of problems for co-evolution: changes of ranks, steps, weights and draws ([coevolution.md](coevolution.md))",
                  "include kernels/core host/sqlite host/store"),
    "host/executor": ("the interface between the engine and its devices, and the guard before the GPU",
                      "include kernels/core kernels/registry kernels/reward host/calls"),
    "host/reward": ("specs of rewards and advantages as JSON, groups, ranks", "include kernels/reward host/executor host/specs"),
    "host/cpu": ("the executor that runs on threads", "include kernels/registry kernels/reward host/executor host/process host/reward"),
    "host/cuda": ("the executor that runs on a GPU; the kernels are in `kernels/`",
                  "include kernels/launch kernels/registry kernels/reward host/calls host/executor host/process host/reward"),
    "host/cuda/resident": ("sets that stay in a GPU's memory, and the verbs over their columns ([resident.md](resident.md))",
                           "include kernels/launch kernels/registry kernels/reward host/cuda host/executor"),
    "host/parse": ("the parser: completions to answers", "include kernels/core host/specs"),
    "host/programs": ("completions that are programs: their problems, the interface of sandboxes, their output ([programs.md](programs.md))",
                      "include kernels/core kernels/registry kernels/text host/parse host/process host/specs"),
    "host/programs/wrapper": ("the command line of a site's own sandbox wrapper", "include"),
    "host/programs/slots": ("the resources that this machine has for the sandbox: the place of the broker, the processors of the slots", ""),
    "host/programs/wire": ("the messages between the engine's side, the broker and the program that runs WebAssembly modules", ""),
    "host/programs/native": ("a sandbox on this machine, by the broker: isolation levels, slots, toolchains ([sandbox.md](sandbox.md))",
                             "include host/process host/programs host/programs/slots host/programs/wire host/programs/wrapper"),
    "host/programs/served": ("a sandbox whose programs run in the node's daemon ([serve.md](serve.md#programs))",
                             "include host/calls host/programs host/remote"),
    "host/programs/own": ("a user's own problems: their files, settings, and the programs of their authors ([problems.md](problems.md))",
                          "include host/programs host/specs"),
    "tools/broker": ("`optgap-broker`, an executable of its own that links nothing of the engine ([sandbox.md](sandbox.md))",
                     "host/programs/wire"),
    "tools/wasm": ("`optgap-wasm`, an executable of its own that runs WebAssembly modules by wasmtime ([sandbox.md](sandbox.md))", "host/programs/wire"),
    "host/program_runs": ("scores of programs and the Python checks of rubrics; both run in a sandbox", "include host/baselines host/process host/programs host/programs/served host/remote host/reward"),
    "host/remote": ("the engine's connection to a daemon, and its messages", "include host/calls"),
    "host/files": ("files of others that hold one instance, a format each",
        "include kernels/text"),
    "host/engine": ("the public batch verbs, and keys",
        "include kernels/registry kernels/reward kernels/text host/calls host/cpu host/executor host/parse host/process host/remote host/reward host/specs host/files"),
    "host/proposal": ("instances that a model proposes: their gates and their prompts ([coevolution.md](coevolution.md))",
                      "include kernels/canonical kernels/registry kernels/core kernels/text host/specs"),
    "host/roles": ("rewards of proposers and judges, and an estimator for each role ([coevolution.md](coevolution.md))",
                   "include kernels/reward host/parse host/specs"),
    "host/rubric": ("rubrics: how they are compiled, and how a text is scored by them ([rubrics.md](rubrics.md))",
                   "include kernels/rubric host/cpu"),
    "host/rows/json": ("rows as JSON: one line split into its fields and written again, files read in batches", "include kernels/text"),
    "host/rows/read": ("the fields of a row as values: an instance, a rollout, its task and level, an answer, options",
                       "include kernels/core kernels/registry kernels/text host/programs host/rows/json host/specs"),
    "host/rows": ("kinds of rows, a folder each, and the scorer that grades all of them ([rows.md](rows.md))",
                  "include kernels/reward kernels/text host/baselines host/rubric host/process host/program_runs host/programs host/programs/own host/report host/reward host/rows/json host/rows/read host/specs host/store"),
    "host/scheduler/queues": ("what waits in a scheduler, under its lock: room, turns, batches", "include host/programs"),
    "host/scheduler": ("tickets, caches and micro-batches between a trainer and the engine ([scheduler.md](scheduler.md))",
                       "include host/baselines host/program_runs host/process host/programs host/report host/reward host/rows host/rows/json host/scheduler/queues"),
    "host/serve": ("the node's daemon ([serve.md](serve.md))",
                   "include kernels/registry host/baselines host/calls host/executor host/programs host/programs/served host/remote host/report host/rows host/rows/json host/rows/read"),
    "host/curriculum": ("difficulty that follows the learner ([curriculum.md](curriculum.md))",
                        "include kernels/core host/report/page host/specs"),
    "bench": ("the workloads of `optgap bench`", "include kernels/core kernels/launch kernels/registry kernels/text host/cuda host/sqlite"),
    "bench/device": ("the costs of kernels and of a resident store on data in a GPU's memory",
                     "include kernels/core kernels/launch kernels/registry bench host/cuda"),
    "bench/pool": ("the costs of proposals, of judgements and of a step of a large pool", "include kernels/core bench host/pool host/sqlite"),
    "bench/rubrics": ("the costs of scoring free text by rubrics", "include kernels/core bench host/rubric"),
    "bench/programs": ("the costs of running programs, beside the work of the programs themselves", "include bench host/programs host/programs/native"),
    "bench/store": ("the costs of a store of baselines, beside the proofs in it", "include bench host/sqlite host/store"),
    "tools/cli": ("the program `optgap`: its main function", "tools/cli/shell"),
    "tools/cli/shell": ("what all commands share: command line, help, tables, progress",
                        "include kernels/registry host/process host/specs host/rows/read"),
    "tools/cli/rows": ("rows from and to files, in order, on several threads",
        "include kernels/core kernels/text host/programs host/report tools/cli/shell host/rows host/rows/json host/rows/read host/specs host/files"),
    "tools/cli/make": ("commands that make instances and sets of them",
        "include kernels/reward kernels/text host/programs host/report host/sqlite bench tools/cli/shell tools/cli/rows host/rows host/rows/json host/rows/read host/files"),
    "tools/cli/score": ("commands that verify, score and compare rollouts",
                      "include kernels/reward kernels/text host/program_runs host/programs host/report host/reward host/sqlite host/store tools/cli/shell tools/cli/rows host/rows host/rows/json host/rows/read"),
    "tools/cli/prove": ("commands that solve, improve and certify optima ([certificates.md](certificates.md))",
                        "include kernels/registry kernels/text tools/cli/shell tools/cli/rows host/rows host/rows/json host/rows/read"),
    "tools/cli/store": ("commands for stores of baselines ([scale.md](scale.md))",
                        "include kernels/reward kernels/text host/sqlite host/store tools/cli/shell tools/cli/rows host/rows host/rows/json host/rows/read"),
    "tools/cli/pool": ("commands for a pool of co-evolution ([coevolution.md](coevolution.md))",
                       "include kernels/text host/pool host/sqlite tools/cli/shell tools/cli/rows host/rows host/rows/json host/rows/read"),
    "tools/cli/measure": ("commands that measure scored rows, tasks and this machine",
                          "include kernels/registry kernels/text host/programs host/programs/own host/report host/sqlite bench tools/cli/shell tools/cli/rows tools/cli/score host/rows host/rows/json host/rows/read host/specs"),
    "tools/cli/look": ("commands that show tasks, formats, kinds, pages, and a row explained",
                       "include kernels/registry kernels/text bench host/programs host/programs/native host/report tools/cli/shell tools/cli/rows tools/cli/make tools/cli/score host/rows host/rows/json host/rows/read host/specs"),
    "tools/cli/rubric": ("commands that make rubrics and show them ([rubrics.md](rubrics.md))",
                        "host/rubric host/program_runs include tools/cli/look tools/cli/score tools/cli/rows tools/cli/shell host/rows host/rows/json host/rows/read"),
    "tools/cli/problem": ("commands for problems of a user's own ([problems.md](problems.md))",
                          "include host/programs host/programs/own tools/cli/rows tools/cli/shell"),
    "tools/cli/train": ("commands that run beside training: curriculum and daemon", "include host/curriculum host/specs host/store tools/cli/shell tools/cli/rows host/rows host/rows/json host/rows/read"),
    "python/src/values": ("conversions between the engine's values and Python's", "include host/specs"),
    "python/src/device": ("columns in a GPU's memory that other libraries own, by DLPack", "include python/src/values"),
    "python/src": ("the native module: engine, scheduler, scorer and every other class with methods", "include host/baselines host/pool host/process host/report host/reward host/sqlite host/store python/src/values python/src/device host/rows host/rows/json host/rows/read"),
    "python/program": ("the program that the package carries, with its own RE2", "include"),
    "python/cuda": ("the CUDA executor as a library that the package loads at run time, and its packages", "include host/cuda"),
    "python/optgap": ("what `import optgap` shows, the native module's types, and the list of former names", ""),
    "python/optgap/core/files": ("files that survive a killed process: a run's folder, its one writer, its lines", ""),
    "python/optgap/core": ("engine, scheduler, keys, results, errors, curriculum, and columns on a GPU: the typed Python interface of the native module",
                           "python/optgap"),
    "python/optgap/rows": ("the scorer in Python: rows of every kind, scored in this process ([rows.md](rows.md))", "python/optgap python/optgap/core"),
    "python/optgap/rows/programs": ("problems that are answered by programs, and their runner ([programs.md](programs.md))",
                                    "python/optgap python/optgap/core python/optgap/core/files python/optgap/data python/optgap/rows"),
    "python/optgap/rows/external": ("environments of third parties, in worker processes that may be killed ([external.md](external.md))",
                                    "python/optgap python/optgap/core python/optgap/kinds python/optgap/rows"),
    "python/optgap/rows/external_surveys": ("whole sources of environments, or samples of them, tried out ([external.md](external.md))",
                                            "python/optgap python/optgap/core python/optgap/rows/external"),
    "python/optgap/rows/external_sources": ("environments of other projects, a file each", ""),
    "python/optgap/measure": ("what all measurements share: statistics of a run, counters of processes, reports",
                              "python/optgap python/optgap/core python/optgap/core/files"),
    "python/optgap/measure/endpoint": ("a client of OpenAI-compatible servers", "python/optgap/core"),
    "python/optgap/measure/attacks": ("texts with the verdict that a reward must give them, as data, and the ways in which models write", "python/optgap/core"),
    "python/optgap/measure/curves": ("a trainer's counters, read back as table, page, TensorBoard or wandb ([statistics.md](statistics.md))",
                                     "python/optgap/core python/optgap/measure"),
    "python/optgap/measure/benchmark": ("the parts of `bench-model`: questions, sampling, measures, page ([bench_model.md](bench_model.md))",
                                        "python/optgap python/optgap/core python/optgap/core/files python/optgap/data python/optgap/measure "
                                        "python/optgap/measure/endpoint python/optgap/rows python/optgap/rows/external python/optgap/rows/programs"),
    "python/optgap/measure/comparison": ("two or more models on the same instances: paired differences and a leaderboard ([compare.md](compare.md))",
                                         "python/optgap/core python/optgap/core/files python/optgap/measure python/optgap/measure/benchmark "
                                         "python/optgap/rows python/optgap/rows/external"),
    "python/optgap/trainers": ("adapters of trainers, a folder each with its record ([trainers.md](trainers.md))", ""),
    "python/optgap/trainers/pool": ("a pool of problems for co-evolution, in Python ([coevolution.md](coevolution.md))",
                                    "python/optgap python/optgap/core python/optgap/data"),
    "python/optgap/trainers/roles": ("proposers, solvers and judges of one model: their prompts and their rewards ([coevolution.md](coevolution.md))",
                                     "python/optgap python/optgap/core python/optgap/core/files python/optgap/measure/endpoint python/optgap/rows python/optgap/trainers/pool"),
    "python/optgap/trainers/common": ("what all adapters share: ground truths, rows, advantages, streams, roles",
                                      "python/optgap python/optgap/core python/optgap/measure python/optgap/rows python/optgap/rows/external "
                                      "python/optgap/rows/programs python/optgap/trainers/roles"),
    "python/optgap/trainers/openrlhf": ("OpenRLHF", "python/optgap/trainers python/optgap/trainers/common"),
    "python/optgap/trainers/slime": ("slime", "python/optgap/core/files python/optgap/measure python/optgap/trainers python/optgap/trainers/common"),
    "python/optgap/trainers/trl": ("TRL",
                                   "python/optgap/core python/optgap/measure/endpoint python/optgap/trainers python/optgap/trainers/common "
                                   "python/optgap/trainers/roles"),
    "python/optgap/trainers/verl": ("verl",
                                    "python/optgap python/optgap/core python/optgap/measure/endpoint python/optgap/trainers "
                                    "python/optgap/trainers/common python/optgap/trainers/pool python/optgap/trainers/roles"),
    "python/optgap/environments": ("episodes of several turns, and the tools that they offer ([environments.md](environments.md))",
        "python/optgap python/optgap/core python/optgap/measure/attacks python/optgap/measure/endpoint python/optgap/rows/external python/optgap/rows/programs python/optgap/rows "
        "python/optgap/trainers python/optgap/trainers/common"),
    "python/optgap/environments/areal": ("episodes in AReaL", "python/optgap python/optgap/core python/optgap/environments python/optgap/trainers/common"),
    "python/optgap/environments/nemo_gym": ("episodes in NeMo-Gym", "python/optgap python/optgap/core python/optgap/environments"),
    "python/optgap/environments/openenv": ("episodes in OpenEnv", "python/optgap python/optgap/core python/optgap/environments python/optgap/trainers/common"),
    "python/optgap/environments/openrlhf": ("episodes in OpenRLHF", "python/optgap python/optgap/core python/optgap/environments python/optgap/trainers/common"),
    "python/optgap/environments/reasoning_gym": ("episodes in reasoning-gym", "python/optgap python/optgap/core python/optgap/environments"),
    "python/optgap/environments/skyrl": ("episodes in SkyRL-Gym", "python/optgap python/optgap/core python/optgap/environments"),
    "python/optgap/environments/slime": ("episodes in slime", "python/optgap python/optgap/core python/optgap/environments python/optgap/trainers/common"),
    "python/optgap/environments/tinker": ("episodes in Tinker", "python/optgap python/optgap/core python/optgap/environments python/optgap/measure/endpoint"),
    "python/optgap/environments/trl": ("episodes in TRL", "python/optgap python/optgap/core python/optgap/environments python/optgap/trainers/common"),
    "python/optgap/environments/unsloth": ("episodes in Unsloth", "python/optgap python/optgap/core python/optgap/environments"),
    "python/optgap/environments/verifiers": ("episodes in verifiers and prime-rl", "python/optgap python/optgap/core python/optgap/environments python/optgap/trainers/common python/optgap/measure/endpoint python/optgap/data"),
    "python/optgap/environments/verl": ("episodes in verl", "python/optgap python/optgap/core python/optgap/environments python/optgap/trainers/common"),
    "python/optgap/measure/evaluators": ("what evaluators' programs use ([evaluators.md](evaluators.md))",
                                         "python/optgap python/optgap/core python/optgap/core/files python/optgap/data python/optgap/trainers/common "
                                         "python/optgap/trainers/trl"),
    "python/optgap/measure/preflight": ("perfect answers sent the way of a trainer before a run: prompts, tokens, readers",
                                        "python/optgap/core python/optgap/measure/attacks python/optgap/rows python/optgap/rows/programs "
                                        "python/optgap/trainers python/optgap/trainers/pool python/optgap/trainers/roles"),
    "python/optgap/measure/trainer_costs": ("the seconds that rewards cost beside a trainer's step",
                                            "python/optgap/core python/optgap/data python/optgap/examples python/optgap/trainers/common "
                                            "python/optgap/trainers/trl python/optgap/trainers/verl"),
    "python/optgap/measure/audit": ("the audit of a reward: false rewards and false refusals ([audit.md](audit.md))",
                                    "python/optgap/core python/optgap/measure/attacks python/optgap/rows/external python/optgap/trainers/openrlhf "
                                    "python/optgap/trainers/slime python/optgap/trainers/trl python/optgap/trainers/verl"),
    "python/optgap/data": ("data sets as trainers read them, suites of tasks, benchmark sets",
                           "python/optgap python/optgap/core python/optgap/core/files python/optgap/rows/external python/optgap/trainers"),
    "python/optgap/data/rubrics": ("rubrics in Python: how they are made, and the scores of texts ([rubrics.md](rubrics.md))",
                                   "python/optgap python/optgap/core python/optgap/core/files python/optgap/measure/endpoint "
                                   "python/optgap/rows/programs"),
    "python/optgap/data/ray": ("baselines in bulk on a Ray cluster ([scale.md](scale.md#shards))", "python/optgap python/optgap/core"),
    "python/optgap/kinds": ("kinds of rows, estimators and shapes of a user's own, in Python, and the worker in which they run ([kinds.md](kinds.md))", ""),
    "python/optgap/recipes": ("training recipes of five papers as data, with their costs, and files for a trainer ([recipes.md](recipes.md))",
                              "python/optgap python/optgap/core python/optgap/core/files python/optgap/data python/optgap/data/rubrics "
                              "python/optgap/measure/endpoint"),
    "python/optgap/commands": ("commands that need Python, a file each",
                               "python/optgap python/optgap/core python/optgap/core/files python/optgap/data python/optgap/data/rubrics "
                               "python/optgap/environments python/optgap/measure python/optgap/measure/attacks python/optgap/measure/audit "
                               "python/optgap/measure/benchmark python/optgap/measure/comparison python/optgap/measure/curves "
                               "python/optgap/measure/endpoint python/optgap/measure/evaluators python/optgap/measure/preflight "
                               "python/optgap/measure/trainer_costs python/optgap/recipes python/optgap/rows python/optgap/rows/external "
                               "python/optgap/rows/external_surveys python/optgap/rows/programs"),
    "python/optgap/examples": ("example programs, among them a training run that is small enough for a laptop",
                               "python/optgap python/optgap/core/files python/optgap/data python/optgap/data/rubrics python/optgap/environments "
                               "python/optgap/environments/trl python/optgap/rows/external python/optgap/trainers/common python/optgap/trainers/roles python/optgap/trainers/trl"),
    "python/optgap/integrations": ("files whose paths configurations of verl and OpenRLHF may give, by their former names",
                                   "python/optgap/trainers/openrlhf python/optgap/trainers/verl"),
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
    """A line for each arrow that the table does not allow, for each circle, and for each name in it that is no room."""
    for room, (_, uses) in ROOMS.items():
        for used in uses.split():
            if used not in ROOMS:
                yield f"tools/check_arrows.py: {room} may use {used}, which is no room"
    if found := circle({room: uses.split() for room, (_, uses) in ROOMS.items()}):
        yield f"tools/check_arrows.py: the table itself has a circle: {' -> '.join(found)}"
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
    lines = ["| room | holds | may use |\n", "|---|---|---|\n"]
    for room, (what, uses) in ROOMS.items():
        lines.append(f"| `{room}/` | {what} | {shortened(uses.split()) or 'std'} |\n")
    return "".join(lines)


def shortened(uses):
    """Rooms of one parent folder are joined: kernels/{core,text}."""
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
