"""What a judge may do to examine a blinded pair: list, read, search, table, look and compare; nothing else."""
