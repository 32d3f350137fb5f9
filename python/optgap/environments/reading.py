"""How texts of a turn come to an episode, for preflight: (tokenizer, prompt, token ids, format, generation_config) -> text."""

from __future__ import annotations

from typing import Any

from optgap.trainers.common.turns import last_texts, without_end


def read_kept(tokenizer: Any, prompt: str, ids: list[int], format_name: str, generation: Any = None) -> str:
    """Adapters that have the tokens: special ones stay, the end of the turn is cut off."""
    return without_end(tokenizer.decode(ids, skip_special_tokens=False), last_texts(tokenizer, generation))


def read_served(tokenizer: Any, prompt: str, ids: list[int], format_name: str, generation: Any = None) -> str:
    """A server's message: special tokens are gone, and reasoning in a field of its own is put back."""
    return str(tokenizer.decode(ids, skip_special_tokens=True))
