"""What would tell who made an output, where it stands, and what stands there instead."""
