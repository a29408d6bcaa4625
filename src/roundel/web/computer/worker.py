"""The program of a process that thinks: `python -m roundel.web.computer.worker`.

Questions come in as lines, answers go out as lines (`questions.py`). One thread thinks, one
listens, so `stop` is heard at once, and one says that the process is alive. The pipe holds the
process: when its other end is closed, be it that the server ended or was killed, the process
ends, also out of a search.

Nothing heavy is imported before that last thread runs: otherwise a process that begins could not
be told from one that has stopped.
"""

from __future__ import annotations

import os
import signal
import time
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import BinaryIO, NoReturn, cast

from roundel.web.computer.questions import (
    PULSE,
    Alive,
    Draw,
    Forget,
    Question,
    Read,
    Reply,
    Stop,
    Think,
    Warm,
    decode_line,
    encode_line,
)

NICENESS = 5  # tables are answered first


class Pipes:
    """Standard input and output for us alone: what libraries print goes to standard error."""

    def __init__(self) -> None:
        self.questions: BinaryIO = os.fdopen(os.dup(0), "rb")
        self.replies: BinaryIO = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        self.writing = Lock()
        self.stop, self.waiting = Event(), SimpleQueue[Warm | Think | Read | Draw | Forget]()

    def send(self, reply: Reply) -> None:
        try:
            with self.writing:
                self.replies.write(encode_line(reply))
                self.replies.flush()
        except OSError:  # nobody listens any more
            os._exit(0)

    def send_pulse(self) -> NoReturn:
        while True:
            self.send(Alive())
            time.sleep(PULSE)

    def listen(self) -> NoReturn:
        try:
            for line in self.questions:
                question = decode_line(line, cast(type[Question], Question))
                if isinstance(question, Stop):
                    self.stop.set()
                    continue
                if not isinstance(question, Forget):
                    self.stop.clear()  # a late stop meant the question before
                self.waiting.put(question)
        finally:
            os._exit(0)


def main() -> NoReturn:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the server decides when we end
    os.nice(NICENESS)
    pipes = Pipes()
    for work in (pipes.send_pulse, pipes.listen):
        Thread(target=work, daemon=True).start()
    from roundel.web.computer.answers import QuestionHandler

    handler = QuestionHandler(pipes.send, pipes.stop)
    while True:
        handler.answer(pipes.waiting.get())


if __name__ == "__main__":
    main()
