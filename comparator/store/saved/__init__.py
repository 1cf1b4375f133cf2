"""What people save to look at again: views of the history, and checks over the outputs of a project."""
