"""Processes with hard limits, in which everything runs that parses foreign bytes: readers, Chromium and LibreOffice."""
