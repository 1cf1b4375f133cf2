"""The address of the review component: all that a reviewer does goes there, and all that it shows comes from there."""
