"""The longest word that is a subsequence of each of several words."""

from found import cp_sat, exact
from labels import placed, renamed
from ortools.sat.python import cp_model
from verdict import Verdict, feasible, first_outside, not_a_flat_list, worst

MAXIMISE = True
ROWS = False
ALPHABET = "ACGT"
FIRST_LETTER = 1


def label_count(instance):
    return instance["letters"] + 1


def matched(answer, word):
    count = 0
    for letter in word:
        if count < len(answer) and answer[count] == letter:
            count += 1
    return count


def judge(instance, answer):
    words = instance["words"]
    longest = max(map(len, words))
    most = len(words) * longest
    if verdict := not_a_flat_list(answer, most):
        return verdict
    outside = first_outside([value - 1 for value in answer], instance["letters"])
    if outside is not None:
        return worst("out_of_range", most, outside)
    past = [len(answer) - matched(answer, word) for word in words]
    if any(past):
        where = next(i for i, own in enumerate(past) if own)
        return Verdict("not_common", where, None, sum(min(own, longest) for own in past), most)
    return feasible(len(answer), most)


def under_labels(instance, labels):
    return {
        "letters": instance["letters"],
        "words": placed([renamed(word, labels["letter"], 1) for word in instance["words"]], labels["word"]),
    }


def answer_under_labels(answer, labels):
    return renamed(answer, labels["letter"], 1)


def random_answer(instance, random):
    """Random letters, as long as every word still has them."""
    rest = [list(word) for word in instance["words"]]
    answer = []
    while common := sorted(set.intersection(*map(set, rest))):
        answer.append(random.choice(common))
        rest = [word[word.index(answer[-1]) + 1 :] for word in rest]
    return answer


def one_more(instance, answer, random):
    """Inserts a letter that is probably too many."""
    at = random.randint(0, len(answer))
    return answer[:at] + [random.randint(1, instance["letters"])] + answer[at:]


mutants = [one_more]


def odd_instances(random, count):
    yield "nothing in common", {"letters": 2, "words": [[1, 1], [2]]}
    yield "one letter", {"letters": 1, "words": [[1] * 7, [1] * 3, [1] * 9]}
    yield "alike", {"letters": 4, "words": [[1, 2, 3, 4] * 8] * 5}
    yield "turned round", {"letters": 3, "words": [[1, 2, 3] * 6, [3, 2, 1] * 6]}
    yield "many words", {"letters": 4, "words": [[random.randint(1, 4) for _ in range(12)] for _ in range(64)]}
    yield "two long words", {"letters": 4, "words": [[random.randint(1, 4) for _ in range(300)] for _ in range(2)]}
    yield "an empty word", {"letters": 4, "words": [[1, 2], []]}
    yield "one word", {"letters": 4, "words": [[1, 2]]}
    yield "no such letter", {"letters": 2, "words": [[1, 2], [3]]}
    for index in range(count):
        letters = random.randint(1, 4)
        words = [
            [random.randint(1, letters) for _ in range(random.randint(1, 16))] for _ in range(random.randint(2, 6))
        ]
        yield f"random {index}", {"letters": letters, "words": words}


def cp_model_of(instance):
    """Letter t of the answer, if present, is at a place of each word that increases with t."""
    model = cp_model.CpModel()
    words = instance["words"]
    most = min(map(len, words))
    used = [model.new_bool_var("") for _ in range(most)]
    letter = [model.new_int_var(1, instance["letters"], "") for _ in range(most)]
    for t in range(1, most):
        model.add_implication(used[t], used[t - 1])
    for word in words:
        places = [model.new_int_var(0, len(word) - 1, "") for _ in range(most)]
        for t in range(most):
            here = model.new_int_var(1, instance["letters"], "")
            model.add_element(places[t], word, here)
            model.add(here == letter[t]).only_enforce_if(used[t])
            if t > 0:
                model.add(places[t] > places[t - 1]).only_enforce_if(used[t])
    model.maximize(sum(used))
    return cp_sat(model, lambda solver: [solver.value(letter[t]) for t in range(most) if solver.value(used[t])])


def by_levels(instance):
    """All places that the next letter can lead to, length by length, without those after others of the same length."""
    words = instance["words"]
    level = {tuple([0] * len(words)): []}
    while True:
        further = {}
        for places, answer in level.items():
            for letter in range(1, instance["letters"] + 1):
                if all(letter in word[at:] for word, at in zip(words, places)):
                    new = tuple(word.index(letter, at) + 1 for word, at in zip(words, places))
                    further.setdefault(new, answer + [letter])
        if not further:
            return next(iter(level.values()))
        level = {
            new: answer
            for new, answer in further.items()
            if not any(other != new and all(a <= b for a, b in zip(other, new)) for other in further)
        }


def small(instance):
    return max(map(len, instance["words"])) <= 30 and len(instance["words"]) <= 8


PEERS = {"CP-SAT": cp_model_of, "plain levels": lambda instance: exact(lambda: by_levels(instance), small(instance))}
