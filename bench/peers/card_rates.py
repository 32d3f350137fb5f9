#!/usr/bin/env python3
"""Rates of generating and verifying on one GPU: a DeviceStore beside RL4CO on torch and Jumanji on JAX.

  PYTHONPATH=FOLDER python3 bench/peers/card_rates.py [--packages DIR] [--limit S] [--rows N] [--part NAME]

Each part runs in a process of its own, one after another, and prints a JSON line for each measurement as soon as it is
there: rows per second, as the median, minimum and maximum of samples that end with a wait. A part that lacks its
packages reports it in a line.

The comparison covers what each of them must do before a reward is known: `generate` makes instances on the GPU,
`verify` reads complete answers there and judges them. RL4CO's get_reward ends the process where one answer of the batch
is wrong; Jumanji steps through an answer; ours reports for each row the violated rule, its place and its amount. Ours
are exact integers, and tsp's distances are a matrix of 47 cities, which is more to read than their 47 points in floats.
They have no local search on the GPU like `improve`, which makes a given number of steps per row.

FOLDER is the output of tools/device/package.sh. DIR has the packages of bench/peers/card_requirements.txt, which
describes how to get them. Packages that they import only for drawings and logs are replaced by stubs where they are
missing.
"""

import argparse
import functools
import importlib.abc
import importlib.machinery
import json
import os
import statistics
import subprocess
import sys
import time
import types
from unittest import mock

import numpy as np

PLACES = {"tsp": 47, "knapsack": 50, "vehicle_routing": 51}  # with the depot
LEVELS = {"tsp": "d28", "knapsack": "d22", "vehicle_routing": "d90"}
INSTANCES, STEPS = 4096, 100
DRAWS = {"PIL", "esquilax", "gymnasium", "huggingface_hub", "hydra", "hydra_colorlog", "lightning", "matplotlib", "mpl_toolkits",
         "omegaconf", "pygame", "pyrootutils", "pytorch_lightning", "requests", "rich", "robust_downloader", "tqdm", "wandb"}  # fmt: skip


