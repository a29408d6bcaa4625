"""The table in the browser: a server over `roundel.play`, with a store that loses nothing.

`serving` runs the server, `app` puts it together from

- `http`: the gate, the routes and the page;
- `sockets`: one session for each open table;
- `tables`: live matches, and what each audience is told of them;
- `store`: matches on disk;
- `computer`: processes that think or read records;
- `requests`: who asks, how often, and what was wrong with it.
"""
