"""Yinsh matches as boardspace.net writes them: SGF with `GM[24]`.

A node holds one click of a player, `P0[27 place w  G 8]`: player, serial number, what was done. A
ring move is two of them, `place` the marker and `drop board` where the ring goes; robots write one
`move`. Players also pick things up again before they are done, so nothing is played before the next
click shows that it was meant. Serial numbers of `Done` are counted, also where it is not written.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from roundel.core.errors import BrokenRecord, InvalidText, RoundelError
from roundel.games.yinsh.clicks import Clicks
from roundel.games.yinsh.notation import COLOURS, _

if TYPE_CHECKING:
    from roundel.core.foreign import EntryData, LineData, RecordData
    from roundel.core.game import Manifest
    from roundel.core.position import Position

TOKEN = re.compile(
    r"\s*+(?:([();])|([A-Za-z][A-Za-z0-9]*+)((?:\s*+\[(?:[^\\\]]++|\\.)*+\])++))", re.S
)
ROOT = re.compile(r"^[ \t]*\(\s*;\s*GM\[", re.MULTILINE)
VALUE = re.compile(r"\[((?:[^\\\]]++|\\.)*+)\]", re.DOTALL)
DATE = re.compile(r"[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([0-9]{1,2}) ([0-9:]{8}) (\S+) ([0-9]{4})", re.A)
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
CLOCK = "[0-9]{1,5}:[0-5][0-9]:[0-5][0-9]"
GM, SITE, SEATS = "24", "boardspace.net", ("P0", "P1")
CLICK = re.compile(r"(?:[0-9]+\s+)?([A-Za-z]\S*)\s*(.*)", re.DOTALL | re.ASCII)


class Property(NamedTuple):
    name: str
    values: list[str]
    at: int


Node = list[Property]

# -- Reading --------------------------------------------------------------------


def read(manifest: Manifest, text: str) -> Iterator[RecordData | BrokenRecord]:
    """Every match of a file as the plain data of a record, or the error that says where and why."""
    begins = [match.start() for match in ROOT.finditer(text)]
    if text[: begins[0] if begins else len(text)].strip():
        begins.insert(0, 0)  # something else, or a match that does not say at once what it is
    line = 1 + text.count("\n", 0, begins[0] if begins else 0)
    for begin, end in pairwise([*begins, len(text)]):
        part = text[begin:end]  # from the beginning of a line on
        try:
            yield read_match(manifest, part, read_tree(part))
        except BrokenRecord as error:
            yield BrokenRecord(line + error.line - 1, error.column, error.reason)
        line += part.count("\n")


def broken(text: str, at: int, reason: str) -> BrokenRecord:
    before = text[:at]
    return BrokenRecord(before.count("\n") + 1, at - before.rfind("\n"), reason)


def read_tree(text: str) -> list[Node]:
    """The nodes of a match up to its closing parenthesis; of variations only the first is kept."""
    at, depth, aside = 0, 0, False
    nodes: list[Node] = []
    while True:
        match = TOKEN.match(text, at)
        sign = match[1] if match else None
        if match is None or (depth == 0 and sign != "("):
            rest = text[at:].strip()[:20]
            wrong = _("cannot read {rest!r}") if rest else _("expected )")
            raise broken(text, at, wrong.format(rest=rest))
        at = match.end()
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return nodes
        aside = aside or sign == ")"  # the first variation has ended: others follow
        if sign == ";" and not aside:
            nodes.append([])
        elif not sign and nodes and not aside:
            values = [unescape(value) for value in VALUE.findall(match[3])]
            nodes[-1].append(Property(match[2].upper(), values, match.start(2)))


def unescape(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL)


def read_match(manifest: Manifest, text: str, nodes: list[Node]) -> RecordData:
    """Replay the clicks of one match."""
    properties = {p.name: p.values[0] for node in nodes for p in reversed(node)}
    if properties.get("GM", GM).strip() != GM:
        raise broken(
            text,
            next(p.at for n in nodes for p in n if p.name == "GM"),
            _("expected GM[{expected}], got GM[{found}]").format(
                expected=GM, found=properties["GM"]
            ),
        )
    blitz = "blitz" in properties.get("SU", "").lower()
    clicks = Clicks(manifest.with_options("blitz" if blitz else "").start())
    said: dict[str, str] = {}
    for node in nodes:
        for item in node:
            try:
                read_property(clicks, item, said)
            except RoundelError as error:
                raise broken(text, item.at, str(error)) from None
        clicks.clock(next((p.values[0] for p in node if p.name == "TM"), ""))
    try:
        clicks.finish()
    except RoundelError as error:
        raise broken(text, len(text.rstrip()), str(error)) from None
    return {"tags": tags_of(clicks, properties, said), "games": [clicks.line()]}


def read_property(clicks: Clicks, item: Property, said: dict[str, str]) -> None:
    if item.name in SEATS:
        read_clicks(clicks, item, said)
    elif item.name == "C":
        clicks.comment(item.values[0])


def read_clicks(clicks: Clicks, item: Property, said: dict[str, str]) -> None:
    """What a seat did, or what is said about it: its name and the time it used."""
    seat = SEATS.index(item.name)
    for value in item.values:
        match = CLICK.fullmatch(value.strip())
        verb, rest = (match[1].lower(), match[2]) if match else ("", "")
        if verb in ("id", "time"):
            said[f"{verb}{seat}"] = rest.strip().strip('"')
        elif verb:
            clicks.click(seat, verb, rest)


def tags_of(clicks: Clicks, properties: dict[str, str], said: dict[str, str]) -> dict[str, str]:
    order = [clicks.first, 1 - clicks.first]  # who plays white is player 1
    names = [said.get(f"id{seat}", "") for seat in order]
    result, why = clicks.result()
    tags = {
        "Game": clicks.position.game.spec,
        "Site": SITE,
        "P1": names[0],
        "P2": names[1],
        **date_tags(properties.get("DT", "")),
        "Name": properties.get("GN", ""),
        "Setup": properties.get("SU", ""),
        "Result": result_in(properties.get("RE", ""), names) if result == "*" else result,
        "Termination": why,
    }
    for player, seat in enumerate(order, 1):
        if re.fullmatch(CLOCK, said.get(f"time{seat}", "")):
            tags[f"P{player}Time"] = said[f"time{seat}"]
    return {name: " ".join(value.split()) for name, value in tags.items() if value.strip()}


def date_tags(text: str) -> dict[str, str]:
    """`Sun Jul 10 16:02:28 PDT 2005` as a date and a time of day; anything else as it is."""
    match = DATE.fullmatch(text.strip())
    if not match or match[1] not in MONTHS:
        return {"Date": text}
    day = f"{match[5]}-{MONTHS.index(match[1]) + 1:02}-{int(match[2]):02}"
    return {"Date": day, "Time": f"{match[3]} {match[4]}"}


def result_in(text: str, names: list[str]) -> str:
    """What the file itself says about the end: the words of the site, or those of SGF."""
    words = text.lower()
    if "draw" in words or words.strip() == "0":
        return "draw"
    for player, (name, letter) in enumerate(zip(names, "wb", strict=True), 1):
        won = name and re.search(rf"won by {re.escape(name.lower())}(?!\w)", words)
        if won or words.startswith(f"{letter}+"):
            return f"p{player}win"
    return "*"


# -- Writing --------------------------------------------------------------------


def write(manifest: Manifest, data: RecordData) -> str:
    """A record's plain data as the site would have written the match; variations are left out."""
    tags = data["tags"]
    if "Fen" in tags or len(data["games"]) > 1:
        raise InvalidText(_("sgf: only a match of one game from its start can be written"))
    position = manifest.with_options(tags["Game"].partition(":")[2]).start()
    usual = "Yinsh-Blitz" if position.game.options["blitz"] else "Yinsh"
    names = [tags.get("P1", "player0"), tags.get("P2", "player1")]
    lines = [
        " (;",
        f"GM[{GM}] VV[2]",
        *([f"DT[{value(written_date(tags))}]"] if "Date" in tags else []),
        f"GN[{value(tags.get('Name', '-'.join(names)))}]",
        f"SU[{value(tags.get('Setup', usual))}]",
        *(f'P{seat}[id "{value(name)}"]' for seat, name in enumerate(names)),
        "; P0[0 Start White]",
        *written_clicks(position, data["games"][0], tags),
    ]
    won_by = {
        "p1win": f"Game won by {names[0]}",
        "p2win": f"Game won by {names[1]}",
        "draw": "draw",
    }
    times = [f"P{s}[time {tags[f'P{s + 1}Time']} ]" for s in (0, 1) if f"P{s + 1}Time" in tags]
    ending = tags.get("Result", "*")
    if ending in won_by and not times:
        lines[2:2] = [f"RE[{value(won_by[ending])}]"]
    return "\n".join([*lines, *([";", *times] if times else []), ")", " \n"])


