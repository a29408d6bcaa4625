"""What was played, judged by a search: chances after every action, better ones, accuracy.

`analyse` takes a record or positions and answers with an `Analysis`, which is plain data; `Study`
is the same work step by step, to be shown, interrupted and taken up again.
"""

from roundel.analysis.graph import graph
from roundel.analysis.judging import Thresholds, thresholds
from roundel.analysis.study import Analysis, BrokenAnalysis, Ply, Side, Study, analyse
from roundel.analysis.thought import Candidate, Thought, chance, think

__all__ = [
    "Analysis",
    "BrokenAnalysis",
    "Candidate",
    "Ply",
    "Side",
    "Study",
    "Thought",
    "Thresholds",
    "analyse",
    "chance",
    "graph",
    "think",
    "thresholds",
]
