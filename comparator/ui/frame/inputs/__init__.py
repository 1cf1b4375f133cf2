"""What more than one page asks for: a path, an upload, a project, and whether the judge reads first."""
