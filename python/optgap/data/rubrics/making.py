"""Rubrics made out of prompts and references: by word lists, or by a model's key points, keywords and checks."""

from __future__ import annotations

import hashlib
import json
import pathlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...core.errors import Error, misuse
from ...core.files.run_folder import Lines, contents, replace
from ...measure.endpoint import Endpoint, Reply, RequestFailed, Unreachable
from . import wording
from .scoring import Rubrics
from .word_lists import Frequencies, by_chance

LEAST = 0.7
"""What a reference must earn by its own rubric in content and in style, else the row is dropped (RLVRR §4.1)."""
_MOST_REFERENCES = 8


@dataclass
class Source:
    """A row to make a rubric for."""

    row: dict[str, Any]
    prompt: str
    references: list[str]


@dataclass
class Made:
    """What became of a row: `row` with its rubric, or why it was dropped."""

    row: dict[str, Any]
    dropped: str = ""
    content: float | None = None
    style: float | None = None
    refused_checks: int = 0
    unmatched: int = 0
    """Keywords that no reference holds, left out."""


def read_sources(lines: Iterable[str]) -> list[Source]:
    """Rows with `prompt` (a text or messages) and perhaps `references` or `reference`. Raises Error with the line."""
    return [_source(line, number) for number, line in enumerate(lines, 1) if line.strip()]


def _source(line: str, number: int) -> Source:
    def wrong(name: str, rule: str) -> Error:
        return Error(f"line {number}: {name}: {rule}", "invalid_argument", name, rule)

    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as broken:
        raise wrong("row", f"is no JSON: {broken}") from None
    if not isinstance(row, dict):
        raise wrong("row", "must be an object with a `prompt`")
    prompt = row.get("prompt")
    if isinstance(prompt, list):
        said = [one.get("content") if isinstance(one, dict) else None for one in prompt]
        texts = [text for text in said if isinstance(text, str)]
        prompt = "\n".join(texts) if len(texts) == len(said) else None
    if not isinstance(prompt, str) or not prompt.strip():
        raise wrong("prompt", "must be a text, or messages with a text as `content`")
    several = row.get("references")
    if several is None:
        several = [] if row.get("reference") is None else [row["reference"]]
    if not isinstance(several, list) or len(several) > _MOST_REFERENCES:
        raise wrong("references", f"must be a list of at most {_MOST_REFERENCES} texts")
    if not all(isinstance(one, str) and one.strip() for one in several):
        raise wrong("references", "must be texts that are not blank")
    for name, texts in (("prompt", [prompt]), ("references", several)):
        if any("\ud800" <= char <= "\udfff" for text in texts for char in text):
            raise wrong(name, "holds half a pair of surrogates, which is no text")
    return Source(row, prompt, list(several))


def by_words(sources: list[Source], measure: str, share: float, seed: int) -> Iterator[Made]:
    """Rubrics of one point without style: a share of each reference's words."""
    known = Frequencies([reference for source in sources for reference in source.references])
    for place, source in enumerate(sources):
        if not source.references:
            raise Error(f"row {place}: references: missing: --by {measure} takes its words from them", "invalid_argument",
                        "references", "missing")  # fmt: skip
        lists = [known.keywords(text, share) if measure == "tfidf" else by_chance(text, share, f"{seed} {place} {number}")
                 for number, text in enumerate(source.references)]  # fmt: skip
        yield _finished(source, [("words", lists)], [])


def _finished(source: Source, points: list[tuple[str, list[list[str]]]], style: list[dict[str, Any]]) -> Made:
    """The row with its rubric, held against its own reference. `points`: a name, and keywords for each reference."""
    made = Made(dict(source.row))
    rubric: dict[str, Any] = {"chain": 1, "prompt": source.prompt, "references": source.references}
    kept = []
    for name, lists in points:
        found = [_standing(words, text) for words, text in zip(lists, source.references)]
        made.unmatched += sum(len(words) for words in lists) - sum(len(words) for words in found)
        references = [{"keywords": words, "of": of} for of, words in enumerate(found) if words]
        if references:
            kept.append({"name": name, "references": references})
    if not kept:
        made.dropped = "no keyword stands in a reference"
        return made
    rubric["content"] = {"points": kept}
    sound = [check for check in style if _decides(check)]
    made.refused_checks = len(style) - len(sound)
    if style and not sound:
        made.dropped = "no check can be read"
        return made
    if sound:
        rubric["style"] = sound
    try:
        compiled = Rubrics.compile([{"chain": rubric}])
    except Error as refused:
        made.dropped = str(refused)
        return made
    # The gates measure against the reference itself, so what it earns is what its own keywords and checks say.
    scores = compiled.score(source.references[:1], [0])
    made.content = float(scores.content[0])
    made.style = float(scores.style[0]) if sound else None
    if made.content < LEAST or (made.style is not None and made.style < LEAST):
        made.dropped = f"the reference earns less than {LEAST} in content or style"
    made.row["chain"] = json.loads(compiled.to_json(0))
    made.row["chain_key"] = compiled.keys[0]
    return made


