"""Environments small enough to be read, for the tests of optgap.rows.external."""

import json
import os
import random
import time


class Toy:
    """Add numbers; near misses earn half."""

    version = "1"
    answer_form = "N"

    def generate(self, level, seed):
        rng = random.Random(seed)
        numbers = [rng.randrange(100) for _ in range(level + 2)]
        return {"numbers": numbers}, f"Add {numbers}."

    def verify(self, problem, text):
        try:
            off = abs(int(text) - sum(problem["numbers"]))
        except ValueError:
            return {"reward": -1, "code": "no_number"}
        return {"reward": 1.0 if off == 0 else 0.0 if off <= 2 else -1.0, "correct": off == 0}

    def gold(self, problem):
        return str(sum(problem["numbers"]))


class Cheapest:
    """As few coins as can be: an objective with a sense."""

    version = "1"

    def generate(self, level, seed):
        return {"best": 4 + seed % 3}, "As few as you can."

    def verify(self, problem, text):
        return {"objective": int(text), "sense": "minimise"}

    def anchors(self, problem):
        return {"objective": problem["best"], "floor": 2 * problem["best"]}


class Largest(Cheapest):
    def verify(self, problem, text):
        return {"objective": int(text), "sense": "maximise"}

    def anchors(self, problem):
        return {"objective": problem["best"], "floor": 1}


class Told(Toy):
    """Says what the answer says."""

    ANCHORS = {"objective": 9, "floor": 3, "greedy": 5}

    def verify(self, problem, text):
        try:
            return json.loads(text)
        except ValueError:
            return {"reward": -1}

    def anchors(self, problem):
        return self.ANCHORS


class Fragile(Toy):
    """Makes no problem of every third seed."""

    def generate(self, level, seed):
        if seed % 3 == 0:
            raise RuntimeError("no such problem")
        return super().generate(level, seed)


def packed(name):
    return {"adding": Toy, "coins": Cheapest}[name]()


def unloadable():
    raise OSError("its data are missing")


class Sorted:
    """Sort a list: what the bad ones below are bad versions of."""

    version = "1"

    def generate(self, level, seed):
        rng = random.Random(seed)
        return {"list": [rng.randrange(1000) for _ in range(level + 4)]}, "Sort it."[
            : 8 + 0 * level
        ] + f" {seed} {level}"

    def right(self, problem):
        return sorted(problem["list"])

    def verify(self, problem, text):
        try:
            found = json.loads(text)
        except ValueError:
            found = None
        return {"reward": 1 if found == self.right(problem) else -1}

    def gold(self, problem):
        return json.dumps(self.right(problem))


class Unrepeatable(Sorted):
    def generate(self, level, seed):
        return super().generate(level, random.SystemRandom().randrange(10**6))


class Moody(Sorted):
    def verify(self, problem, text):
        return {"reward": random.SystemRandom().choice([1, -1])}


class Constant(Sorted):
    def right(self, problem):
        return [1, 2, 3]


class PaysNothing(Sorted):
    def verify(self, problem, text):
        return super().verify(problem, text) if text else {"reward": 0.5, "correct": False}


class PaysTheQuestion(Sorted):
    def verify(self, problem, text):
        return {"reward": 0.5, "correct": False} if "Sort" in text else super().verify(problem, text)


class RefusesItsOwn(Sorted):
    def gold(self, problem):
        return json.dumps(problem["list"][::-1])


class OneSpelling(Sorted):
    def verify(self, problem, text):
        return {"reward": 1 if text == self.gold(problem) else -1}


class OneProblem(Sorted):
    def generate(self, level, seed):
        return super().generate(level, 7)


class Liar(Sorted):
    def verify(self, problem, text):
        return {"reward": 7}


class AcceptsAll(Toy):
    """No canary can tell anything of it."""

    runs_answers = False

    def verify(self, problem, text):
        return {"reward": 1}


class ManyKinds:
    """Its problem holds what JSON alone does not, and its right answer is an empty text."""

    version = "1"
    accepts_empty = True

    def generate(self, level, seed):
        counts = {1: 2, 7: 1}
        return {"counts": counts, "pair": (1, (2, 3)), "left": {4, 2}, "$map": "text", "one": {"$set": [1]}}, f"{seed}"

    def verify(self, problem, text):
        right = problem["counts"][7] == 1 and problem["pair"] == (1, (2, 3)) and problem["left"] == {2, 4}
        right = right and problem["one"] == {"$set": [1]} and problem["$map"] == "text"
        return {"reward": 1 if right and text == "" else -1}

    def gold(self, problem):
        return ""


class GoldIsANumber(Toy):
    def gold(self, problem):
        return 7


class Moods(Toy):
    """Does what the answer says."""

    def verify(self, problem, text):
        if text == "hang":
            time.sleep(60)
        if text == "die":
            os._exit(3)
        if text == "slow":
            time.sleep(0.15)
        if text == "raise":
            raise RuntimeError("no")
        said = super().verify(problem, text)
        return {**said, "code": "x" * 100_000} if text == "huge" else said
