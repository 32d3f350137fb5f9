"""A tokenizer and a model built in code: nothing is downloaded, and a step takes milliseconds on a CPU."""

import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

CHATML = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def byte_tokenizer(template=CHATML, special=(), plain=(), eos="<|im_end|>", lost=""):
    """One token a byte but for those `lost`, and `special` and `plain` texts as one token each; skip_special_tokens
    drops the special ones."""
    alphabet = sorted(set(pre_tokenizers.ByteLevel.alphabet()) - set(lost))
    tokenizer = Tokenizer(models.BPE(vocab={letter: place for place, letter in enumerate(alphabet)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    names = dict.fromkeys(["<|pad|>", eos, "<|im_start|>", *special])
    tokenizer.add_special_tokens([AddedToken(name, special=True, normalized=False) for name in names])
    tokenizer.add_tokens([AddedToken(text, special=False, normalized=False) for text in plain])
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token=eos, pad_token="<|pad|>", chat_template=template, padding_side="left"
    )


def random_model(tokenizer, seed=0):
    """Two layers of width 32 with random weights: about 40 000 parameters."""
    torch.manual_seed(seed)
    shape = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2,
             "num_key_value_heads": 1, "max_position_embeddings": 4096, "tie_word_embeddings": True}  # fmt: skip
    names = {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id, "bos_token_id": None}
    return Qwen2ForCausalLM(Qwen2Config(vocab_size=len(tokenizer), **shape, **names))
