"""Verbs over columns that lie in a GPU's memory: torch tensors or any other array with DLPack, without a copy and without a
wait. docs/resident.md is the guide. Experimental.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np

from .. import _native
from . import arguments
from .arguments import Spec
from .columns import by_name
from .engine import Engine
from .errors import misuse
from .results import Baselines, Instances

__all__ = ["Column", "DeviceBaselines", "DeviceSet", "DeviceStore"]

_CUDA = 2  # DLPack's kDLCUDA
_DEFAULT_STREAM = 1  # the legacy one, by DLPack's numbers; 2 is the thread's own
_MOST = 2**63 - 1

DeviceBaselines = _native.DeviceBaselines


def stream_number(stream: Any, ordinal: int) -> int:
    """A stream by DLPack's numbers: 1 the legacy default stream, 2 the thread's own, else a cudaStream_t. None is torch's
    current one where torch has started CUDA, else 1."""
    torch: Any = sys.modules.get("torch")  # never imported for this: it takes seconds
    if stream is None and torch is not None and hasattr(torch, "cuda") and torch.cuda.is_initialized():
        stream = torch.cuda.current_stream(ordinal)
    if stream is None:
        return _DEFAULT_STREAM
    if hasattr(stream, "cuda_stream"):
        return int(stream.cuda_stream) or _DEFAULT_STREAM  # torch calls the default stream 0
    if isinstance(stream, bool) or not isinstance(stream, (int, np.integer)) or not 0 < stream <= _MOST:
        raise misuse(
            "stream",
            f"is {stream!r}, expected 1 (legacy default), 2 (the thread's own), a cudaStream_t, or an object with "
            "cuda_stream; 0 may be either default stream",
        )
    return int(stream)


class Column:
    """A column of a DeviceSet, to be read by others: torch.from_dlpack(column). Read only. It keeps the set's memory."""

    def __init__(self, owner: _native.DeviceSet, name: str, ordinal: int) -> None:
        self._owner, self._name, self._ordinal = owner, name, ordinal

    def __dlpack_device__(self) -> tuple[int, int]:
        return _CUDA, self._ordinal

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """A capsule. Its bytes were there before the set was: whichever stream reads them, there is nothing to wait for."""
        if stream is not None and stream != -1:
            stream_number(stream, self._ordinal)
        if dl_device is not None and dl_device != (_CUDA, self._ordinal):
            raise BufferError(f"the column lies on GPU {self._ordinal} and stays there")
        if copy:
            raise BufferError("the column is given as it lies; copy what you get")
        return self._owner.column(self._name, self._ordinal)


class DeviceSet:
    """Instances on a GPU, by DeviceStore.keep. The memory is theirs as long as this, or a column of it, lives."""

    def __init__(self, native: _native.DeviceSet, ordinal: int) -> None:
        self._native, self._ordinal = native, ordinal

    def __len__(self) -> int:
        return len(self._native)

    @property
    def answer_words(self) -> int:
        """Words of the largest answer that a search of its instances may write."""
        return self._native.answer_words

    @property
    def task(self) -> Column:
        """Index into optgap.tasks() of each instance, int32."""
        return Column(self._native, "task", self._ordinal)

    @property
    def words(self) -> Column:
        """All instances, one after another, int32."""
        return Column(self._native, "words", self._ordinal)

    @property
    def offsets(self) -> Column:
        """Instance i is words[offsets[i]:offsets[i + 1]]; int64."""
        return Column(self._native, "offsets", self._ordinal)


