"""How well judges and people agree, and what their confidence is worth."""
