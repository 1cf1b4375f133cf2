"""Dashboards and History."""
