"""A model behind the Messages API as a judge."""
