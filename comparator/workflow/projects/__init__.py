"""A project as a whole: settings, panel, decision plan, reveal, closing, removal."""
