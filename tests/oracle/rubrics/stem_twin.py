"""The English stemmer of text.stem in plain Python, by regular expressions: Porter's second one, as in Snowball 2.2,
without apostrophes. Written from the published description; shares no code with the engine."""

import functools
import re

WHOLE = {"skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "idly": "idl", "gently": "gentl", "ugly": "ugli",
         "early": "earli", "only": "onli", "singly": "singl"} | {one: one for one in "sky news howe atlas cosmos bias andes".split()}  # fmt: skip
KEPT = set("inning outing canning herring earring proceed exceed succeed".split())
V, C = "[aeiouy]", "[^aeiouy]"
SHORT = re.compile(f"(?:{C}{V}[^aeiouywxY]|^{V}{C})$")
STEP2 = {"tional": "tion", "enci": "ence", "anci": "ance", "abli": "able", "entli": "ent", "izer": "ize", "ization": "ize", "ational": "ate",
         "ation": "ate", "ator": "ate", "alism": "al", "aliti": "al", "alli": "al", "fulness": "ful", "ousli": "ous", "ousness": "ous",
         "iveness": "ive", "iviti": "ive", "biliti": "ble", "bli": "ble", "ogi": "og", "fulli": "ful", "lessli": "less", "li": ""}  # fmt: skip
STEP3 = {
    "tional": "tion",
    "ational": "ate",
    "alize": "al",
    "icate": "ic",
    "iciti": "ic",
    "ical": "ic",
    "ful": "",
    "ness": "",
    "ative": "",
}
STEP4 = "al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion".split()


def ending(word, endings):
    return max((one for one in endings if word.endswith(one)), key=len, default=None)


@functools.lru_cache(None)
def stem(word):
    if len(word) <= 2 or word in WHOLE:
        return WHOLE.get(word, word)
    marked = ""
    for letter in word:
        marked += "Y" if letter == "y" and (not marked or marked[-1] in "aeiouy") else letter
    word = marked
    special = re.match("gener|commun|arsen", word)
    first = special.end() if special else getattr(re.search(f"{V}{C}", word), "end", lambda: len(word))()
    after = re.compile(f"{V}{C}").search(word, first)
    second = after.end() if after else len(word)

    if word.endswith("sses"):
        word = word[:-2]
    elif word.endswith(("ied", "ies")):
        word = word[:-2] if len(word) > 4 else word[:-1]
    elif re.search("(?<![us])s$", word) and re.search(V, word[:-2]):
        word = word[:-1]
    if word in KEPT:
        return word.lower()
    one = ending(word, ["eed", "eedly", "ed", "edly", "ing", "ingly"])
    if one in ("eed", "eedly"):
        if len(word) - len(one) >= first:
            word = word[: -len(one)] + "ee"
    elif one and re.search(V, word[: -len(one)]):
        word = word[: -len(one)]
        if word.endswith(("at", "bl", "iz")) or (
            first == len(word) and SHORT.search(word) and not re.search(r"([bdfgmnprt])\1$", word)
        ):
            word += "e"
        elif re.search(r"([bdfgmnprt])\1$", word):
            word = word[:-1]
    word = re.sub(f"(?<=.)(?<={C})[yY]$", "i", word) if len(word) > 2 else word
    one = ending(word, STEP2)
    if one is not None and len(word) - len(one) >= first:
        left = word[: -len(one)]
        if not (one == "ogi" and left[-1:] != "l") and not (one == "li" and left[-1:] not in tuple("cdeghkmnrt")):
            word = left + STEP2[one]
    one = ending(word, STEP3)
    if one is not None and len(word) - len(one) >= (second if one == "ative" else first):
        word = word[: -len(one)] + STEP3[one]
    one = ending(word, STEP4)
    if one is not None and len(word) - len(one) >= second and (one != "ion" or word[:-3].endswith(("s", "t"))):
        word = word[: -len(one)]
    at = len(word) - 1
    if (word[-1] == "e" and (at >= second or (at >= first and not SHORT.search(word[:-1])))) or (
        word.endswith("ll") and at >= second
    ):
        word = word[:-1]
    return word.lower()
