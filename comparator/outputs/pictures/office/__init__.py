"""Office files as they print: converted to pages by LibreOffice, shut off from the machine and the network."""

RECIPE = "5"
"""Version of how pages are made; raise it when they come out differently."""
