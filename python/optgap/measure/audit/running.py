"""One audit: a subject in its templates, over all attacks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ..attacks import Attack
from ..attacks.writing import Writing
from .cases import Case, cases, told_it_would_be_never
from .climbing import Find
from .judging import RIGHT, Cell, judged, total
from .questions import Questions
from .subjects import Rewarded, Subject

REWARDED = 0.5
"""Share of the way from no answer's reward to the right answer's, from which on a completion counts as rewarded."""

CHUNK = 256
"""Cases rewarded between two marks of the progress bar."""


@dataclass
class Audit:
    """What was found."""

    subject: str
    notes: list[str] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    """By template, then by attack."""
    finds: list[Find] = field(default_factory=list)
    """The attacker's best, of each template."""

    @property
    def sum(self) -> Cell:
        """All cells as one."""
        return total(self.cells)

    @property
    def passed(self) -> bool:
        """No false reward, no failed call, nothing found by the attacker; and the right answer is rewarded somewhere, or nothing
        would be known."""
        everything = self.sum
        found = everything.false_reward.found or everything.failed.found or any(find.gain > 0 for find in self.finds)
        right = total([cell for cell in self.cells if cell.attack == RIGHT]).false_refusal
        return not found and right.found < right.tried


def audit(
    subject: Subject,
    writings: Sequence[Writing],
    questions: Questions,
    attacks: Sequence[Attack],
    share: float = REWARDED,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Audit:
    """Rewards every case and judges it. `progress` is called with the cases done and all of them."""
    made = Audit(subject.name)
    asked = [list(cases(attacks, writing, questions, subject.ability)) for writing in writings]
    done, everything = 0, sum(map(len, asked))
    unseen: list[tuple[Case, Rewarded]] = []
    for writing, mine in zip(writings, asked):
        rewarded: list[Rewarded] = []
        for start in range(0, len(mine), CHUNK):
            progress(done + start, everything)
            rewarded.extend(subject.reward_rows(mine[start : start + CHUNK], writing, questions))
        made.cells.extend(judged(mine, rewarded, share))
        unseen += [(case, reward) for case, reward in zip(mine, rewarded) if told_it_would_be_never(case, writing)]
        done += len(mine)
    progress(done, everything)
    if not subject.ability.knows_finish:
        made.notes.append(_blind(unseen))
    return made


def _blind(unseen: Sequence[tuple[Case, Rewarded]]) -> str:
    """What a subject rewards because it is not told how generation ended."""
    rewarded = [isinstance(reward, float) and reward > 0 for _, reward in unseen]
    templates = dict.fromkeys(case.template for (case, _), found in zip(unseen, rewarded) if found)
    where = f", in {', '.join(templates)}" if templates else ""
    return (
        f"is not told how generation ended, so what was cut off is open: it rewards {sum(rewarded)} of {len(rewarded)} "
        f"such texts that hold no final answer{where}"
    )
