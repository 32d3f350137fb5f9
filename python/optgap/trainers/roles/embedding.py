"""Questions that say the same in other words: by embeddings of a server that the user names."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from ...core.errors import misuse
from ...measure.endpoint import Endpoint

Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]
"""A vector for each text; the same text always has the same vector."""


class EndpointEmbeddings:
    """Vectors of an OpenAI-compatible server's `/embeddings`.

        near = EndpointEmbeddings(Endpoint("http://localhost:8000/v1", "BAAI/bge-m3"))

    Args:
        endpoint: Open; the caller closes it.
        batch: Texts of one request.
    """

    def __init__(self, endpoint: Endpoint, batch: int = 64) -> None:
        self.endpoint, self.batch = endpoint, batch

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector a text, in their order."""
        out: list[list[float]] = []
        for first in range(0, len(texts), self.batch):
            out += self.endpoint.embeddings(texts[first : first + self.batch])
        return out


class NearQuestions:
    """Questions that are known, by direction of their vectors.

    Args:
        embed: Makes vectors.
        cosine: From this cosine on two questions are one, above 0, to 1.
    """

    def __init__(self, embed: Embed, cosine: float) -> None:
        if not isinstance(cosine, (int, float)) or not 0 < cosine <= 1:
            raise misuse("near", f"is {cosine!r}, expected a cosine above 0, at most 1")
        self._embed, self._cosine = embed, cosine
        self._known: dict[str, npt.NDArray[np.float64]] = {}

    def learn(self, texts: Sequence[str]) -> None:
        """These are known, and no others; only those that were not are embedded."""
        fresh = [text for text in dict.fromkeys(texts) if text not in self._known]
        made = dict(zip(fresh, self._vectors(fresh)))
        self._known = {text: self._known[text] if text in self._known else made[text] for text in texts}

    def taken(self, texts: Sequence[str]) -> list[bool]:
        """Whether each is nearly one that is known; those that are not are known from then on, also to the texts behind them."""
        out: list[bool] = []
        for text, vector in zip(texts, self._vectors(texts)):
            known = np.asarray(list(self._known.values()))
            out.append(bool(len(known) and (known @ vector >= self._cosine).any()))
            if not out[-1]:
                self._known[text] = vector
        return out

    def _vectors(self, texts: Sequence[str]) -> npt.NDArray[np.float64]:
        """Of length 1, one a row."""
        if not texts:
            return np.empty((0, 0))
        try:
            found = np.asarray(self._embed(texts), np.float64)
        except (TypeError, ValueError):
            found = np.empty(0)
        if found.ndim != 2 or len(found) != len(texts) or not np.isfinite(found).all():
            raise misuse(
                "embed", f"gave an array of shape {found.shape}, expected {len(texts)} vectors of finite numbers"
            )
        sizes = np.linalg.norm(found, axis=1, keepdims=True)
        if (sizes == 0).any() or any(len(known) != found.shape[1] for known in self._known.values()):
            raise misuse("embed", "gave a vector of zeros, or of another length than before")
        return np.asarray(found / sizes)
