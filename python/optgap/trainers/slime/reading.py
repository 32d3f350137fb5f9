"""How slime reads what a model wrote."""

from __future__ import annotations

from typing import Any

from optgap.trainers.common.turns import last_texts, without_end


def read_as_slime(tokenizer: Any, prompt: str, ids: list[int], format_name: str, generation: Any = None) -> str:
    """slime: SGLang keeps special tokens and the end of the turn, which our reward model cuts off."""
    return without_end(tokenizer.decode(ids, skip_special_tokens=False), last_texts(tokenizer, generation))
