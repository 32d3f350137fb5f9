"""A run of roles in TRL around a tiny model: for tests, and as a process that is killed.

python trl_roles_run.py FOLDER STEPS tasks|text [KILL]     KILL: `2:rewarded`, `2:ended` or `2:saved` ends it by SIGKILL when
step 2 was"""

import json
import os
import pathlib
import signal
import sys

import role_texts
import text_role_texts
from tiny_trainer import GROUP, trainer
from transformers import TrainerCallback

import optgap
from optgap.trainers.trl.roles import RolesStream

PROMPTS = 4


def run(folder, seen=None, callbacks=None, free_text=False, **options):
    pool = optgap.Pool(folder / "pool.db", seed=7)
    if free_text:
        roles = optgap.TextRoles(pool, seeds=["What is 2 + 2?", "Who wrote it?"], samples=2, quality=0.1)
    else:
        roles = optgap.Roles(optgap.Engine("cpu", threads=1), pool, tasks=["tsp"], level="d3")
    texts = text_role_texts.texts() if free_text else role_texts.texts()
    stream = RolesStream(roles, proposals=1, judges=1, prompt=lambda row: [{"role": "user", "content": row["role"]}])
    rewarded = stream.reward()

    def reward(prompts, completions, **columns):
        values = rewarded(prompts, completions, **columns)
        if seen is not None:
            seen((columns["role"], columns["tickets"], list(completions), values), columns["trainer_state"].global_step)
        return values

    reward.__name__ = rewarded.__name__
    problems = [{"optimal": text, "greedy": text} for text in texts]
    settings = {
        "shuffle_dataset": False,
        "per_device_train_batch_size": GROUP * PROMPTS,
        **options,
    }
    made = trainer(problems, folder / "out", [reward], stream.dataset(), texts=texts, **settings)
    for callback in [stream.callback()] if callbacks is None else callbacks:
        made.add_callback(callback)
        callback.on_init_end(
            made.args, made.state, made.control, model=made.model, processing_class=made.processing_class
        )
    return made, roles


class Killed(TrainerCallback):
    def __init__(self, kill):
        self.at = kill

    def reached(self, step, place):
        if self.at == f"{step}:{place}":
            os.kill(os.getpid(), signal.SIGKILL)

    def on_step_end(self, args, state, control, **_):
        self.reached(state.global_step, "ended")

    def on_save(self, args, state, control, **_):
        self.reached(state.global_step, "saved")


def main(folder, steps, kind, kill=""):
    killed = Killed(kill)

    def seen(batch, step):
        (folder / f"batch{step}.json").write_text(json.dumps(batch))
        killed.reached(step, "rewarded")

    made, _ = run(folder, seen, free_text=kind == "text", max_steps=steps, save_strategy="steps", save_steps=1)
    made.add_callback(killed)
    made.train(resume_from_checkpoint=any((folder / "out").glob("checkpoint-*")) or None)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
