import random

from Gym.environment import VerifiableEnvironment


class Refusing_Environment(VerifiableEnvironment):
    """Refuses every answer, as one of RLVE's does by a slip."""

    def _generate(self):
        self.parameter["reference_answer"] = str(random.randrange(100))

    def _prompt_generate(self):
        return f"Guess. {self.seed}"

    def scorer(self, text):
        return -1.0
