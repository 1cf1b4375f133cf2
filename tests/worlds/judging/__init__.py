"""What judges and workers say in tests."""
