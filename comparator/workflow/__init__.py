"""The use cases, in the order of a comparison's life: submit, judge, review, reveal, export."""
