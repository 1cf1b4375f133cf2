"""Office packages without what names a person, leads out of the file or runs, and with words made neutral."""
