"""The longest word that remains of each of some words when letters are removed."""

from common import need, numbers


def words_of(instance):
    numbers([instance["letters"]], 1, 5, "letters")
    words = [numbers(word, 1, instance["letters"] + 1, "words") for word in instance["words"]]
    need(len(words) >= 2 and all(words), "fewer than two words, or an empty one")
    return words


def objective(instance, answer):
    numbers(answer, 1, instance["letters"] + 1, "answer")
    for word in words_of(instance):
        rest = iter(word)
        need(all(letter in rest for letter in answer), "a word does not hold the answer")
    return len(answer)
