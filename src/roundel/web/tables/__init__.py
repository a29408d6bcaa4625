"""Live matches: who sits there, what happens, and what each audience is told of it."""
