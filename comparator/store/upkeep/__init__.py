"""Backup, restore and removal."""
