"""From a position to an action. The rules come as arguments: no game is known in here."""
