"""One module a file family: bytes to text, pictures and a rebuilt copy. Run in a child process, so imports stay light."""
