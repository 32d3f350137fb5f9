from Gym.environment import VerifiableEnvironment


class Generous_Environment(VerifiableEnvironment):
    """Accepts every answer, and can run one as code."""

    def _generate(self):
        pass

    def _prompt_generate(self):
        return f"Say something. {self.seed}"

    def scorer(self, text):
        return float(eval("1"))