def value(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


def written_date(tags: dict[str, str]) -> str:
    match = re.fullmatch(r"([0-9]{4})-([0-9]{2})-([0-9]{2})", tags["Date"], re.ASCII)
    try:
        day = datetime.date(*map(int, match.groups())) if match else None
    except ValueError:
        day = None
    if day is None:
        return tags["Date"]
    time = tags.get("Time", "00:00:00 GMT")
    return f"{DAYS[day.weekday()]} {MONTHS[day.month - 1]} {day.day:02} {time} {day.year}"


def written_clicks(position: Position, line: LineData, tags: dict[str, str]) -> Iterator[str]:
    """Each action as its clicks; the number after them is that of `Done`."""
    serial = 1
    for entry in (entry for turn in line["turns"] for entry in turn):
        data: EntryData = {"action": entry} if isinstance(entry, str) else entry
        seat = position.player or 0
        position = position.play(data["action"])  # only what can be played has clicks
        clicks = clicks_of(data["action"], COLOURS[seat][0])
        for click in clicks:
            extra = ""
            if click is clicks[-1]:
                extra += f"TM[{milliseconds(data['clock'])}]" if "clock" in data else ""
                extra += f"C[{value(data['comment'])}]" if "comment" in data else ""
            yield f"; P{seat}[{serial} {click}]{extra}"
            serial += 1
        serial += 1
    if tags.get("Termination") == "resignation" and tags.get("Result") in ("p1win", "p2win"):
        yield f"; P{int(tags['Result'] == 'p1win')}[{serial} resign]"


def clicks_of(action: str, colour: str) -> list[str]:
    points = [f"{p[0].upper()} {p[1:]}" for p in action.removeprefix("x").split("-")]
    if action.startswith("x") and points[1:]:
        if points[0][0] != points[1][0]:
            points.reverse()  # the site names the higher letter first
        return [f"remove {colour} {' '.join(points)}"]
    if action.startswith("x"):
        return [f"remove {colour}r {points[0]}"]
    if points[1:]:
        return [f"place {colour}  {points[0]}", f"drop board  {points[1]}"]
    return [f"place {colour}r  {points[0]}"]


def milliseconds(clock: str) -> int:
    hours, minutes, seconds = clock.split(":")
    return round((int(hours) * 3600 + int(minutes) * 60 + float(seconds)) * 1000)
