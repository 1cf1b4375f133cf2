"""Office files: documents, workbooks and slides."""
