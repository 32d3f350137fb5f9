"""How OpenRLHF reads what a model wrote."""

from __future__ import annotations

from typing import Any

from optgap.trainers.openrlhf.reward import response_of


def read_as_openrlhf(tokenizer: Any, prompt: str, ids: list[int], format_name: str, generation: Any = None) -> str:
    """OpenRLHF: prompt and response are decoded together, with special tokens; `reward_func` knows no model."""
    tokens = tokenizer(prompt, add_special_tokens=False)["input_ids"]
    return response_of(tokenizer.decode(tokens + ids, skip_special_tokens=False), prompt) or ""
