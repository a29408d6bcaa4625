"""The program of a process that thinks: `python -m roundel.web.worker`.

Questions come in as lines, answers go out as lines (`web/questions.py`). One thread listens and
another thinks, so `stop` is heard at once. The pipe holds the process: when its other end is
closed, be it that the server ended or was killed, the process ends, also out of a search.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable
from queue import SimpleQueue
from threading import Event, Thread
from typing import BinaryIO, cast

from roundel import games
from roundel.analysis.thought import chance, texts_of
from roundel.bots import Budget, Choice, Searcher
from roundel.core.position import Position
from roundel.web.questions import (
    Answer,
    Failed,
    Question,
    Ready,
    Reply,
    Stop,
    Think,
    Thought,
    Warm,
    Warmed,
    line_of,
    read,
)

MEMORY = 64  # MiB
NICENESS = 5  # tables are answered first
FORCED = 0.05  # seconds for a position with one legal action

Say = Callable[[Reply], None]


class Thinker:
    """Answers one question after the other."""

    def __init__(self, say: Say) -> None:
        self.say, self.stop = say, Event()
        self.searcher, self.name = Searcher(MEMORY), ""

    def answer(self, question: Warm | Think) -> None:
        try:
            self.say(self.load(question) if isinstance(question, Warm) else self.think(question))
        except Exception as error:  # whatever it is: the table gets another answer, and we go on
            self.say(Failed(f"{type(error).__name__}: {error}"))

    def load(self, question: Warm) -> Warmed:
        self.searcher.warm(games.load(question.name))
        return Warmed()

    def think(self, question: Think) -> Answer:
        position = position_of(question)
        self.remember_only(position.game.name)
        self.searcher.warm(position.game)
        self.say(Ready())
        seconds = FORCED if len(position.legal()) == 1 else question.seconds
        budget = Budget(seconds=seconds, level=question.level)
        for choice in self.searcher.think(position, budget, question.seed, self.stop):
            self.say(Thought(choice.seconds, choice.depth, value_of(position, choice)))
        line = texts_of(position, choice.line)
        value = value_of(position, choice)
        return Answer(line[0], question.level, choice.seconds, choice.depth, value, line)

    def remember_only(self, name: str) -> None:
        """What was found in one game says nothing about another."""
        if name != self.name:
            self.searcher.forget()
            self.name = name


def position_of(question: Think) -> Position:
    game = games.load(question.spec)
    position = games.from_fen(question.start) if question.start else game.start()
    return position.play(" ".join(question.actions))


def value_of(position: Position, choice: Choice) -> float:
    return chance(choice.values[position.player or 0], position.game.players)


# -- The process --------------------------------------------------------------------


def listen(pipe: BinaryIO, thinker: Thinker, asked: SimpleQueue[Warm | Think]) -> None:
    try:
        for line in pipe:
            question = read(line, cast(type[Question], Question))
            if isinstance(question, Stop):
                thinker.stop.set()
            else:
                thinker.stop.clear()  # a late stop meant the question before
                asked.put(question)
    finally:
        os._exit(0)


def own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Standard input and output for us alone: what libraries print goes to standard error."""
    heard, said = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    return heard, said


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the server decides when we end
    os.nice(NICENESS)
    heard, said = own_pipes()

    def say(reply: Reply) -> None:
        said.write(line_of(reply))
        said.flush()

    thinker = Thinker(say)
    asked: SimpleQueue[Warm | Think] = SimpleQueue()
    Thread(target=listen, args=(heard, thinker, asked), daemon=True).start()
    with contextlib.suppress(BrokenPipeError):  # nobody listens any more
        while True:
            thinker.answer(asked.get())


if __name__ == "__main__":
    main()
