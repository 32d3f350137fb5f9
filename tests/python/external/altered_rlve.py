"""RLVE's environment with other rewards than RLVE's, which a survey must notice."""

from optgap.rows.external_sources.rlve import Rlve


class Altered(Rlve):
    """A right answer earns half."""

    def __init__(self):
        super().__init__("Addition")

    def verify(self, problem, text):
        said = super().verify(problem, text)
        return {**said, "reward": said["reward"] / 2} if said["reward"] > 0.9 else said
