"""How verl reads what a model wrote."""

from __future__ import annotations

from typing import Any

from optgap.trainers.common.turns import last_tokens
from optgap.trainers.verl.reward import decode_response


def read_as_text(tokenizer: Any, prompt: str, ids: list[int], format_name: str, generation: Any = None) -> str:
    """verl's compute_score: special tokens are gone."""
    return tokenizer.decode(ids, skip_special_tokens=True)


def read_as_manager(tokenizer: Any, prompt: str, ids: list[int], format_name: str, generation: Any = None) -> str:
    """verl with our reward manager: only the end of the turn is gone."""
    return decode_response(tokenizer, ids, last_tokens(tokenizer, generation))
