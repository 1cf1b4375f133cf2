"""What a model is asked about stated reasons: a codebook of themes, and which findings belong to them."""
