"""The processes of a run under torch.distributed, of which the first one leads; a process alone leads itself."""

from __future__ import annotations

from typing import Any, TypeVar

import torch.distributed

Value = TypeVar("Value")


def is_distributed() -> bool:
    return torch.distributed.is_available() and torch.distributed.is_initialized()


def gathered(mine: Value) -> list[Value]:
    """Every rank's, in the order of ranks. All ranks call it."""
    if not is_distributed():
        return [mine]
    found: list[Any] = [None] * torch.distributed.get_world_size()
    torch.distributed.all_gather_object(found, mine)
    return found


def rank() -> int:
    return torch.distributed.get_rank() if is_distributed() else 0


def count() -> int:
    return torch.distributed.get_world_size() if is_distributed() else 1


def leads() -> bool:
    return rank() == 0


def told(value: Value) -> Value:
    """What the first rank says; what others give is of no account. All ranks call it."""
    if count() == 1:
        return value
    said: list[Any] = [value if leads() else None]
    torch.distributed.broadcast_object_list(said, src=0)
    return said[0]  # type: ignore[no-any-return]
