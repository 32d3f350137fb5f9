"""A client of OpenAI-compatible servers (vLLM, SGLang, hosted ones), of the standard library alone.

    from optgap.measure.endpoint import Endpoint, completion_of

    with Endpoint("http://localhost:8000/v1", "Qwen/Qwen3-8B", concurrency=64) as server:
        for row, reply in server.ask((row, [{"role": "user", "content": text}]) for row, text in enumerate(prompts)):
            ...                                # a Reply, or a RequestFailed with a sentence

docs/bench_model.md says what is sent, what is tried again, and what ends a run.
"""

from .client import Endpoint as Endpoint, Refused as Refused, RequestFailed as RequestFailed, Unreachable as Unreachable
from .replies import Reply as Reply, completion_of as completion_of

__all__ = ["Endpoint", "Refused", "Reply", "RequestFailed", "Unreachable", "completion_of"]
