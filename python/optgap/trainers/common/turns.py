"""The end of a model's turn, as tokenizers write it. Where a trainer hands over raw text or ids, it is still there."""

from __future__ import annotations

import functools
from typing import Any


@functools.cache
def ends() -> tuple[str, ...]:
    """Strings that end a turn: the engine's, one list for all readers of texts."""
    from optgap import _native

    return tuple(_native.end_of_turn_strings())


def without_end(text: str, last: tuple[str, ...] = ()) -> str:
    """A text without the tokens that end its turn, and without white space around them. `last`: of `last_texts`, where the
    model is known."""
    known = ends() + last
    text = text.rstrip()
    while text.endswith(known):
        text = text.removesuffix(max((end for end in known if text.endswith(end)), key=len)).rstrip()
    return text


def generation_config_of(*models: Any) -> Any:
    """What generation stops on, of the first of these folders or cached Hub ids that says it; None where none does.
    Nothing is downloaded: reward workers may have no network, and a trainer has loaded its model already."""
    for model in models:
        if isinstance(model, str) and model:
            try:
                from transformers import GenerationConfig

                return GenerationConfig.from_pretrained(model, local_files_only=True)
            except (ImportError, OSError, ValueError):
                continue
    return None


def tokenizer_of(model: Any, trust_remote_code: bool = False) -> Any:
    """The tokenizer of a folder or cached Hub id; None where there is none. Nothing is downloaded."""
    if not isinstance(model, str) or not model:
        return None
    try:
        from transformers import AutoTokenizer

        return AutoTokenizer.from_pretrained(model, local_files_only=True, trust_remote_code=trust_remote_code)
    except (ImportError, OSError, ValueError):
        return None


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


def last_texts(tokenizer: Any, generation_config: Any = None) -> tuple[str, ...]:
    """The same as texts, for trainers that hand over text. White space ends no turn."""
    decoded = (
        tokenizer.decode([token], skip_special_tokens=False) for token in last_tokens(tokenizer, generation_config)
    )
    return tuple(sorted({text for text in decoded if text.strip()} - set(ends())))


@functools.cache
def _tags() -> frozenset[str]:
    """Of all named formats."""
    from optgap.core.keys import format_fields, formats

    known = [format_fields(name) for name in formats()]
    pairs = [pair[:2] for fields in known for pair in (*fields["markers"], fields["answer"])]
    return frozenset(tag for pair in pairs for tag in pair if tag)
