"""What a worker does beside judging: pages of Office files, measures, checks and counts that are due."""
