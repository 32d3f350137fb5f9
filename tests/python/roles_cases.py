"""Steps of roles on tsp, and a model that answers them at random."""

import json

from optgap import Pool, Roles


def made(engine, folder, **options):
    pool = Pool(folder / "pool.db", seed=7)
    return Roles(engine, pool, tasks=["tsp"], level="d3", **options)


def distances(draw):
    rows = [[0] * 5 for _ in range(5)]
    for a in range(5):
        for b in range(a):
            rows[a][b] = rows[b][a] = draw.randrange(10, 100)
    return rows


def posed(draw):
    return f"<question>{json.dumps({'task': 'tsp', 'instance': {'distances': distances(draw)}})}</question>"


def answered(step, draw, propose=posed):
    texts = []
    for asked in step.prompts:
        if asked.role == "proposer":
            texts.append(propose(draw))
        elif asked.role == "judge":
            texts.append(f"<score>{draw.randrange(1, 11)}</score>")
        else:
            rest = draw.sample(range(1, 5), 4)
            texts.append(f"<think>so</think><answer>{[0, *rest]}</answer>")
    return texts


def run(step, draw, **options):
    while step.prompts:
        step.submit(answered(step, draw, **options))
    return step.collect()


def told(rows):
    """All that a row says, NaN as a text."""
    return [
        (row.ticket, row.group, row.code, str(row.reward), str(row.advantage), row.prompt, str(row.components))
        for row in rows
    ]
