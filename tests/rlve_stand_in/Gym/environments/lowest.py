import random

from Gym.environment import VerifiableEnvironment


class Lowest_Environment(VerifiableEnvironment):
    """A number; the right one earns less than 1, and passes."""

    def __init__(self, **markers):
        super().__init__(**markers)
        self.passing_reward_threshold = 0.95

    def _generate(self):
        self.parameter["reference_answer"] = random.randrange(10 ** self.parameter["digits"])

    def _prompt_generate(self):
        return f"Which number is {self.parameter['reference_answer']}?"

    def scorer(self, text):
        return 0.95 if int(text) == self.parameter["reference_answer"] else 0.5
