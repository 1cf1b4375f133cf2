"""Setting a comparison up: reading what is handed in, pictures, leaks, the sealed key."""
