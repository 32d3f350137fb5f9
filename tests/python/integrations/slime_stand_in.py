"""What of slime its hooks see, from its repository of November 2026: samples, arguments, and its RolloutManager's order of
calls with a model in place of SGLang.

    python slime_stand_in.py FOLDER ROLLOUTS [KILLED_IN]     resumes from FOLDER; prints the keys of each rollout
"""

import asyncio
import enum
import json
import os
import pathlib
import signal
import sys
import types
import zlib
from dataclasses import dataclass, field

import numpy as np

from optgap.trainers.common import ground_truth
from optgap.trainers.slime import reward as slime

HOOKS = "optgap.trainers.slime.reward"


@dataclass
class Sample:
    """The fields of slime.utils.types.Sample that hooks may use."""

    class Status(enum.Enum):
        PENDING = "pending"
        COMPLETED = "completed"
        TRUNCATED = "truncated"
        ABORTED = "aborted"
        FAILED = "failed"

    group_index: int | None = None
    index: int | None = None
    prompt: object = ""
    tokens: list = field(default_factory=list)
    response: object = ""
    response_length: int = 7
    label: str | None = None
    reward: object = None
    rollout_routed_experts: object = None
    status: Status = Status.COMPLETED
    metadata: dict = field(default_factory=dict)

    def to_dict(self):
        return {**self.__dict__, "status": self.status.value}

    @staticmethod
    def from_dict(fields):
        return Sample(**{**fields, "status": Sample.Status(fields["status"])})

    def get_reward_value(self, args):
        return self.reward if not args.reward_key else self.reward[args.reward_key]


def arguments(**others):
    return types.SimpleNamespace(**{"reward_key": "score", "n_samples_per_prompt": 4, **others})


def with_curriculum(folder, **others):
    policy = {"policy": "adaptive", "samples": 16, "width": 2, "z": 1}
    return arguments(
        save=str(folder), load=str(folder), optgap_curriculum=policy, optgap_seed=7,
        custom_reward_post_process_path=f"{HOOKS}.post_process", dynamic_sampling_filter_path=f"{HOOKS}.keep_group",
        **others,
    )  # fmt: skip


def modules():
    """slime's, as far as a data source imports them."""
    module = types.ModuleType("slime.utils.types")
    module.Sample = Sample
    return {
        "slime": types.ModuleType("slime"),
        "slime.utils": types.ModuleType("slime.utils"),
        "slime.utils.types": module,
    }


def answer(sample):
    """A model whose three in four answers are optimal, by a hash of the question."""
    key, by = json.loads(sample.label)["key"], ground_truth.engine()
    wrong = zlib.crc32(f"{key} {sample.index}".encode()) % 4 == 0
    solved = by.solve(by.instances([key])).answers.tolist()[0]
    return f"<think>hm</think><answer>{'[]' if wrong else json.dumps(solved)}</answer>"


def rollout(args, source, rollout_id, killed=False, groups=4, over=6):
    """One of RolloutManager's `generate`: over-sampled, filtered, cut short, post-processed. The keys it drew, and how
    many groups the filter dropped."""
    kept, drawn, aborted, dropped = [], [], [], 0
    while len(kept) < groups:
        for group in source.get_samples(over):
            drawn.append(json.loads(group[0].label)["key"])
            if len(kept) == groups:  # slime aborts what is under way; some have begun, and routed their experts
                for sample in group[:2]:
                    sample.status, sample.response = Sample.Status.ABORTED, "<think>hm"
                    sample.tokens, sample.metadata["start_rollout_id"] = [5, 6], rollout_id
                    sample.rollout_routed_experts = np.arange(6, dtype=np.int32).reshape(1, 3, 2)
                aborted.append(group)
                continue
            for sample in group:
                sample.response, sample.status = answer(sample), Sample.Status.COMPLETED
            if killed:
                os.kill(os.getpid(), signal.SIGKILL)
            for sample, reward in zip(group, asyncio.run(slime.rm(args, group))):
                sample.reward = reward
            if slime.keep_group(args, group).keep:
                kept.append(group)
            else:
                dropped += 1
    source.add_samples(aborted)
    raw, values = slime.post_process(args, [sample for group in kept for sample in group])
    assert len(raw) == len(values) == groups * args.n_samples_per_prompt
    source.save(rollout_id)
    return drawn, dropped


def state_of(folder, rollout_id):
    return (pathlib.Path(folder) / f"rollout/optgap_data_source_{rollout_id}.json").read_bytes()


def main(folder, rollouts, killed_in=-1):
    sys.modules.update(modules())
    args = with_curriculum(folder)
    source = slime.DataSource(args)
    begin = len(list(pathlib.Path(folder).glob("rollout/*.json")))
    source.load(begin - 1)
    for rollout_id in range(begin, rollouts):
        drawn, dropped = rollout(args, source, rollout_id, killed=rollout_id == killed_in)
        print(json.dumps([rollout_id, drawn, dropped]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
