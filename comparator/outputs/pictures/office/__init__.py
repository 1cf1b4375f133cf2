"""Office files as they print: converted to pages by LibreOffice, shut off from the machine and the network."""
