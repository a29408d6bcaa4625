"""Thoughts and analyses in words, for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roundel.analysis.study import Analysis, Ply, Side
from roundel.analysis.thought import Thought
from roundel.core.lang import _, thousands


def percent(chance: float) -> str:
    return _("{number} %").format(number=round(chance))


def chances(thought: Thought, names: Sequence[str]) -> str:
    """Who wins how likely."""
    text = _("{name} {chance}")
    pairs = zip(names, thought.chances, strict=True)
    return ", ".join(text.format(name=name, chance=percent(chance)) for name, chance in pairs)


def thought_text(thought: Thought, names: Sequence[str]) -> str:
    """Everything about one position: chances, the best actions, the main line."""
    lines = [_("To win: {chances}").format(chances=chances(thought, names))]
    width = max((len(candidate.action) for candidate in thought.candidates), default=0)
    for candidate in thought.candidates:
        text = _.plural("{visits} visit", "{visits} visits", candidate.visits)
        visits = text.format(visits=thousands(candidate.visits))
        lines.append(f"  {candidate.action:{width}}  {percent(candidate.chance):>5}  {visits}")
    if thought.line:
        lines.append(_("Main line: {line}").format(line=" ".join(thought.line)))
    return "\n".join(lines)


def summary(side: Side, name: str) -> str:
    """How one player played."""
    accuracy = _("no choices")
    if side.accuracy is not None:
        accuracy = _("accuracy {number} %").format(number=side.accuracy)
    counts = (
        _.plural("{n} inaccuracy", "{n} inaccuracies", side.inaccuracy).format(n=side.inaccuracy),
        _.plural("{n} mistake", "{n} mistakes", side.mistake).format(n=side.mistake),
        _.plural("{n} blunder", "{n} blunders", side.blunder).format(n=side.blunder),
    )
    return _("{name}: {facts}").format(name=name, facts=", ".join((accuracy, *counts)))


def remark(ply: Ply) -> str:
    """What is to be said about an action that was not good."""
    if not ply.verdict:
        return ""
    text = _("{verdict} (-{drop}); better {line}")
    line = " ".join(ply.thought.line)
    return text.format(verdict=_(ply.verdict), drop=round(ply.drop or 0), line=line)


def lines(analysis: Analysis, names: Sequence[str]) -> Iterator[str]:
    """The whole analysis: a row for each action with the chances after it, then the players."""
    plies = analysis.plies
    for before, after in zip((None, *plies), plies, strict=False):
        action = before.action if before else ""
        player = before.thought.player if before and action else None
        name = "" if player is None else names[player]
        row = f"{after.ply:4}  {name:12} {action:12} {chances(after.thought, names)}"
        said = remark(before) if before else ""
        yield f"{row}  {said}".rstrip()
    if plies and not plies[-1].action and plies[-1].thought.player is not None:
        yield thought_text(plies[-1].thought, names)
    if len(plies) > 1:
        yield from map(summary, analysis.sides, names)
