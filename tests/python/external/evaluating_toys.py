"""Environments that run answers as code: what an answer may do to its verifier."""

from toys import Toy


class Evaluates(Toy):
    """Runs an answer as code, as RLVE's Integral does, in plain sight."""

    def verify(self, problem, text):
        try:
            return super().verify(problem, str(eval(text)))
        except Exception:
            return {"reward": -1}


class EvaluatesElsewhere(Evaluates):
    """The same, where no source that is read shows it."""

    runs_answers = False
