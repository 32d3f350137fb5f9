"""The end of a model's turn, as tokenizers write it. Where a trainer hands over raw text or ids, it is still there."""

from __future__ import annotations

import functools
from typing import Any


@functools.cache
def ends() -> tuple[str, ...]:
    """Strings that end a turn: the engine's, one list for all readers of texts."""
    from optgap import _native

    return tuple(_native.end_of_turn_strings())


def without_end(text: str) -> str:
    """A text without the tokens that end its turn, and without white space around them."""
    text = text.rstrip()
    while end := next((end for end in ends() if text.endswith(end)), None):
        text = text.removesuffix(end).rstrip()
    return text


def end_tokens(tokenizer: Any, generation_config: Any = None) -> frozenset[int]:
    """Ids that end a turn: the tokenizer's own, those that generation stops on, and the usual ones it knows."""
    known = tokenizer.get_vocab()
    own = [getattr(tokenizer, "eos_token_id", None), getattr(generation_config, "eos_token_id", None)]
    ids = [one for each in own for one in (each if isinstance(each, (list, tuple)) else [each]) if one is not None]
    return frozenset([known[text] for text in ends() if text in known] + ids)


def last_tokens(tokenizer: Any, generation_config: Any = None) -> frozenset[int]:
    """Ids that say, as a response's last one, that the turn was finished: its ends, and any other special token there that
    is no tag of an answer or of reasoning."""
    added = getattr(tokenizer, "added_tokens_decoder", {}).items()
    special = [(token, str(text)) for token, text in added if getattr(text, "special", False)]
    others = [token for token, text in special if text not in _tags() and not text.startswith(("</", "[/"))]
    return end_tokens(tokenizer, generation_config) | frozenset(others)


@functools.cache
def _tags() -> frozenset[str]:
    """Of all named formats."""
    from optgap.keys import format_fields, formats

    known = [format_fields(name) for name in formats()]
    pairs = [pair[:2] for fields in known for pair in (*fields["markers"], fields["answer"])]
    return frozenset(tag for pair in pairs for tag in pair if tag)
