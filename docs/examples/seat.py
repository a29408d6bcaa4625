"""A match over REST: this script acts for one seat, the computer for the other."""

import json
import random
import subprocess
import tempfile
import time
from urllib.request import Request, urlopen


def ask(url, body=None, key=""):
    """The server's answer. It refuses with an `HTTPError`, whose body says why."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, data, headers | {"Content-Type": "application/json"})) as answer:
        return json.load(answer)


def actions(paths):
    """The actions in a tree of clicks; a script does not need the clicks."""
    for branch in paths.values():
        yield from [branch] if isinstance(branch, str) else actions(branch)


def play(server):
    seats = [{"who": "me", "name": "Script"}, {"who": "computer", "level": 1}]
    made = ask(f"{server}api/matches", {"spec": "ringgz", "seats": seats})
    match, key = f"{server}api/matches/{made['id']}", made["seats"][0]["key"]
    while (now := ask(match, key=key)["now"])["status"] != "over":
        if now["turn"] == 0:
            action = random.choice([*actions(now["paths"])])
            wish = {"seat": 0, "ply": now["ply"], "action": action, "id": f"ply {now['ply']}"}
            ask(f"{match}/actions", wish, key)  # answered when it is on disk
        else:
            time.sleep(0.05)
    print(f"{now['reason']}: {now['outcome']}")
    print(urlopen(f"{match}/record").read().decode())


# A server of our own. With one that runs already, `play("http://127.0.0.1:8000/")` is all.
with tempfile.TemporaryDirectory() as folder:
    command = ["roundel", "serve", "--port", "0", "--data", folder]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            play(server.stdout.readline().split()[-1])  # Roundel is at http://127.0.0.1:40123/
        finally:
            server.terminate()
