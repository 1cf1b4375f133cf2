"""Pages as a user sees them: opened in a locked-down browser of their own, without a network, and photographed."""
