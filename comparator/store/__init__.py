"""What is kept: tables, repositories and blobs, on SQLite or PostgreSQL with a local or remote blob folder."""
