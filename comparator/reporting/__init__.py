"""What the store holds, read for lists and dashboards."""
