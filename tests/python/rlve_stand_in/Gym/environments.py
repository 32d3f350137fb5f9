"""A stand-in for RLVE's package: the names and calls that optgap.external uses, and one environment."""

import random
import re


class Addition:
    """As there: generator, prompt_generator, get_config, set_config, verifier."""

    def __init__(self, answer_markers=None):
        self.answer_markers = answer_markers or ("<answer>", "</answer>")
        self.seed = self.parameter = None
        self.passing_reward_threshold = 1.0

    def generator(self, seed, parameter=None, timeout_second=10):
        if parameter["digits"] > 6:
            return False  # as when its own deadline has passed
        rng = random.Random(seed)
        bound = 10 ** parameter["digits"]
        a, b = rng.randrange(bound), rng.randrange(bound)
        self.seed, self.parameter = seed, {**parameter, "a": a, "b": b, "reference_answer": a + b}
        return True

    def prompt_generator(self):
        return f"{self.parameter['a']} + {self.parameter['b']} = ?"

    def get_config(self):
        return {"seed": self.seed, "parameter": self.parameter,
                "passing_reward_threshold": self.passing_reward_threshold}  # fmt: skip

    def set_config(self, config):
        self.seed, self.parameter = config["seed"], config["parameter"]

    def verifier(self, output):
        found = re.findall(re.escape(self.answer_markers[0]) + "(.*?)" + re.escape(self.answer_markers[1]), output)
        if not found or not found[-1].lstrip("-").isdigit():
            score = -1.0
        elif int(found[-1]) < 0:
            score = -0.5
        else:
            answer, gold = int(found[-1]), self.parameter["reference_answer"]
            score = 1.0 if answer == gold else (min(answer, gold) / max(answer, gold, 1)) ** 5
        return {"reward": score, "accuracy": int(score >= 1 - 1e-6), "format_score": int(score > -1)}


identifier2environment = {"Addition": Addition}
