"""Baselines in bulk on a Ray cluster: one task of Ray Core a shard, and the files of `optgap recompute --shard`
(docs/scale.md).

Ray starts processes and starts them again when a node is lost; what is done, the folder of shards says. `pip install
'optgap[ray]'`.
"""

from __future__ import annotations

from .labelling import Labeller as Labeller
from .launching import Recomputed as Recomputed, recompute as recompute

__all__ = ["Labeller", "Recomputed", "recompute"]
