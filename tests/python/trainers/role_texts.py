"""What the tiny model of the tests of roles may say: proposals, tours and scores, a token each."""

import json
import random


def proposal(draw):
    rows = [[0] * 5 for _ in range(5)]
    for a in range(5):
        for b in range(a):
            rows[a][b] = rows[b][a] = draw.randrange(10, 100)
    return f"<question>{json.dumps({'task': 'tsp', 'instance': {'distances': rows}})}</question>"


def texts():
    draw = random.Random(4)
    tours = [f"<think>so</think><answer>{[0, *draw.sample(range(1, 5), 4)]}</answer>" for _ in range(3)]
    return [*(proposal(draw) for _ in range(4)), *tours, "<score>9</score>", "<score>2</score>"]
