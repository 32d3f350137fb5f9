import random

from Gym.environment import VerifiableEnvironment


class Addition_Environment(VerifiableEnvironment):
    """A sum; near misses earn a little."""

    def _generate(self):
        if self.parameter["digits"] > 6:
            return False  # as when its own deadline has passed
        bound = 10 ** self.parameter["digits"]
        a, b = random.randrange(bound), random.randrange(bound)
        self.parameter.update(a=a, b=b, reference_answer=a + b)
        return True

    def _prompt_generate(self):
        return f"{self.parameter['a']} + {self.parameter['b']} = ?"

    def scorer(self, text):
        answer, gold = int(text), self.parameter["reference_answer"]
        if answer < 0:
            return -0.5
        return 1.0 if answer == gold else (min(answer, gold) / max(answer, gold, 1)) ** 5
