"""Blinded copies opened for close examination: whole texts by line, page, slide or row; columns; pictures."""