class Nothing(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Replaces missing modules: every name in them is a class or a function that does nothing."""

    class Module(types.ModuleType):
        def __getattr__(self, name):
            if name.startswith("__"):
                raise AttributeError(name)
            return type(name, (), {}) if name[0].isupper() else mock.MagicMock()

    def find_spec(self, name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if name.partition(".")[0] in DRAWS else None

    def create_module(self, spec):
        return self.Module(spec.name)

    def exec_module(self, module):
        module.__path__ = []


def measure(head, rows, once, wait, seconds):
    """Prints the rows per second of `once`, without its first call."""
    once()
    wait()
    rates, end = [], time.perf_counter() + seconds
    while len(rates) < 3 or (time.perf_counter() < end and len(rates) < 200):
        begin = time.perf_counter()
        try:
            once()
        except StopIteration:
            break
        wait()
        rates.append(rows / (time.perf_counter() - begin))
    spread = {"rate": statistics.median(rates), "least": min(rates), "most": max(rates), "samples": len(rates)}
    print(json.dumps(head | {"rows": rows, "unit": "rows/s"} | spread), flush=True)


def routes(draws, demands, capacity):
    """Customers 1 to n of each row in any order, with a 0 for each return to the depot, padded with zeros."""
    rows, customers = demands.shape
    order = draws.permuted(np.tile(np.arange(customers), (rows, 1)), axis=1)
    out = np.zeros((rows, 2 * customers), np.int32)
    place, load = np.zeros(rows, int), np.zeros(rows, demands.dtype)
    every = np.arange(rows)
    for turn in range(customers):
        demand = demands[every, order[:, turn]]
        back = load + demand > capacity
        place += back
        load = np.where(back, 0, load) + demand
        out[every, place] = order[:, turn] + 1
        place += 1
    return out[:, : place.max() + 1]


def optgap_part(given):
    import torch

    import optgap
    from optgap.core.device import DeviceStore

    cpu, gpu = optgap.Engine(device="cpu"), optgap.Engine(device=given.device)
    store = DeviceStore(gpu, memory=2 << 30)
    for task, level in LEVELS.items():
        head = {"by": f"optgap {optgap.__version__}", "task": task, "places": PLACES[task]}
        sets = [cpu.generate(task, level, INSTANCES, seed=1 + k * INSTANCES) for k in range(10)]
        fresh = iter(sets)
        measure(
            head | {"verb": "generate"},
            INSTANCES,
            lambda fresh=fresh: store.keep(next(fresh)),
            store.wait,
            given.seconds,
        )
        made = sets[0]
        kept = store.keep(made)
        answers = cpu.noisy_greedy(made, given.rows // INSTANCES, seed=3)
        of = np.repeat(np.arange(INSTANCES, dtype=np.int32), given.rows // INSTANCES)
        rows = len(of)
        columns = [torch.from_numpy(np.array(one)).to("cuda") for one in (answers.words, answers.offsets, of)]
        words, offsets, which = columns
        out, searched = (torch.from_numpy(np.zeros((rows, 4), np.int64)).to("cuda") for _ in range(2))
        verify = functools.partial(store.verify, kept, words, offsets, out, instance_of=which)
        measure(head | {"verb": "verify"}, rows, verify, store.wait, given.seconds)
        if task == "vehicle_routing":
            continue  # the task has no local search on the GPU
        room = rows * max(kept.answer_words, int(np.diff(answers.offsets).max()))
        better = torch.from_numpy(np.zeros(room, np.int32)).to("cuda")
        ends = torch.from_numpy(np.zeros(rows + 1, np.int64)).to("cuda")
        found = (better, ends, searched)
        improve = functools.partial(store.improve, kept, words, offsets, *found, steps=STEPS, instance_of=which)
        measure(head | {"verb": "improve", "steps": STEPS}, rows, improve, store.wait, given.seconds)


def generated(env, rows, on):
    with on:
        return env.generator([rows]).to(on)


def rl4co_part(given):
    import torch
    from rl4co.envs.routing.cvrp.env import CVRPEnv
    from rl4co.envs.routing.tsp.env import TSPEnv

    on = torch.device(given.device)
    wait = torch.cuda.synchronize if on.type == "cuda" else nothing
    draws = np.random.default_rng(1)
    for task, kind, places in (
        ("tsp", TSPEnv, PLACES["tsp"]),
        ("vehicle_routing", CVRPEnv, PLACES["vehicle_routing"] - 1),
    ):
        head = {"by": "RL4CO 0.7.0", "task": task, "places": PLACES[task]}
        with on:  # so that its distributions draw there
            env = kind(generator_params={"num_loc": places}, device=on)
        with torch.inference_mode():
            make = functools.partial(generated, env, given.rows, on)
            measure(head | {"verb": "generate"}, given.rows, make, wait, given.seconds)
            td = env.reset(make())
            if task == "tsp":
                answers = draws.permuted(np.tile(np.arange(places), (given.rows, 1)), axis=1)
            else:
                answers = routes(draws, td["demand"].cpu().numpy().astype(np.float64), 1.0 - 1e-6)
            actions = torch.from_numpy(answers.astype(np.int64)).to(on)
            verify = functools.partial(env.get_reward, td, actions)
            measure(head | {"verb": "verify"}, given.rows, verify, wait, given.seconds)


def waited(jax, call, *inputs):
    return jax.block_until_ready(call(*inputs))


def nothing():
    pass


def jumanji_part(given):
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    import jax
    from jumanji.environments.packing.knapsack import Knapsack
    from jumanji.environments.packing.knapsack.generator import RandomGenerator
    from jumanji.environments.routing.cvrp import CVRP
    from jumanji.environments.routing.cvrp.generator import UniformGenerator as Customers
    from jumanji.environments.routing.tsp import TSP
    from jumanji.environments.routing.tsp.generator import UniformGenerator as Cities

    draws, rows = np.random.default_rng(1), given.rows
    made = {
        "tsp": TSP(Cities(PLACES["tsp"])),
        "knapsack": Knapsack(RandomGenerator(PLACES["knapsack"], 12.5)),
        "vehicle_routing": CVRP(Customers(PLACES["vehicle_routing"] - 1, max_capacity=40, max_demand=9)),
    }
    for task, env in made.items():
        head = {"by": "Jumanji 1.1.2", "task": task, "places": PLACES[task]}
        keys = jax.random.split(jax.random.PRNGKey(1), rows)
        reset = jax.jit(jax.vmap(lambda key, env=env: env.reset(key)[0]))
        make = functools.partial(waited, jax, reset, keys)
        measure(head | {"verb": "generate"}, rows, make, nothing, given.seconds)
        state = make()
        if task == "vehicle_routing":
            answers = routes(draws, np.asarray(state.demands)[:, 1:], 40)
        else:
            answers = draws.permuted(np.tile(np.arange(PLACES[task]), (rows, 1)), axis=1)

        @jax.jit
        @jax.vmap
        def judge(state, actions, env=env):
            def step(state, action):
                after, timestep = env.step(state, action)
                return after, timestep.reward

            return jax.lax.scan(step, state, actions)[1].sum()

        actions = jax.device_put(answers.astype(np.int32))
        measure(
            head | {"verb": "verify"},
            rows,
            functools.partial(waited, jax, judge, state, actions),
            nothing,
            given.seconds,
        )


PARTS = {"optgap": optgap_part, "rl4co": rl4co_part, "jumanji": jumanji_part}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packages", help="folder that RL4CO and Jumanji are imported from")
    parser.add_argument("--limit", type=float, default=30, help="seconds of all parts together")
    parser.add_argument("--seconds", type=float, default=0.3, help="of a measurement (default: 0.3)")
    parser.add_argument("--rows", type=int, default=16384)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--part", choices=PARTS)
    given = parser.parse_args()
    if given.part:
        if given.packages:
            sys.path.insert(0, given.packages)
        sys.meta_path.append(Nothing())
        PARTS[given.part](given)
        return
    end = time.monotonic() + given.limit
    for part in PARTS:
        command = [sys.executable, *sys.argv, "--part", part]
        try:
            done = subprocess.run(command, timeout=max(1.0, end - time.monotonic()), stderr=subprocess.PIPE, text=True)
            why = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1] if done.returncode else ""
        except subprocess.TimeoutExpired:
            why = "out of time"
        if why:
            print(json.dumps({"by": part, "ended": why}), flush=True)


if __name__ == "__main__":
    main()
