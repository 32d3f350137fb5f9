"""A tokenizer for preflights whose subject is not how texts are cut."""


class ByteTokenizer:
    """One token a byte, and an end of the turn."""

    chat_template = None
    eos_token_id = 256

    def __call__(self, text, add_special_tokens=True):
        return {"input_ids": list(text.encode("utf-8"))}

    def decode(self, ids, skip_special_tokens=False):
        parts = bytes(each for each in ids if each < 256).decode("utf-8", "replace")
        return parts + ("</s>" if 256 in ids and not skip_special_tokens else "")
