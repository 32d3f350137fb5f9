"""Make rubrics for prompts: keywords and checks by a model, or keywords alone by chance or TF-IDF."""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import sys
from collections.abc import Iterable
from typing import Any

from ..core.errors import Error, misuse
from ..core.files.reading import text_of
from ..core.files.run_folder import one_writer, replace, replacing
from ..data.rubrics import making
from ..measure.endpoint import Endpoint
from . import Options

_OF_MODEL = ("model", "api_key_env", "references", "temperature", "max_tokens", "price_in", "price_out")
_OF_WORDS = ("share", "seed")


def run(options: Options) -> int:
    _check(options)
    text = text_of(options.file)
    try:
        sources = making.read_sources(text.split("\n"))
    except Error as wrong:
        raise Error(f"{options.file}, {wrong}", wrong.status, wrong.field, wrong.rule) from None
    digest = hashlib.sha256(text.encode()).hexdigest()[:32]
    if options.by:
        share, seed = 0.15 if options.share is None else options.share, 1 if options.seed is None else options.seed
        made = list(making.by_words(sources, options.by, share, seed))
        with one_writer(options.out):
            making.begin(options.out, False, {"rows": digest, "by": options.by, "share": share, "seed": seed})
            _write(options, made, {})
        return 0
    references = options.references or 1
    _say_price(options, making.estimate(sources, references))
    if options.dry_run:
        return 0
    with one_writer(options.out):
        return _by_model(options, sources, digest, references)


def _by_model(options: Options, sources: list[making.Source], digest: str, references: int) -> int:
    body = {"temperature": 0.7 if options.temperature is None else options.temperature,
            "max_tokens": options.max_tokens or 4096}  # fmt: skip
    making.begin(
        options.out, options.resume, {"rows": digest, "model": options.model, "references": references, **body}
    )
    endpoint = Endpoint(options.base_url, options.model, api_key_env=options.api_key_env, concurrency=options.concurrency,
                        body=body)  # fmt: skip
    replies = making.Replies(os.path.join(options.out, "replies.jsonl"))
    maker = making.Maker(endpoint, replies)
    try:
        with endpoint:
            found = list(maker.make(sources, references))
    except KeyboardInterrupt:
        print(f"\noptgap: stopped; what was answered is in {options.out}, and --resume goes on", file=sys.stderr)
        return 130
    finally:
        replies.close()
    _write(options, [one for one in found if one is not None], {"usage": replies.usage, "failed": len(maker.failures)})
    if maker.failures:
        rows = sum(one is None for one in found)
        print(f"optgap: {len(maker.failures)} requests failed for good, so {rows} rows have no rubric, the first so: "
              f"{maker.failures[0]}; --resume asks them again", file=sys.stderr)  # fmt: skip
    return 1 if maker.failures else 0


def _check(options: Options) -> None:
    if (options.by is None) == (options.base_url is None):
        raise misuse("by", "expected one of --by and --base-url: who chooses the keywords")
    if options.base_url is not None and options.model is None:
        raise misuse("model", "missing: the model's name, as the server has it")
    for name in _OF_WORDS if options.by is None else _OF_MODEL:
        if getattr(options, name) is not None:
            raise misuse(name, f"has no effect {'with --by' if options.by else 'without --by'}: leave it out")
    if options.by and (options.dry_run or options.resume):
        raise misuse(
            "dry_run" if options.dry_run else "resume", "has no effect with --by, which asks no model: leave it out"
        )
    if options.seed is not None and options.by == "tfidf":
        raise misuse("seed", "has no effect with --by tfidf, which draws nothing: leave it out")
    for name, low, high in (("share", 0.001, 1), ("references", 1, 8), ("concurrency", 1, 1024), ("temperature", 0, 100),
                            ("max_tokens", 1, 2**31 - 1), ("price_in", 0, 1e9), ("price_out", 0, 1e9)):  # fmt: skip
        value = getattr(options, name)
        if value is not None and not low <= value <= high:
            raise misuse(name, f"is {value}, expected {low} to {high}")
    if (options.price_in is None) != (options.price_out is None):
        raise misuse("price_in", "and --price-out go together")


def _say_price(options: Options, price: making.Price) -> None:
    if options.quiet and not options.dry_run:
        return
    sentence = (f"{price.requests} requests at most, about {price.prompt_tokens} prompt tokens and {price.output_tokens} "
                "of replies")  # fmt: skip
    if options.price_in is not None:
        money = (price.prompt_tokens * options.price_in + price.output_tokens * options.price_out) / 1e6
        sentence += f", {money:.2f} at these prices"
    print(f"optgap: {sentence}", file=sys.stderr)


def _write(options: Options, made: list[making.Made], more: dict[str, Any]) -> None:
    kept = [one for one in made if not one.dropped]
    dropped = [one for one in made if one.dropped]
    folder = pathlib.Path(options.out)
    _write_rows(folder / "rubrics.jsonl", (one.row for one in kept))
    _write_rows(folder / "dropped.jsonl", ({**one.row, "dropped": one.dropped, "reference_content": one.content,
                                            "reference_style": one.style} for one in dropped))  # fmt: skip
    report = {"rows": len(made), "rubrics": len(kept), "chains": len(kept), "dropped": len(dropped),
              "refused_checks": sum(one.refused_checks for one in made),
              "keywords_not_in_reference": sum(one.unmatched for one in made), **more}  # fmt: skip
    replace(folder / "report.json", json.dumps(report, indent=2) + "\n")
    if not options.quiet:
        print(f"optgap: {folder / 'rubrics.jsonl'}: {len(kept)} rubrics, {len(dropped)} rows dropped", file=sys.stderr)


def _write_rows(path: pathlib.Path, rows: Iterable[dict[str, Any]]) -> None:
    with replacing(path) as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
