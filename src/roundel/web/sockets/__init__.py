"""The sockets of open tables: one session and one client for each."""
