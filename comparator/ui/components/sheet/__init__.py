"""The score sheet: criteria, expectations, words and decision of one review, as one component."""
