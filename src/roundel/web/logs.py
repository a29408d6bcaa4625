"""Logs as lines of JSON: one object for each thing that happened."""

from __future__ import annotations

import json
import logging
import sys
import time

USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class Lines(logging.Formatter):
    """Time, level, logger and message, and whatever else the caller added."""

    def format(self, record: logging.LogRecord) -> str:
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        fields = {
            "time": f"{at}.{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **{name: value for name, value in vars(record).items() if name not in USUAL},
        }
        if record.exc_info:
            fields["error"] = self.formatException(record.exc_info)
        return json.dumps(fields, ensure_ascii=False, default=str)


def write_logs(level: str) -> None:
    """To the standard error, from now on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines())
    for name in ("roundel", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level.upper())
    # uvicorn warns of every malformed request: anybody could fill the log. What it says when it
    # debugs shows the keys and cookies of requests.
    quieter = {"debug": logging.INFO, "warning": logging.ERROR}
    if level in quieter:
        logging.getLogger("uvicorn").setLevel(quieter[level])
