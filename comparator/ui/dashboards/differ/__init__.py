"""How the outputs of two candidates differ, and checks over outputs."""
