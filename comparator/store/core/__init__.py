"""The database itself: opening it, its errors, ids, short forms of SQL, and the blobs beside it."""
