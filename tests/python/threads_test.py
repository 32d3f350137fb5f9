"""Threads share engines, curricula, statistics and schedulers: every result is the one of a single thread, with a GIL or without."""

import json
import sys
import sysconfig
import threading

import optgap

THREADS = 8


def together(work):
    """Runs work(thread) in eight threads that begin at once; raises what one of them raised."""
    begin, results, faults = threading.Barrier(THREADS), [None] * THREADS, []

    def run(thread):
        try:
            begin.wait()
            results[thread] = work(thread)
        except BaseException as fault:  # noqa: BLE001
            faults.append(fault)

    threads = [threading.Thread(target=run, args=(thread,)) for thread in range(THREADS)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    if faults:
        raise faults[0]
    return results


def test_the_module_leaves_the_gil_off():
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        optgap.Engine(device="cpu", threads=1)
        assert not sys._is_gil_enabled()


def test_one_engine_serves_eight_threads(engine):
    def work(thread):
        made = engine.generate(["tsp", "knapsack", "clique"], level="easy", count=3, seed=thread % 2)
        baselines = engine.solve(made)
        texts = [f"<think>x</think><answer>{json.dumps(answer)}</answer>" for answer in baselines.answers.tolist()]
        scores = engine.score(made, texts, baselines)
        assert scores.optimal.all()
        return made.words.tobytes(), baselines.answers.words.tobytes(), scores.reward.tobytes()

    for _ in range(5):
        results = together(work)
        assert len(set(results[::2])) == len(set(results[1::2])) == 1 and results[0] != results[1]


def test_a_curriculum_counts_what_eight_threads_observe(engine):
    plan = optgap.Curriculum("adaptive", {"tsp": 1, "knapsack": 1}, seed=7)
    twin = optgap.Curriculum("adaptive", {"tsp": 1, "knapsack": 1}, seed=7)
    drawn = plan.instances(engine, count=16)
    texts = [f"<think>-</think><answer>{json.dumps(a)}</answer>" for a in engine.noisy_greedy(drawn, 4).tolist()]
    scored = engine.score(drawn, texts)
    together(lambda thread: [plan.observe(drawn, scored) for _ in range(20)])
    for _ in range(20 * THREADS):
        twin.observe(drawn, scored)
    assert plan.delta(rank=0) == twin.delta(rank=0)


def test_a_table_counts_the_rows_of_eight_threads(engine, instances, solved, completions):
    scored = engine.score(instances, completions, solved)
    table = optgap.Statistics()
    together(lambda thread: [table.add(instances, scored) for _ in range(20)])
    cells = json.loads(table.to_json())["cells"]
    assert sum(cell["rows"] for cell in cells) == 20 * THREADS * len(scored)


def test_one_scheduler_takes_the_tickets_of_eight_threads(engine):
    def work(thread):
        step = engine.issue("tsp", level="easy", count=4, seed=100 + thread)
        for ticket in step.tickets:
            engine.submit(ticket, ["<think>-</think><answer>[0, 1]</answer>"] * 2, finish=["stop"] * 2)
        rows = engine.collect(step.tickets, timeout=120)
        assert rows.outcomes == ["scored"] * 4
        return rows.code.tolist()

    results = together(work)
    assert len(results[0]) == 8 and all(codes == results[0] for codes in results)
