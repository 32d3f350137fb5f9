"""Threads, forks and what an import does."""

import os
import threading
import time

import numpy as np
import pytest
from completion import complete
from forking import in_child

import optgap

IMPORT = """
import os, sys
before = len(os.listdir("/proc/self/task"))
import optgap
assert "optgap._native" not in sys.modules and "numpy" not in sys.modules, "import loads something native"
optgap.Error, optgap.Engine, optgap.Key.parse("tsp@1:val:d3:7"), optgap.tasks()
import numpy
tasks = len(os.listdir("/proc/self/task"))
engine = optgap.Engine("cpu", threads=3)
with open("/proc/self/maps") as maps:
    assert "libcuda.so" not in maps.read(), "the CPU engine loads the GPU's driver"
print(tasks - before, len(os.listdir("/proc/self/task")) - tasks)
"""


def test_import_starts_no_thread_and_an_engine_starts_its_pool(run_python):
    # NumPy's BLAS may have threads of its own.
    numpy_threads = int(
        run_python(
            "import os; n = len(os.listdir('/proc/self/task')); import numpy;"
            "print(len(os.listdir('/proc/self/task')) - n)"
        )
    )
    assert run_python(IMPORT).split() == [str(numpy_threads), "2"]


def test_threads_share_an_engine(engine, instances, solved):
    texts = [complete(answer) for answer in engine.noisy_greedy(instances, 8).tolist()]
    wanted = engine.score(instances, texts, solved)
    failed = []

    def work():
        for _ in range(20):
            got = engine.score(instances, texts, solved)
            if not all((getattr(got, name) == getattr(wanted, name)).all() for name in got.columns):
                failed.append(got)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


def test_another_thread_runs_while_the_engine_works(engine):
    instances = engine.generate("tsp", level="benchmark", count=2000)
    ticks, stop = [0], threading.Event()

    def tick():
        while not stop.is_set():
            ticks[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    began, before = time.monotonic(), ticks[0]
    engine.solve(instances)
    seconds, seen = time.monotonic() - began, ticks[0] - before
    stop.set()
    thread.join()
    assert seconds > 0.05, "too quick to tell"
    assert seen > 10 * seconds


def test_the_number_of_threads_changes_nothing():
    results = []
    for threads in (1, 2, 5):
        engine = optgap.Engine("cpu", threads=threads)
        made = engine.generate("all", level="medium", count=3)
        solved = engine.solve(made)
        texts = [complete(answer) for answer in engine.noisy_greedy(made, 4).tolist()]
        scores = engine.score(made, texts, solved)
        results.append([made.words, *solved.arrays(), *(getattr(scores, name) for name in scores.columns)])
    for other in results[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(results[0], other))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_an_engine_works_in_a_forked_child(instances, completions, solved):
    engine = optgap.Engine("auto", threads=3)
    wanted = engine.score(instances, completions, solved).reward.sum()

    def work():
        reward = engine.score(instances, completions, solved).reward.sum()
        return [float(reward), engine.threads, engine.device, len(os.listdir("/proc/self/task")) >= 3]

    assert in_child(work) == str([float(wanted), 3, "cpu", True])
    assert in_child(lambda: in_child(work)) == str([float(wanted), 3, "cpu", True])
    assert engine.score(instances, completions, solved).reward.sum() == wanted


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_an_engine_that_is_busy_may_be_forked(instances):
    engine = optgap.Engine("cpu", threads=2)
    busy = engine.generate("tsp", level="benchmark", count=4000)
    wanted = engine.solve(instances).objective.tolist()
    thread = threading.Thread(target=lambda: engine.solve(busy))
    thread.start()
    time.sleep(0.02)
    assert in_child(lambda: engine.solve(instances).objective.tolist()) == str(wanted)
    thread.join()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_may_drop_the_parents_engine():
    engines = [optgap.Engine("cpu", threads=3)]
    assert in_child(lambda: engines.clear()) == "None"


NO_THREADS = """
import resource, sys
import numpy
import optgap
engine = optgap.Engine("cpu", threads=1)
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (100 << 20),) * 2)  # a dozen of stacks
for make in (lambda: optgap.Scheduler(engine, solve_threads=64), lambda: optgap.Engine("cpu", threads=200)):
    try:
        make()
    except optgap.Error as failed:
        print(failed.status)
"""


def test_threads_that_cannot_be_started_are_an_error(run_python):
    assert run_python(NO_THREADS).split() == ["out_of_memory", "out_of_memory"]
