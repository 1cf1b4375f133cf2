"""One module a file family: bytes to text, pictures and a rebuilt copy; runs in the child process."""
