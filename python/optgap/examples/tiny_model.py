"""A decoder over bytes, built in code: nothing is downloaded."""

from __future__ import annotations

import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

END = "<end>"
_TAGS = ("<think>", "</think>", "<answer>", "</answer>")


def byte_tokenizer() -> PreTrainedTokenizerFast:
    """One token a byte, and one for each tag of the answer format, as reasoning models have. Tags are ordinary tokens:
    decoding that skips special ones must leave them to the parser."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE(vocab={letter: place for place, letter in enumerate(alphabet)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(text, special=True, normalized=False) for text in ("<pad>", END)])
    tokenizer.add_tokens([AddedToken(text, special=False, normalized=False) for text in _TAGS])
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=END, pad_token="<pad>", padding_side="left")


def random_model(tokenizer: PreTrainedTokenizerFast, seed: int, positions: int) -> GPT2LMHeadModel:
    """Three layers of width 64 with random weights, for texts of up to `positions` tokens.

    Positions are learned, so that an entry of the problem's table is found by where it stands; prompts of one length
    keep them in place. ReLU, because GPT-2's own activation costs a quarter of a CPU's step at this width.
    """
    torch.manual_seed(seed)
    return GPT2LMHeadModel(
        GPT2Config(
            vocab_size=len(tokenizer),
            n_positions=positions,
            n_embd=64,
            n_layer=3,
            n_head=4,
            activation_function="relu",
            resid_pdrop=0.0,
            embd_pdrop=0.0,
            attn_pdrop=0.0,
            bos_token_id=None,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
        )
    )
