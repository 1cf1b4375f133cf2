"""The reading child: a process with hard limits in which every parser runs."""
