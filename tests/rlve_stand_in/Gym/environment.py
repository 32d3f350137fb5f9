"""What RLVE's environments have in common there: generator, prompt_generator, get_config, set_config, verifier."""

import random
import re

import numpy as np
import torch


class VerifiableEnvironment:
    """A subclass makes `self.parameter` and scores the text between the markers."""

    def __init__(self, answer_markers=None):
        self.answer_markers = answer_markers or ("<answer>", "</answer>")
        self.seed = self.parameter = None
        self.passing_reward_threshold = 1.0

    def generator(self, seed, parameter=None, timeout_second=10):
        random.seed(seed)
        np.random.seed(seed)
        torch.manual_seed(seed)
        torch.cuda.manual_seed_all(seed)
        self.seed, self.parameter = seed, dict(parameter)
        return self._generate() is not False

    def prompt_generator(self):
        return self._prompt_generate()

    def get_config(self):
        return {"seed": self.seed, "parameter": self.parameter,
                "passing_reward_threshold": self.passing_reward_threshold}  # fmt: skip

    def set_config(self, config):
        self.seed, self.parameter = config["seed"], config["parameter"]
        self.passing_reward_threshold = config["passing_reward_threshold"]

    def verifier(self, output):
        found = re.findall(re.escape(self.answer_markers[0]) + "(.*?)" + re.escape(self.answer_markers[1]), output)
        try:
            score = self.scorer(found[-1])
        except Exception:
            score = -1.0
        return {
            "reward": score,
            "accuracy": int(score >= self.passing_reward_threshold - 1e-6),
            "format_score": int(score > -1),
        }
