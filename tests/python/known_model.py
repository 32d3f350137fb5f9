"""A model whose every answer is known in advance, for a stand-in server."""

import json

from optgap.measure.benchmark import questions

KINDS = ("optimal", "greedy", "infeasible", "broken format")
"""What it answers to instances, in turns."""


_WRONG = [999_999]


class KnownModel:
    """Answers the instances that `optgap bench-model --tasks TASKS --level LEVEL --count COUNT` asks about.

    `answer` is a StandIn's. Feasible answers are counted on the way, from the engine's own objectives.
    """

    def __init__(self, engine, tasks, level="easy", count=8, split="test", format="forge"):
        self.questions = questions.of_level(engine, tasks, level, count, 1, split, format)
        instances = self.questions.instances
        self.solved = engine.solve(instances)
        best, greedy = self.solved.answers.tolist(), engine.greedy(instances).tolist()
        self._said = {}
        self.answers = []
        """To each instance, as nested lists."""
        self.quality = []
        """Of each instance, in the order of the questions: 0 where the answer is infeasible."""
        for row, prompt in enumerate(self.questions.prompts):
            kind = KINDS[row % len(KINDS)]
            said = {"optimal": best[row], "greedy": greedy[row], "infeasible": _WRONG, "broken format": best[row]}[kind]
            opening = "<think>hm" if kind == "broken format" else "<think>hm</think>"
            self.answers.append(said)
            self._said[prompt] = f"{opening}<answer>{json.dumps(said)}</answer>"
            self.quality.append({"optimal": 1.0, "greedy": self._ratio(row)}.get(kind, 0.0))

    def answer(self, request):
        return self._said[request.prompt]

    def answer_text(self, row):
        return self._said[self.prompts[row]]

    @property
    def prompts(self):
        return self.questions.prompts

    def _ratio(self, row):
        """Greedy against the optimum; both exist and are positive at the levels that tests take."""
        greedy, best = int(self.solved.greedy[row]), int(self.solved.objective[row])
        return min(greedy, best) / max(greedy, best)
