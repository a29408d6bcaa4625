"""Load for a real server: random matches through sockets, from processes of their own."""
