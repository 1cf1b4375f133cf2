"""Reviews and everything else that a person says of a comparison."""
