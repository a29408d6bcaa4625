"""What a process does with a question: it loads games, searches, reads and draws."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

from roundel import games
from roundel.analysis.thought import chance, texts_of
from roundel.bots import Budget, Choice, Searcher
from roundel.core.errors import RoundelError
from roundel.core.lang import speaking
from roundel.core.position import Position
from roundel.kernel import cache
from roundel.web.computer.questions import (
    ChosenAction,
    Draw,
    Drawn,
    Failed,
    Forget,
    MatchRead,
    Preparing,
    Read,
    Ready,
    RecordRefused,
    Reply,
    SearchProgress,
    Think,
    Warm,
    Warmed,
)
from roundel.web.computer.uploads import match_of
from roundel.web.requests.problems import problem_of

MEMORY = 64  # MiB
FORCED = 0.05  # seconds for a position with one legal action

Send = Callable[[Reply], None]


class QuestionHandler:
    """Answers one question after the other."""

    def __init__(self, send: Send, stop: Event) -> None:
        self.send, self.stop = send, stop
        self.searcher = Searcher(MEMORY)
        cache.on_compiling.append(lambda entry: send(Preparing()))

    def answer(self, question: Warm | Think | Read | Draw | Forget) -> None:
        try:
            match question:
                case Warm():
                    self.send(self.load(question))
                case Think():
                    self.send(self.think(question))
                case Read():
                    self.send(self.read(question))
                case Draw():
                    self.send(self.draw(question))
                case Forget():
                    self.searcher.forget_match(question.match)
        except Exception as error:  # whatever it is: the table gets another answer, and we go on
            self.send(Failed(f"{type(error).__name__}: {error}"))

    def load(self, question: Warm) -> Warmed:
        self.searcher.warm(games.load(question.name))
        return Warmed()

    def think(self, question: Think) -> ChosenAction:
        position = position_of(question)
        self.searcher.warm(position.game)
        self.send(Ready())
        seconds = FORCED if len(position.legal()) == 1 else question.seconds
        budget = Budget(seconds=seconds, level=question.level)
        thoughts = self.searcher.think(position, budget, question.seed, self.stop, question.match)
        for choice in thoughts:
            self.send(SearchProgress(choice.seconds, choice.depth, value_of(position, choice)))
        line = texts_of(position, choice.line)
        value = value_of(position, choice)
        return ChosenAction(line[0], question.level, choice.seconds, choice.depth, value, line)

    def read(self, question: Read) -> MatchRead | RecordRefused:
        self.send(Ready())
        with speaking(question.language):
            try:
                return match_of(question.content)
            except RoundelError as error:
                problem = problem_of(error)
                return RecordRefused(problem.code, problem.reason)

    def draw(self, question: Draw) -> Drawn:
        from roundel.picture import png

        self.send(Ready())
        return Drawn(png(question.svg, question.width))


def position_of(question: Think) -> Position:
    game = games.load(question.spec)
    position = games.from_fen(question.start) if question.start else game.start()
    return position.play(" ".join(question.actions))


def value_of(position: Position, choice: Choice) -> float:
    return chance(choice.values[position.player or 0], position.game.players)
