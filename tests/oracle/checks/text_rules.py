"""The text rules of checks in plain Python: sentence splitters and tokens. The same as host/rubric/sentences.cpp and
host/rubric/checks/forms.cpp, written again from docs/checks.md, character by character."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]
ABBREVIATIONS = set(
    re.findall(
        r'"([^"]+)"', (ROOT / "host/rubric/abbreviations.hpp").read_text(encoding="utf-8").partition("[] = {")[2]
    )
)
MARKS = re.compile(r"([.!?…。！？]+)[\"')\]}*_»”’」』]*")


def belongs(text, begin, stop):
    """Whether the full stop at `stop` ends an abbreviation or an initial instead of a sentence."""
    word = ""
    at = stop
    while at > begin and len(word) < 8 and (text[at - 1] == "." or (text[at - 1].isascii() and text[at - 1].isalpha())):
        at -= 1
        word = text[at] + word
    if not word or len(word) == 8:
        return False
    if at > begin and (not text[at - 1].isascii() or re.match(r"\w", text[at - 1])):
        return False
    if "A" <= word[-1] <= "Z" and (len(word) == 1 or word[-2] == "."):
        return True
    return word.lower() in ABBREVIATIONS


def plain(text):
    found, begin = [], 0
    for mark in MARKS.finditer(text):
        end = mark.end()
        wide = mark[1][-1] in "。！？"
        if end < len(text) and not wide and not text[end].isspace():
            continue
        if mark[1] == "." and end < len(text) and belongs(text, begin, mark.start()):
            continue
        found.append(text[begin:end].strip())
        begin = end
    found.append(text[begin:].strip())
    return [sentence for sentence in found if sentence]


def regex(text):
    return [part.strip() for part in re.split(r"(?<=[.!?])(?=\s)", text) if part.strip()]


def tokens(text):
    """The replacement for NLTK's word_tokenize, in references and in peers alike."""
    return re.findall(r"\w+(?:['’-]\w+)*|[^\w\s]", text)
