"""TRL: the part of train.py in which one model poses, solves and judges."""

from __future__ import annotations

from .roles import each, group as group, judges, options, prompts as prompts, seeds
from .run import Run

LEFT_OUT = {
    "advantage": "TRL subtracts the mean of the answers to one prompt; task-relative REINFORCE++ compares all of a role (verl has it)",
    "group": "TRL compares answers to one prompt: as many as the paper's difficulty takes",
    "batch": "counted in prompts of each role",
}

_IMPORTS = """import optgap
from optgap.trainers.trl.roles import RolesStream
from trl import GRPOConfig, GRPOTrainer

TASKS = {tasks!r}
ROLES = {options!r}
SEEDS = {seeds}  # instances of each task in the pool at the start
PROPOSERS, JUDGES = {each}, {judges}  # prompts of a step; the others are solvers'
"""

_TEXT_IMPORTS = """import optgap
from optgap.trainers.trl.roles import RolesStream
from trl import GRPOConfig, GRPOTrainer

QUESTIONS = {questions!r}
ROLES = {options!r}
SEEDS = {seeds}  # questions of the file in the pool at the start
PROPOSERS, JUDGES = {each}, {judges}  # prompts of a step; the others are solvers'
"""

_TEXT_ROLES = '''
def roles(pool="pool.db", seed={seed}):
    """What the first rank makes."""
    seeds = [texts[:SEEDS] for texts in optgap.read_questions(QUESTIONS)]
    return optgap.TextRoles(optgap.Pool(pool, seed=seed, policy="uniform"), seeds=tuple(seeds), **ROLES)
'''

_UNTRAINED = """UNTRAINED = {role!r}
"""

_ROLES = '''
def roles(pool="pool.db", seed={seed}):
    """What the first rank makes."""
    engine, problems = optgap.Engine("cpu"), optgap.Pool(pool, seed=seed)
    if len(problems) == 0:
        for task in TASKS:
            problems.add(engine.generate(task, "easy", SEEDS))
    return optgap.Roles(engine, problems, tasks=TASKS, **ROLES)
'''

_TRAINER = '''

{reward}def trainer(model={model!r}, tokenizer=None, make=roles, prompt=None, proposers=PROPOSERS, judges=JUDGES, **changes):
    """The trainer, with `changes` to its settings."""
    stream = RolesStream(make, proposals=proposers, judges=judges, prompt=prompt)
    return GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=[{function}],
        args=GRPOConfig(shuffle_dataset=False, **whole(changes)),
        train_dataset=stream.dataset(),
        callbacks=[stream.callback()],
    )
'''

_REWARD = '''def but_for_the_untrained(reward):
    """The reward, with none for one role: groups without a reward move nothing."""

    def optgap_roles(prompts, completions, role, **columns):
        rewarded = reward(prompts, completions, role=role, **columns)
        return [0.0 if one == UNTRAINED else value for one, value in zip(role, rewarded)]

    return optgap_roles


'''


def imports(run: Run) -> str:
    """And the constants."""
    counts = {"options": options(run), "each": each(run), "judges": judges(run)}
    if run.has_free_text:
        said = _TEXT_IMPORTS.format(questions=run.brought.questions, seeds=int(run.number("seed_questions")), **counts)
    else:
        said = _IMPORTS.format(tasks=list(run.tasks), seeds=seeds(run), **counts)
    role = run.arm.used("untrained_role")
    return said if role is None else said + _UNTRAINED.format(role=role)


def trainer(run: Run) -> str:
    """The function that makes the trainer."""
    has = run.arm.used("untrained_role") is not None
    made = (_TEXT_ROLES if run.has_free_text else _ROLES).format(seed=run.seed)
    return made + _TRAINER.format(
        model=run.rl_model, reward=_REWARD if has else "",
        function="but_for_the_untrained(stream.reward())" if has else "stream.reward()",
    )  # fmt: skip