class DeviceStore:
    """Instances that stay on the engine's GPU, and verbs over columns that lie there.

    A column is a torch tensor, or any array with __dlpack__, on the same GPU: contiguous, of the dtype that is named, read
    or written where it lies. Each verb queues its work on `stream` (None: torch's current one) behind what that and the
    columns' own streams hold, returns its number at once, and holds the columns until it has run; the bytes are those of
    the engine's verb on the same rows. Calls follow each other on the GPU whatever their streams.

    On a stream that captures a graph a verb is recorded and returns 0. The caller who launches the graph keeps the sets and all
    columns until it has run for the last time: the store does not.

    What a host would have refused is found on the GPU: such a row's verdict is `unparsable`, its reward NaN, and the next
    verb, or wait, raises Error that names it. Error with status "device_unavailable" where the engine has no GPU, and in
    the child of a fork.

    Args:
        engine: Which GPU. Its release leaves the store alone.
        memory: Bytes, allocated once; None for 256 MB. A quarter, 256 MB at most, is for the verbs to work in.
        steps_a_launch: A search of more steps goes on in further launches, with the bytes of one, and between two of them
            others get the GPU; None for 100.
    """

    def __init__(self, engine: Engine, memory: int | None = None, steps_a_launch: int | None = None) -> None:
        def or_own(value: int | None, name: str) -> int:
            return 0 if value is None else arguments.integer(value, name, 1, _MOST)

        self._native = engine._native.device_store(or_own(memory, "memory"), or_own(steps_a_launch, "steps_a_launch"))

    @property
    def gpu(self) -> int:
        """Its number, as torch counts."""
        return self._native.ordinal

    def keep(self, instances: Instances) -> DeviceSet:
        """Instances on the GPU. Those with keys are the set that was made of the same keys before, if it is still there, else
        they are generated where they lie; the set stays until others need the room and no object holds it. A user's own are
        copied, and go with the last that holds them."""
        if len(instances) and instances.split.min() >= 0:
            made = self._native.keep_specs(instances.task, instances.level, instances.split, instances.seed)
        else:
            made = self._native.keep_copy(instances.task, instances.words, instances.offsets)
        return DeviceSet(made, self.gpu)

    def keep_baselines(self, baselines: Baselines) -> DeviceBaselines:
        """Copies baselines to the GPU, one per instance of a set, with the anchors that rewards are to read."""
        return self._native.keep_baselines(by_name(baselines))

    def verify(
        self,
        instances: DeviceSet,
        words: Any,
        offsets: Any,
        out: Any,
        *,
        instance_of: Any = None,
        stream: Any = None,
    ) -> int:
        """Verdicts of answers, as Engine.verify.

        Args:
            instances: What is answered.
            words: Answer blocks (Answers.words), int32.
            offsets: Row r is words[offsets[r]:offsets[r + 1]]; int64.
            out: int64 (rows, 4). As torch reads it: code and where are out.view(torch.int32)[:, 0] and [:, 1]; objective,
                violation and violation_max are out[:, 1], [:, 2] and [:, 3].
            instance_of: Each row's instance, int32; None: row r is of instance r.
            stream: See the class.
        """
        on = stream_number(stream, self.gpu)
        return self._native.verify(
            instances._native,
            self._borrowed(words, "words", on),
            self._borrowed(offsets, "offsets", on),
            self._given(instance_of, "instance_of", on),
            self._borrowed(out, "out", on),
            on,
        )

    def reward(
        self,
        instances: DeviceSet,
        baselines: DeviceBaselines,
        verdicts: Any,
        out: Any,
        *,
        rewards: Any = None,
        instance_of: Any = None,
        format_code: Any = None,
        finished: Any = None,
        length: Any = None,
        reward: Spec = "forge",
        stream: Any = None,
    ) -> int:
        """Rewards of verdicts, as Engine.score makes them.

        Args:
            instances: What was answered.
            baselines: One per instance.
            verdicts: verify's `out`.
            out: float32 (rows, 10): reward, format, feasible, quality, raw_ratio, normalized, optimal, length_penalty, and
                as int32 code and truncated.
            rewards: float32: also gets the first of them, as a column for advantages.
            instance_of: As in verify.
            format_code: Answers' format codes, int32; None: every format holds.
            finished: How generation ended, int32: 0 unknown, 1 stop, 2 length, 3 abort; None: unknown.
            length: Tokens, int32, for rewards that read them.
            reward: A shape's name, JSON or a mapping, for all tasks or by task (docs/rewards.md).
            stream: See the class.
        """
        on = stream_number(stream, self.gpu)
        given = {
            "instance_of": instance_of,
            "format_code": format_code,
            "finished": finished,
            "length": length,
        }
        return self._native.reward(
            instances._native,
            baselines,
            self._borrowed(verdicts, "verdicts", on),
            {name: self._borrowed(one, name, on) for name, one in given.items() if one is not None},
            arguments.spec(reward, "reward"),
            self._borrowed(out, "out", on),
            self._given(rewards, "rewards", on),
            on,
        )

    def improve(
        self,
        instances: DeviceSet,
        words: Any,
        offsets: Any,
        out_words: Any,
        out_offsets: Any,
        out: Any,
        *,
        steps: int,
        seed: int = 0,
        instance_of: Any = None,
        stream: Any = None,
    ) -> int:
        """Local searches from given answers, as Engine.improve.

        Args:
            instances: What is answered.
            words: Answer blocks to start from (Answers.words), int32.
            offsets: Row r is words[offsets[r]:offsets[r + 1]]; int64.
            out_words: int32, for the answers that are found: instances.answer_words for each row at least, and for each
                no less than the longest start has. Other memory than `words`: it is searched there.
            out_offsets: int64 (rows + 1): where they stand, as verify reads them.
            out: int64 (rows, 4): start_objective, objective, moves, evaluations; the objectives are -2**63 where the start
                is infeasible.
            steps: Of each search; more are never worse.
            seed: Of each search's draws.
            instance_of: As in verify.
            stream: See the class.
        """
        on = stream_number(stream, self.gpu)
        found = {"out_words": out_words, "out_offsets": out_offsets, "out": out}
        return self._native.improve(
            instances._native,
            self._borrowed(words, "words", on),
            self._borrowed(offsets, "offsets", on),
            self._given(instance_of, "instance_of", on),
            arguments.integer(steps, "steps", 0, _MOST),
            arguments.integer(seed, "seed", 0, 2**64 - 1),
            {name: self._borrowed(one, name, on) for name, one in found.items()},
            on,
        )

    def advantages(
        self,
        rewards: Any,
        group: Any,
        out: Any,
        advantage: Spec = "grpo",
        *,
        stream: Any = None,
    ) -> int:
        """Group-relative advantages, as Engine.advantages.

        Args:
            rewards: float32; a NaN takes no part and gets 0.
            group: int32, any ids in any order.
            out: float32.
            advantage: grpo by group, dr_grpo, rloo, leave_one_out, max_rl, pass_k, or a trainer's name for one of them.
            stream: See the class.
        """
        on = stream_number(stream, self.gpu)
        return self._native.advantages(
            self._borrowed(rewards, "rewards", on),
            self._borrowed(group, "group", on),
            arguments.spec(advantage, "advantage"),
            self._borrowed(out, "out", on),
            on,
        )

    def ended(self) -> int:
        """All calls up to this number have run, and their columns are not held any more. Does not wait."""
        return self._native.ended()

    def wait(self) -> None:
        """Waits for all calls; raises Error for what they found wrong."""
        self._native.wait()

    def status(self) -> dict[str, int]:
        """memory and used (bytes for sets), sets (kept by their keys), found and made (times that keep met one or not),
        dropped, calls, held (columns of calls that have not been seen to end)."""
        return {**json.loads(self._native.statistics()), "held": self._native.held}

    def _given(self, column: Any, field: str, stream: int) -> Any:
        return None if column is None else self._borrowed(column, field, stream)

    def _borrowed(self, column: Any, field: str, stream: int) -> Any:
        """A DLPack capsule of the column, once `stream` waits for what its owner had queued on it."""
        if not hasattr(column, "__dlpack__") or not hasattr(column, "__dlpack_device__"):
            raise misuse(
                field,
                f"is {type(column).__name__}, expected an array with __dlpack__ on GPU {self.gpu}",
            )
        kind, ordinal = column.__dlpack_device__()
        if (int(kind), int(ordinal)) != (_CUDA, self.gpu):
            raise misuse(field, f"is not on GPU {self.gpu}, where the store is")
        try:
            return column.__dlpack__(stream=stream)
        except (
            BufferError,
            RuntimeError,
            ValueError,
        ) as why:  # one that needs a gradient, or is sparse
            raise misuse(field, f"cannot be lent: {why}") from None
