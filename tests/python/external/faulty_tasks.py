"""Short classes, each with one fault, for own_tasks_test.py. Numbers to add, else."""

import os
import random
import time


class Right:
    version = "1"

    def generate(self, rng, difficulty):
        return [rng.randint(1, 999) for _ in range(3 + difficulty)]

    def prompt(self, problem):
        return f"Add {problem}."

    def reference(self, problem):
        return sum(problem)


class OtherChance(Right):
    def generate(self, rng, difficulty):
        return [random.randint(1, 999) for _ in range(3)]


class RefusesItsOwn(Right):
    def verify(self, problem, text):
        return False


class AcceptsAll(Right):
    def verify(self, problem, text):
        return True


class SameAnswer(Right):
    def generate(self, rng, difficulty):
        numbers = super().generate(rng, difficulty)
        return [*numbers, 5 - sum(numbers)]


class FewProblems(Right):
    def generate(self, rng, difficulty):
        return [rng.randint(1, 4)]


class Hangs(Right):
    def generate(self, rng, difficulty):
        while True:
            time.sleep(1)


class Dies(Right):
    def verify(self, problem, text):
        os._exit(3)


class TooMuch(Right):
    def generate(self, rng, difficulty):
        print("x" * 10**7)
        return "x" * (5 << 20)


class NoNumber(Right):
    def verify(self, problem, text):
        return 7


class Nothing:
    version = "1"

    def prompt(self, problem):
        return ""


class NoJudge(Nothing):
    def generate(self, rng, difficulty):
        return 1


class Unversioned:
    def generate(self, rng, difficulty):
        return rng.random()

    def prompt(self, problem):
        return f"Say {problem}."

    def reference(self, problem):
        return problem


class Sortingbootcamp:
    """As InternBootcamp's classes are written."""

    def __init__(self, size=4):
        self.size = size

    def case_generator(self):
        return {"numbers": [random.randint(0, 99) for _ in range(self.size)]}

    @staticmethod
    def prompt_func(case):
        return f"Sort {case['numbers']}; answer as [answer]1 2 3[/answer]."

    @classmethod
    def verify_score(
        cls, model_output, identity, format_score=0, short_penalty=True, short_threshold=100, format_penalty=True
    ):
        if short_penalty and len(model_output) < short_threshold or format_penalty and "</think>" not in model_output:
            return 0.0
        inside = model_output.removeprefix("[answer]").removesuffix("[/answer]").split()
        return 1.0 if inside == [str(number) for number in sorted(identity["numbers"])] else 0.0
