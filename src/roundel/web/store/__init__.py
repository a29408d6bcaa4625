"""What must not be lost: matches and who holds their seats, in one SQLite file."""
