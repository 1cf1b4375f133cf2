"""The panes: both outputs side by side, file by file, in frames that cannot run, load or lead anywhere."""
