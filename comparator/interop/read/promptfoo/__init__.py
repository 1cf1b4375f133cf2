"""Result files of promptfoo."""