def _decides(check: Mapping[str, Any]) -> bool:
    """Whether a check can be read and says by itself whether a text passes: none in Python, none that waits for a judge."""
    try:
        found = Rubrics.compile([{"chain": {"chain": 1, "style": [check]}}]).score(["One text."], [0])
    except Error:
        return False
    return int(found.check[0]) >= 0


def _standing(words: list[str], text: str) -> list[str]:
    """Those of the keywords that are matched in the text."""
    found = []
    for word in words:
        one = {"chain": 1, "references": [text], "content": {"points": [{"references": [{"keywords": [word]}]}]}}
        try:
            compiled = json.loads(Rubrics.compile([{"chain": one}]).to_json(0))
        except Error:
            continue
        if compiled["content"]["points"][0]["references"][0]["sequence"]:
            found.append(word)
    return found


@dataclass
class Price:
    """What a run asks for, before it asks."""

    requests: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0

    def add(self, request: str, kind: str, times: int = 1) -> None:
        self.requests += times
        self.prompt_tokens += times * (len(request) // 4)
        self.output_tokens += times * wording.OUTPUT_TOKENS[kind]


def estimate(sources: list[Source], references: int) -> Price:
    """Four characters a token; replies as long as RLVRR's; a reference that is not there yet as long as theirs."""
    price = Price()
    for source in sources:
        texts = source.references or ["x" * 4 * wording.OUTPUT_TOKENS["reference"]] * references
        if not source.references:
            price.add(source.prompt, "reference", references)
        price.add(wording.points_request(source.prompt, texts[0]), "points")
        for text in texts:
            price.add(wording.keywords_request([], text), "keywords")
        price.add(wording.style_request(source.prompt, texts[0]), "style")
    return price


class Replies:
    """A model's replies in a file: what was answered is never asked again."""

    def __init__(self, path: str) -> None:
        self._known: dict[str, str] = {}
        self._cut: set[str] = set()
        self.usage = {"prompt_tokens": 0, "completion_tokens": 0}
        self._lines = Lines(path)
        try:
            for line in self._lines.read():
                if not self._is_reply(line.row):
                    raise self._lines.damaged(line.number, "reply of a run")
                self._take(line.row)
        except ValueError as wrong:
            raise misuse("replies", str(wrong)) from None

    def _is_reply(self, row: dict[str, Any]) -> bool:
        usage = row.get("usage", {})
        return (
            isinstance(row.get("request"), str)
            and isinstance(row.get("text"), str)
            and isinstance(usage, dict)
            and all(isinstance(usage.get(name, 0), int) for name in self.usage)
        )

    def _take(self, row: dict[str, Any]) -> None:
        self._known[row["request"]] = row["text"]
        if row.get("finish") == "length":
            self._cut.add(row["request"])
        for name in self.usage:
            self.usage[name] += row.get("usage", {}).get(name, 0)

    def __len__(self) -> int:
        return len(self._known)

    def get(self, key: str) -> str | None:
        return self._known.get(key)

    def was_cut(self, key: str) -> bool:
        """Whether the reply ended at the limit of tokens."""
        return key in self._cut

    def store(self, key: str, reply: Reply) -> None:
        row = {"request": key, "text": reply.text, "finish": reply.finish, "usage": reply.usage, "model": reply.model}
        self._lines.append(row)
        self._take(row)

    def close(self) -> None:
        self._lines.close()


@dataclass
class Maker:
    """Asks a model in four steps, each for all rows: references, key points, keywords, checks."""

    endpoint: Endpoint
    replies: Replies
    progress: Callable[[str, int, int], None] = lambda step, done, total: None
    failures: list[str] = field(default_factory=list)

    def make(self, sources: list[Source], references: int) -> Iterator[Made | None]:
        """A row each; None where a request failed for good."""
        wanted = {(row, number): sources[row].prompt for row in range(len(sources)) if not sources[row].references
                  for number in range(references)}  # fmt: skip
        written = self._ask("references", wanted)
        texts: list[list[str]] = []
        for row, source in enumerate(sources):
            places = [(row, number) for number in range(references) if (row, number) in written]
            whole_texts = [written[place] for place in places if not self._was_cut("references", place, wanted)]
            own = [answer_of(text) for text in whole_texts]
            texts.append(source.references or [text for text in dict.fromkeys(own) if text])
        alive = [row for row in range(len(sources)) if texts[row]]
        wanted_points = {(row, 0): wording.points_request(sources[row].prompt, texts[row][0]) for row in alive}
        said = self._ask("points", wanted_points)
        points = {row: wording.read_points(text) for (row, _), text in said.items()}
        words = self._ask("keywords", {(row, of): wording.keywords_request(points[row], text) for row in alive
                                       if points.get(row) for of, text in enumerate(texts[row])})  # fmt: skip
        wanted_style = {(row, 0): wording.style_request(sources[row].prompt, texts[row][0]) for row in alive
                        if points.get(row)}  # fmt: skip
        looks = self._ask("style", wanted_style)
        for row, source in enumerate(sources):
            if not texts[row] and all((row, number) in written for number in range(references)):
                cut = any(self._was_cut("references", (row, number), wanted) for number in range(references))
                yield Made(dict(source.row), "no reference: every reply is " + ("empty or cut off" if cut else "empty"))
                continue
            asked = [(row, of) for of in range(len(texts[row]))]
            if (
                not texts[row]
                or (row, 0) not in said
                or (points[row] and not ({*asked} <= {*words} and (row, 0) in looks))
            ):
                yield None
                continue
            whole = Source(source.row, source.prompt, texts[row])
            if not points[row]:
                yield Made(
                    dict(source.row),
                    f"the reply holds no key points{self._cut_note('points', (row, 0), wanted_points)}",
                )
                continue
            lists = [wording.read_keywords(words[place], len(points[row])) for place in asked]
            style = wording.read_checks(looks[row, 0])
            if not style:
                yield Made(
                    dict(source.row), f"the reply holds no checks{self._cut_note('style', (row, 0), wanted_style)}"
                )
                continue
            yield _finished(whole, [(name, [of[at] for of in lists]) for at, name in enumerate(points[row])], style)

    def _was_cut(self, step: str, place: tuple[int, int], requests: Mapping[tuple[int, int], str]) -> bool:
        return place in requests and self.replies.was_cut(_key(step, place, requests[place]))

    def _cut_note(self, step: str, place: tuple[int, int], requests: Mapping[tuple[int, int], str]) -> str:
        return ", cut off at the limit of tokens" if self._was_cut(step, place, requests) else ""

    def _ask(self, step: str, requests: dict[tuple[int, int], str]) -> dict[tuple[int, int], str]:
        """Replies to what was asked now or before."""
        keys = {place: _key(step, place, text) for place, text in requests.items()}
        missing = [place for place in requests if self.replies.get(keys[place]) is None]
        done, in_a_row = len(requests) - len(missing), 0
        asked = ((place, [{"role": "user", "content": requests[place]}]) for place in missing)
        for place, reply in self.endpoint.ask(asked) if missing else ():
            if isinstance(reply, RequestFailed):
                self.failures.append(str(reply))
                in_a_row += 1
                if in_a_row >= max(8, self.endpoint.concurrency):
                    raise Unreachable(f"{in_a_row} requests in a row failed for good, the last one so: {reply}")
                continue
            in_a_row = 0
            self.replies.store(keys[place], reply)
            done += 1
            self.progress(step, done, len(requests))
        found = {place: self.replies.get(key) for place, key in keys.items()}
        return {place: text for place, text in found.items() if text is not None}


def answer_of(text: str) -> str:
    """A reply behind its reasoning; nothing where the reasoning never ends."""
    behind = text.rpartition("</think>")[2]
    return "" if "<think>" in behind else behind.strip()


def _key(step: str, place: tuple[int, int], request: str) -> str:
    """Names a request: the second reference of a row is another one, though its text is the same."""
    number = place[1] if step == "references" else 0
    return hashlib.sha256(f"{step} {number} {request}".encode()).hexdigest()[:32]


def begin(folder: str, resume: bool, settings: Mapping[str, Any]) -> None:
    """A new folder, or one that the same settings began. Raises Error."""
    path = pathlib.Path(folder) / "settings.json"
    text = json.dumps(dict(settings), indent=2, ensure_ascii=False) + "\n"
    if resume and path.is_file():
        if path.read_bytes() != text.encode():
            raise misuse("resume", f"{folder} was begun with other settings: {path} has them")
        return
    if contents(folder) and resume:
        raise misuse("resume", f"{path} is missing: {folder} is no run of rubric make")
    if contents(folder):
        raise misuse(
            "out", f"{folder} holds something already: add --resume to go on with its run, or name another folder"
        )
    replace(path, text)
