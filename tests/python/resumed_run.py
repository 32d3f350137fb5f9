"""A small trainer that is killed, and goes on from its last checkpoint: all roles around a pool, read a batch ahead as TRL does,
beside a curriculum.

python resumed_run.py FOLDER STEPS [KILL]     KILL: `2:drawn` ends the process by SIGKILL at that place of step 2"""

import gc
import json
import os
import pathlib
import random
import signal
import sys

from completion import complete
from roles_cases import posed

import optgap
from optgap.trainers.common.evaluation import evaluate
from optgap.trainers.common.role_rows import RoleRows
from optgap.trainers.common.stream import CurriculumRows

PLACES = ("drawn", "solved", "rewarded", "counted", "writing", "saved")
GROUP = 3


def text_for(role, ticket):
    """Of a ticket alone, so that runs can be compared; now and then broken, or what an earlier one posed."""
    draw = random.Random(ticket)
    if role == "judge":
        return f"<score>{draw.randrange(1, 11)}</score>"
    if role == "solver":
        return complete([0, *draw.sample(range(1, 5), 4)]) if draw.random() < 0.8 else "I give up"
    draw = random.Random(ticket if draw.random() < 0.7 else ticket % 5)
    return posed(draw) if draw.random() < 0.9 else "<question>{</question>"


class Run:
    """One life of the run."""

    def __init__(self, folder, kill="", scheduler=False):
        self.folder, self.at = pathlib.Path(folder), kill
        engine = optgap.Engine("cpu", threads=1)
        self.engine = engine
        pool = optgap.Pool(self.folder / "pool.db", seed=7, capacity=70)
        self.scheduler = optgap.Scheduler(engine) if scheduler else None
        roles = optgap.Roles(engine, pool, tasks=["tsp"], level="d3", scheduler=self.scheduler,
                             limits={"near": [3, 4], "quota": 3})  # fmt: skip
        self.rows = RoleRows(roles, prompts=6, group=GROUP, proposals=2, judges=1)
        self.curriculum = CurriculumRows("adaptive", ["tsp", "knapsack"], seed=3)
        self.step, self.ahead = 0, None
        if not (self.folder / "checkpoint.json").exists():
            self.save()
        else:
            kept = json.loads((self.folder / "checkpoint.json").read_text())
            self.step = kept["step"]
            self.rows.resume(kept["roles"])
            self.curriculum.load_state_dict(kept["curriculum"])
            self.ahead = [row for row in self.rows.pending if len(self.rows.missing(row)) == GROUP]

    def reached(self, place):
        if self.at == f"{self.step}:{place}":
            os.kill(os.getpid(), signal.SIGKILL)

    def one_step(self):
        """What was drawn, asked and rewarded in it."""
        batch = self.ahead or self.rows.rows()
        self.ahead = self.rows.rows()  # before the batch is rewarded
        problems = self.curriculum.rows(4)
        self.reached("drawn")
        texts = {ticket: text_for(row["role"], ticket) for row in batch for ticket in row["tickets"]}
        late = batch[-1]["tickets"][0]  # comes with the next batch
        texts |= {ticket: text_for("solver", ticket) for ticket in self.late if ticket not in texts}
        del texts[late]

        def solve(prompts):
            self.reached("solved")
            draw = random.Random(self.step)
            return [complete([0, *draw.sample(range(1, 5), 4)]) for _ in prompts]

        rewarded = self.rows.reward_rows(texts, solve)
        self.reached("rewarded")
        truths = [row["ground_truth"] for row in problems for _ in range(GROUP)]
        found = evaluate([self.answered(truth, place) for place, truth in enumerate(truths)], truths)
        self.curriculum.observe(truths, found.rows, truths)
        self.curriculum.merge(self.curriculum.delta())
        self.curriculum.step()
        self.reached("counted")
        told = [
            [row.ticket, row.role, row.code, str(row.reward), str(row.advantage), row.prompt]
            for row in rewarded.values()
        ]
        (self.folder / f"step{self.step}.json").write_text(json.dumps([batch, problems, told]))
        self.step += 1
        return self.save()

    @property
    def late(self):
        """Tickets of rows that lack a text, of batches before."""
        return [
            ticket
            for row in self.rows.pending
            for ticket in self.rows.missing(row)
            if len(self.rows.missing(row)) < GROUP
        ]

    def answered(self, truth, place):
        """Right for one in two, by the key and the step."""
        key = json.loads(truth)["key"]
        name, _, level, seed = key.partition("#")[0].split(":")
        instances = self.engine.generate(name.partition("@")[0], level, 1, seed=int(seed))
        good = random.Random(f"{key} {place}").random() < 0.5
        return complete(self.engine.solve(instances).answers.tolist()[0]) if good else "no answer"

    def save(self):
        kept = {"step": self.step, "roles": self.rows.checkpoint(), "curriculum": self.curriculum.state_dict()}
        draft = self.folder / "checkpoint.json.new"
        draft.write_text(json.dumps(kept))
        self.reached("writing")
        os.replace(draft, self.folder / "checkpoint.json")
        self.reached("saved")

    def run(self, steps):
        while self.step < steps:
            self.one_step()

    def close(self):
        """Lets go of the pool."""
        if self.scheduler is not None:
            self.scheduler.shutdown()
        del self.rows
        gc.collect()


if __name__ == "__main__":
    Run(sys.argv[1], sys.argv[3] if len(sys.argv) > 3 else "").run(int(sys.argv[2]))
