"""Processes that think or read records for the server, and the queue in front of them."""
