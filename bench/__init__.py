"""`make bench`: how fast we are, beside something else that runs on the same machine."""
