"""The scheduler beside forks, interrupts and the end of the interpreter."""

import asyncio
import signal
import subprocess
import sys
import time

import pytest
from completion import complete
from forking import in_child

import optgap

IMPORT = """
import os
import numpy, optgap
before = len(os.listdir("/proc/self/task"))
optgap.Scheduler, optgap.Collected, optgap.Engine.score_async
engine = optgap.Engine("cpu", threads=1)
print(len(os.listdir("/proc/self/task")) - before, end=" ")
engine.issue("tsp")
print(len(os.listdir("/proc/self/task")) - before)
"""

IN_FLIGHT = """
import asyncio, threading, time
import optgap
engine = optgap.Engine("cpu", threads=2)
own = optgap.Scheduler(engine)
hard = engine.generate("bisection", level="benchmark", count=200)
big = ["x" * 100_000 + "\\u00e4"] * 200
for scheduler in (engine.scheduler, own):
    issued = scheduler.issue_instances(hard)
    scheduler.submit(issued.tickets, big)

async def main():
    await asyncio.gather(*(own.score_async(hard[row], big[row]) for row in range(len(hard))))

threading.Thread(target=lambda: asyncio.run(main()), daemon=True).start()
threading.Thread(target=lambda: own.collect(issued.tickets), daemon=True).start()
time.sleep(0.05)
{ending}
"""


def test_the_first_call_starts_the_threads_and_an_import_none(run_python):
    assert run_python(IMPORT).split() == ["0", "2"]


@pytest.mark.parametrize(
    ("ending", "code"), [("", 0), ("raise SystemExit(3)", 3), ("del engine, own, scheduler", 0), ("1 / 0", 1)]
)
def test_the_interpreter_ends_with_work_in_flight(ending, code):
    script = IN_FLIGHT.replace("{ending}", ending)
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == code, done.stderr
        kept = [line for line in done.stderr.splitlines() if "leak" in line or "Fatal" in line or "terminate" in line]
        assert not kept, done.stderr


def test_a_wait_can_be_interrupted(tmp_path):
    script = tmp_path / "wait.py"
    script.write_text(
        "import optgap\n"
        "engine = optgap.Engine('cpu', threads=1)\n"
        "issued = engine.issue('tsp')\n"
        "print('waiting', flush=True)\n"
        "try:\n    engine.collect(issued.tickets)\n"
        "except KeyboardInterrupt:\n    print('interrupted')\n"
    )
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as waits:
        assert waits.stdout.readline() == "waiting\n"
        time.sleep(0.2)
        waits.send_signal(signal.SIGINT)
        try:
            rest, _ = waits.communicate(timeout=30)
        finally:
            waits.kill()
    assert rest == "interrupted\n" and waits.returncode == 0


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_child_makes_a_scheduler_of_its_own(engine, instances, solved):
    texts = [complete(answer) for answer in solved.answers.tolist()]
    shared = optgap.Engine("cpu", threads=2)
    busy = shared.issue_instances(shared.generate("bisection", level="benchmark", count=50))
    shared.submit(busy.tickets, ["x" * 100_000] * 50)
    parents, explicit = shared.scheduler, optgap.Scheduler(shared)
    wanted = engine.score(instances, texts, solved).reward.tolist()

    async def awaited():
        scores = await asyncio.gather(*(shared.score_async(key, text) for key, text in zip(instances.keys, texts)))
        return [score.reward for score in scores]

    def work():
        issued = shared.issue_instances(instances)
        shared.submit(issued.tickets, texts)
        assert shared.scheduler is not parents
        assert shared.collect(issued.tickets, 60).reward.tolist() == asyncio.run(awaited()) == wanted
        refused = 0
        calls = (
            lambda: explicit.issue("tsp"),
            lambda: explicit.statistics(),
            lambda: parents.collect(busy.tickets, 0),
            lambda: explicit.cancel(busy.tickets),
            lambda: explicit.shutdown(),
            lambda: asyncio.run(explicit.score_async(instances.keys[0], texts[0])),
        )
        for call in calls:
            try:
                call()
            except optgap.Error as error:
                refused += "parent process" in str(error)
        return refused

    assert in_child(work) == in_child(lambda: in_child(work)) == "6"
    assert shared.collect(busy.tickets, 60).outcomes == ["scored"] * 50
    explicit.shutdown()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_may_drop_the_parents_scheduler_and_end_as_usual():
    held = [optgap.Scheduler(optgap.Engine("cpu", threads=2))]
    held[0].issue("tsp", level="benchmark", count=20)
    assert in_child(held.clear) == "None"
    script = (
        "import os, sys, optgap\n"
        "engine = optgap.Engine('cpu', threads=2)\n"
        "engine.issue('tsp', level='benchmark', count=20)\n"
        "child = os.fork()\n"
        "sys.exit(0 if child == 0 else os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
