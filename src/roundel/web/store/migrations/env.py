"""Alembic runs this for every migration, over the connection that it was given."""

from alembic import context

from roundel.web.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite alters tables by making them anew
)
with context.begin_transaction():
    context.run_migrations()
