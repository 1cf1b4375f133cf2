"""What people look for again and again: saved views of the history, and checks over the outputs of a project."""
