"""python four_ranks.py FOLDER LOOP...: TRL takes steps in four processes that hold rows of different tasks, one of them
none of ours. Prints what rank 0 logged, a line of JSON for each loop. Ranks that wait for each other for ever are the
caller's time-out. LOOP is `current`, what is installed, `old`, `curriculum`: all rows are a stream's, and every rank
leaves the state it ends with in FOLDER, or `roles`: rows are proposers', solvers' and judges', and every rank leaves what its
completions earned; `resumed` is the same from the checkpoint behind the first step, with the pool as it is by then.

`old` is TRL before 1.14, whose ranks walk through the metrics of their own, each with a collective."""

import importlib.metadata
import json
import os
import pathlib
import socket
import sys
import traceback

import torch
import trl.trainer.grpo_trainer as grpo
from datasets import Dataset
from role_texts import texts
from tiny_model import byte_tokenizer, random_model
from trl import GRPOConfig, GRPOTrainer

import optgap
from optgap.trainers.common.stream import CurriculumRows
from optgap.trainers.trl import reward as ours
from optgap.trainers.trl.curriculum import CurriculumStream
from optgap.trainers.trl.roles import RolesStream

RANKS, GROUP = 4, 4
ROWS = [("tsp", "easy"), ("knapsack", "d3"), ("coloring", "easy"), None]
"""One prompt a rank. A step of the difficulty scale is a metric more than a named level, and other data gives none."""
WORDS = ["<think>hm</think><answer>[0]</answer>", "no answer", "72"]


def other(completions, data_source, **_):
    return [
        None if source.startswith("optgap/") else float(text == "72") for text, source in zip(completions, data_source)
    ]


def rows():
    engine = optgap.Engine("cpu", threads=1)
    for row in ROWS:
        key = "72" if row is None else engine.generate(*row, 1, seed=5).keys[0]
        yield {"prompt": str(row), "ground_truth": key, "data_source": "/".join(("optgap", *row)) if row else "math"}


def asked(row):
    """Short, so that steps are."""
    return row["data_source"]


def as_before_1_14():
    version = importlib.metadata.version
    importlib.metadata.version = lambda name: "1.13.0" if name == "trl" else version(name)
    gathered = grpo.gather_object

    def of_this_rank(given):
        """Names of metrics and columns are not gathered; what has rows is."""
        return given if all(isinstance(each, str) and each.startswith("optgap") for each in given) else gathered(given)

    grpo.gather_object = of_this_rank


ROLES = {
    "per_device_train_batch_size": 6,
    "num_generations": 8,
    "max_steps": 3,
    "save_strategy": "steps",
    "save_steps": 1,
}
"""Three rows a batch, whose completions lie on two ranks and more."""


def roles_in(file):
    return optgap.Roles(optgap.Engine("cpu", threads=1), optgap.Pool(file, seed=7), tasks=["tsp"], level="d3")


def by_roles(folder):
    """In the order of ranks and rows, a prompt that names its role."""
    return RolesStream(lambda: roles_in(pathlib.Path(folder, "pool.db")), proposals=1, judges=1,
                       prompt=lambda row: [{"role": "user", "content": row["role"]}])  # fmt: skip


def recorded(stream, told):
    """The stream's reward function, and what was said and earned."""
    rewards, shared = stream.reward(), stream.policy.shared

    def solve(prompts):
        told["solved"].append(shared(prompts))
        return told["solved"][-1]

    def reward(prompts, completions, **columns):
        values = rewards(prompts, completions, **columns)
        said = [ours.text_of(completion) for completion in completions]
        told["batches"].append(list(zip(columns["tickets"], said, values)))
        return values

    stream.policy.shared = solve
    reward.__name__ = "optgap_roles"
    return reward


def steps(folder, loop, rank, data):
    """In a process of its own."""
    if loop == "old":
        as_before_1_14()
    os.environ.update(RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(RANKS), ACCELERATE_USE_CPU="true")
    words = texts() if loop in ("roles", "resumed") else WORDS
    tokenizer = byte_tokenizer(plain=words)
    wanted = {tokenizer.convert_tokens_to_ids(word) for word in words}
    settings = {
        "output_dir": folder, "use_cpu": True, "bf16": False, "report_to": [], "save_strategy": "no", "logging_steps": 1,
        "disable_tqdm": True, "seed": 3, "max_steps": 2, "beta": 0.0, "gradient_checkpointing": False,
        "per_device_train_batch_size": GROUP, "num_generations": GROUP, "max_completion_length": 1,
        "generation_kwargs": {"suppress_tokens": [each for each in range(len(tokenizer)) if each not in wanted]},
    }  # fmt: skip
    rewarded, callbacks = ours.reward_functions("reward"), []
    train_dataset, more = Dataset.from_list(data), other
    if loop == "curriculum":
        stream = CurriculumStream(
            CurriculumRows({"policy": "adaptive", "rollouts": GROUP}, ["tsp", "coloring"], 3), asked
        )
        train_dataset, more, callbacks = stream.dataset(), stream.observer(rewarded[0]), [stream.callback()]
        settings["shuffle_dataset"] = False
    if loop in ("roles", "resumed"):
        stream, told = by_roles(folder), {"batches": [], "solved": []}
        train_dataset, rewarded, more, callbacks = stream.dataset(), [], recorded(stream, told), [stream.callback()]
        settings |= {"shuffle_dataset": False, **ROLES}
    trainer = GRPOTrainer(
        model=random_model(tokenizer), processing_class=tokenizer, reward_funcs=[*rewarded, more],
        train_dataset=train_dataset, args=GRPOConfig(**settings), callbacks=callbacks,
    )  # fmt: skip
    # Of several ranks transformers loads an optimizer to `cpu:0`, which torch does not know.
    torch.serialization.register_package(1, lambda _: None, lambda stored, place: stored if place == "cpu:0" else None)
    trainer.train(resume_from_checkpoint=f"{folder}/checkpoint-1" if loop == "resumed" else None)
    if loop == "curriculum":
        pathlib.Path(folder, f"state_{rank}.json").write_text(stream.rows.state_dict())
    if loop in ("roles", "resumed"):
        pool = [stream.roles.pool.steps, stream.roles.pool.hash] if rank == 0 else None
        pathlib.Path(folder, f"{loop}_{rank}.json").write_text(json.dumps({**told, "pool": pool}))
    logged = [entry for entry in trainer.state.log_history if "reward" in entry]
    if rank == 0:
        print(json.dumps({"loop": loop, "trl": importlib.metadata.version("trl"), "logged": logged}), flush=True)


def four(folder, loop, data):
    """Exit codes of four ranks. They are forked, so that the imports are paid once."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(free.getsockname()[1]))
    children = []
    for rank in range(RANKS):
        child = os.fork()
        if child == 0:
            try:
                steps(folder, loop, rank, data)
                os._exit(0)
            except BaseException:  # noqa: BLE001
                traceback.print_exc()
                os._exit(1)
        children.append(child)
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]


if __name__ == "__main__":
    torch.set_num_threads(1)
    made = list(rows())
    sys.exit(any(code for loop in sys.argv[2:] for code in four(sys.argv[1], loop, made)))
