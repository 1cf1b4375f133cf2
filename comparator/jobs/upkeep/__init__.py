"""What a worker does beside judging: pages of Office files, checks and counts that are due."""
