"""What differs between two files: computed whole, in the reading child, and shown in parts side by side."""
