"""The end of a model's turn, as tokenizers write it. Where a trainer hands over raw text or ids, it is still there."""

from __future__ import annotations

from typing import Any

ENDS = ("<|im_end|>", "<|endoftext|>", "</s>", "<|eot_id|>", "<|eom_id|>", "<|end_of_text|>", "<end_of_turn>", "<eos>",
        "<|end|>", "<|return|>", "<｜end▁of▁sentence｜>", "[EOS]", "<|eos|>")  # fmt: skip
"""Qwen, GPT-2, Llama 1 to 3, Gemma, Phi, gpt-oss, DeepSeek and others."""


def without_end(text: str) -> str:
    """A text without the tokens that end its turn, and without white space around them."""
    text = text.rstrip()
    while end := next((end for end in ENDS if text.endswith(end)), None):
        text = text.removesuffix(end).rstrip()
    return text


def end_tokens(tokenizer: Any) -> frozenset[int]:
    """Ids that end a turn: the tokenizer's own, and the usual ones it knows."""
    known = tokenizer.get_vocab()
    own = [] if tokenizer.eos_token_id is None else [tokenizer.eos_token_id]
    return frozenset([known[text] for text in ENDS if text in known] + own)
