"""What a reading may cost, what is set aside for it, and what it cost."""
