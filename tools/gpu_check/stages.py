"""The stages of a GPU check: each one's name, part, limit in seconds, and command.

Limits apply to the whole stage. A machine that is rented for minutes takes two calls: `--part tests,kernels,calls` and
`--part beside,host,goals`, whose limits sum to less than 510 and 200 s.
"""

from __future__ import annotations

import dataclasses

PARTS = ("tests", "kernels", "calls", "beside", "host", "goals")
ALWAYS = "always"  #: the part of stages that all others stand on
#: What fits one call of a machine that is lent for minutes: parts, and seconds that their limits sum to at most.
CALLS = ((("tests", "kernels", "calls"), 510), (("beside", "host", "goals"), 200))

#: Under a sanitizer a kernel runs ten to a hundred times slower.
SMALL_TESTS = ":".join(
    (
        "cuda_teams.*",
        "cuda_task_verbs.generates_the_cpu_s_instances",
        "cuda_task_verbs.verifies*",
        "cuda_task_verbs.gives_the_cpu_s_anchors",
        "cuda_task_verbs.empty*",
        "cuda_advantages.constant*",
        "cuda_ranks.a_few*",
        "cuda_colocation.few*",
        "resident_columns.a_row_that_cannot*",
        "resident_columns.calls_on_two*",
        "resident_search.a_row*",
    )
)
SECONDS = "0.1"  #: that a row of a task is sampled for
#: Kernels whose counters are read: the most expensive search, the judge and the generator furthest from their bytes' time.
PROFILED = (("improve", "tsp"), ("verify", "bisection"), ("generate", "clique"))


@dataclasses.dataclass(frozen=True)
class Stage:
    """{optgap}, {tests}, {task}, {python} and {results} are filled in in `command`. `each_task` runs it once for each
    task, in `beside` processes at a time, each with at least an equal share of the limit. `tool` must be on the
    PATH."""

    name: str
    part: str
    limit: int
    command: tuple[str, ...]
    each_task: bool = False
    beside: int = 1
    tool: str = ""
    quick: bool = False  #: also in a quick check


def bench(name: str, part: str, limit: int, *words: str, **more: bool) -> Stage:
    """A benchmark, whose rows are in the results as soon as each is measured."""
    command = ("{optgap}", "bench", *words, "--record", "{results}", "--quiet")
    return Stage(name, part, limit, command, **more)


def sanitizer(tool: str, limit: int) -> Stage:
    command = (
        "compute-sanitizer",
        "--tool",
        tool,
        "--error-exitcode",
        "99",
        "{tests}",
        "--gtest_filter=" + SMALL_TESTS,
    )
    return Stage(tool, "tests", limit, command, tool="compute-sanitizer")


def profiled(verb: str, task: str) -> Stage:
    sections = [
        word
        for section in ("SpeedOfLight", "Occupancy", "WarpStateStats", "MemoryWorkloadAnalysis")
        for word in ("--section", section)
    ]
    command = (
        "ncu",
        "--clock-control",
        "none",
        "--kernel-name",
        f"regex:{verb}_kernel",
        "--launch-skip",
        "1",
        "--launch-count",
        "1",
        *sections,
        "{optgap}",
        "bench",
        f"device_{verb}",
        "--task",
        task,
        "--device",
        "cuda",
        "--seconds",
        "0.001",
        "--ceilings",
        "{results}",
        "--quiet",
    )
    return Stage(f"ncu_{verb}_{task}", "kernels", 15, command, tool="ncu")


GPU = ("--device", "cuda", "--seconds")
CPU = ("--device", "cpu", "--seconds")
VERBS = ("generate", "verify", "improve", "--task", "{task}", "--batch", "4096")
KNOWN = ("--ceilings", "{results}")

STAGES = (
    Stage("info", ALWAYS, 5, ("{optgap}", "info", "--device", "cuda", "--json"), quick=True),
    # It measures the ceilings, which the other stages take from the results.
    bench("start_up", ALWAYS, 15, "start_up", *GPU, SECONDS, quick=True),
    Stage("tests", "tests", 85, ("{tests}", "--gtest_output=json:{logs}/tests.json"), quick=True),
    Stage(
        "torch", "tests", 45, ("{python}", "-m", "pytest", "-q", "-rfEs", "-p", "no:cacheprovider", "tests/python/card")
    ),
    sanitizer("memcheck", 15),
    sanitizer("initcheck", 15),
    sanitizer("synccheck", 15),
    bench(
        "kernels",
        "kernels",
        110,
        "device_generate",
        "device_verify",
        "device_improve",
        "--task",
        "{task}",
        *GPU,
        SECONDS,
        *KNOWN,
        each_task=True,
    ),
    bench(
        "mixed",
        "kernels",
        40,
        "device_mixed_verify",
        "device_mixed_step",
        "device_mixed_improve",
        *GPU,
        SECONDS,
        *KNOWN,
        quick=True,
    ),
    *(profiled(verb, task) for verb, task in PROFILED),
    # This tool follows every access to shared memory, so it takes a few rows of a task at a time, in processes that
    # share the card.
    Stage(
        "racecheck",
        "tests",
        60,
        (
            "compute-sanitizer",
            "--tool",
            "racecheck",
            "--error-exitcode",
            "99",
            "{optgap}",
            "bench",
            "device_generate",
            "device_verify",
            "device_improve",
            "--task",
            "{task}",
            "--batch",
            "32",
            "--steps",
            "8",
            *GPU,
            "0.001",
            *KNOWN,
            "--quiet",
        ),
        each_task=True,
        beside=8,
        tool="compute-sanitizer",
    ),
    bench(
        "crossover",
        "calls",
        30,
        "first_call",
        "crossover_generate",
        "crossover_verify",
        "crossover_improve",
        "--task",
        "tsp",
        "--task",
        "clique",
        "--task",
        "knapsack",
        "--task",
        "sat",
        "--task",
        "job_shop",
        *GPU,
        SECONDS,
        *KNOWN,
    ),
    bench("step", "calls", 15, "step", *GPU, "0.3", *KNOWN, quick=True),
    bench("interference", "beside", 40, "interference", *GPU, "0.3", *KNOWN),
    Stage(
        "beside_torch",
        "beside",
        30,
        ("{python}", "bench/beside_torch.py", "--optgap", "{optgap}", "--seconds", "1.5", "--rounds", "2"),
    ),
    bench("rewards_gpu", "host", 6, "rewards", "advantages", "river", "ranks", *GPU, SECONDS, *KNOWN),
    bench("rewards_cpu", "host", 9, "rewards", "advantages", "river", "ranks", *CPU, SECONDS),
    bench("verbs_gpu", "host", 30, *VERBS, *GPU, "0.03", *KNOWN, each_task=True),
    bench("verbs_cpu", "host", 30, *VERBS, *CPU, "0.03", *KNOWN, each_task=True),
    bench("goals", "goals", 30, "goals", *GPU, "0.05", *KNOWN),
)
