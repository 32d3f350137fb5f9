import random

from Gym.environment import VerifiableEnvironment


class Pairs_Environment(VerifiableEnvironment):
    """Which of these pairs are allowed? Tuples, a set of them, integer keys, and perhaps none."""

    def _generate(self):
        pairs = [(n, n + 1) for n in range(3)]
        allowed = {pair for pair in pairs if random.random() < 0.3}
        right = " ".join(str(n) for n, pair in enumerate(pairs) if pair in allowed)
        self.parameter.update(pairs=dict(enumerate(pairs)), allowed=allowed, reference_answer=right)

    def _prompt_generate(self):
        return f"Which of {self.parameter['pairs']} are in {sorted(self.parameter['allowed'])}?"

    def scorer(self, text):
        chosen = {self.parameter["pairs"][int(word)] for word in text.split()}
        return 1.0 if chosen == self.parameter["allowed"] else -1.0
