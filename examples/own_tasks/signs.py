"""A task of one's own: set signs so that numbers add up. docs/own_tasks.md says what becomes of it."""


class Signs:
    version = "1"
    answer_form = "SIGNS"

    def difficulty(self, level):
        return 5 + level

    def generate(self, rng, difficulty):
        numbers = [rng.randint(10, 99) for _ in range(difficulty)]
        signs = "".join(rng.choice("+-") for _ in numbers)
        return {"numbers": numbers, "signs": signs, "total": _total(numbers, signs)}

    def prompt(self, problem):
        shown = " ".join(map(str, problem["numbers"]))
        return f"Put + or - before each of these numbers, so that they add up to {problem['total']}: {shown}. Give the signs alone."

    def verify(self, problem, text):
        signs = "".join(text.split())
        known = len(signs) == len(problem["numbers"]) and set(signs) <= set("+-")
        return known and _total(problem["numbers"], signs) == problem["total"]

    def reference(self, problem):
        return problem["signs"]


def _total(numbers, signs):
    return sum(number if sign == "+" else -number for number, sign in zip(numbers, signs))
