"""How TRL reads what a model wrote."""

from __future__ import annotations

from typing import Any

from optgap.measure.endpoint.messages import text_of
from optgap.trainers.common.turns import last_texts, without_end


def read_as_trl(tokenizer: Any, prompt: str, ids: list[int], format_name: str, generation: Any = None) -> str:
    """TRL: parsed into a message where the tokenizer can, else special tokens are gone; with the tokenizer given to the
    reward functions, what generation stops on is gone, too."""
    if getattr(tokenizer, "response_schema", None) is None and getattr(tokenizer, "response_template", None) is None:
        return without_end(tokenizer.decode(ids, skip_special_tokens=True), last_texts(tokenizer, generation))
    try:
        from trl.chat_template_utils import parse_response
    except ImportError:
        message = tokenizer.parse_response(ids)
    else:
        message = parse_response(tokenizer, ids, prefix=tokenizer(prompt, add_special_tokens=False)["input_ids"])
    return text_of([{"role": "assistant", **message}], format_name)
