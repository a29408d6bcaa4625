"""The table in the terminal. `line`, `seats`, `saving` and `commands` know no screen."""
