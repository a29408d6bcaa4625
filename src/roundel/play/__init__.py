"""A match at a table, without server, storage and clock: `submit` judges, `Match.apply` folds."""
