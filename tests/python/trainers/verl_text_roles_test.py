"""verl's owner of roles on free text: batches, rewards, a state that another owner goes on from."""

import asyncio
import json

import pytest

import optgap
from optgap.trainers.verl.roles import RolesOwner

TEXTS = {
    "proposer": "<question>How many are {}?</question>",
    "solver": "<answer>{}</answer>",
    "judge": "<score>8</score>",
}


def owner(folder, **options):
    path = folder / "questions.jsonl"
    path.write_text(json.dumps({"question": "What is 2 + 2?", "answer": "4"}) + '\n{"question": "Beyond the first?"}\n')
    given = {"questions": str(path), "prompts": 3, "group": 2, "proposals": 1, "judges": 1, "seed": 5,
             "options": {"samples": 1, "seeds": 1}, "solve": lambda prompts: ["<answer>I</answer> <score>9</score>"] * len(prompts)}  # fmt: skip
    return RolesOwner(pool=str(folder / "pool.db"), **{**given, **options})


async def batch(own, number):
    rows = await own.rows(3)
    asked = [(row["tickets"][0], row["role"], ticket) for row in rows for ticket in row["tickets"]]
    earned = await asyncio.gather(*(own.earned(first, TEXTS[role].format(ticket), "stop", f"{number}.{first}")
                                    for first, role, ticket in asked))  # fmt: skip
    uids = [f"{number}.{first}" for first, _, _ in asked]
    return [role for _, role, _ in asked], earned, await own.advantages(uids, earned)


def test_a_batch_of_free_text_is_rewarded_and_a_state_goes_on(tmp_path):
    (tmp_path / "whole").mkdir()
    (tmp_path / "resumed").mkdir()

    async def whole():
        own = owner(tmp_path / "whole")
        return [await batch(own, number) for number in range(3)], own._roles.pool.hash

    async def resumed():
        own = owner(tmp_path / "resumed")
        found = [await batch(own, 0)]
        state = await own.state_dict()
        await batch(own, 1)
        del own
        own = owner(tmp_path / "resumed")
        await own.load_state_dict(state)
        return [*found, await batch(own, 1), await batch(own, 2)], own._roles.pool.hash

    mine, other = asyncio.run(whole()), asyncio.run(resumed())
    assert mine == other
    assert [set(roles) for roles, _, _ in mine[0]][:2] == [{"proposer", "solver"}, {"proposer", "solver", "judge"}]
    roles, earned, _ = mine[0][1]
    value = 8 / 9
    wanted = {"proposer": (value + 1 - value + 1) / 3, "solver": (value + 1) / 2, "judge": 1}
    assert earned == pytest.approx([wanted[role] for role in roles], abs=1e-6)
    assert len(optgap.Pool(tmp_path / "whole" / "pool.db", writes=False)) > 3, (
        "good questions came in, one seed alone before"
    )


def test_settings_that_do_not_fit_are_refused(tmp_path):
    for options, field in (({"tasks": ["tsp"]}, "data.optgap.tasks"), ({"questions": None, "tasks": ["tsp"], "options": {},
                           "judge": {"base_url": "http://x/v1", "model": "m"}}, "data.optgap.judge"),
                           ({"solve": None}, "data.optgap.solver")):  # fmt: skip
        folder = tmp_path / field
        folder.mkdir()
        with pytest.raises(optgap.Error, match=field):
            owner(folder, **options)
