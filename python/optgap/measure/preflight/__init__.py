"""Perfect answers sent through a model's tokenizer and a trainer's reading of completions, before a run (`optgap preflight`)."""
