"""Other people's formats, in and out: files are parsed into plain values, nothing is stored here."""
