"""The page Dashboards."""
