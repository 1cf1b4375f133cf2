"""From snapshots to what judges and reviewers see: blinded, redacted, cut alike."""
