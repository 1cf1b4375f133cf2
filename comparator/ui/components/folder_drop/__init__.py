"""Has a dropped folder keep its folders."""
