"""Having a comparison judged: the rubric, both orders, cost and progress."""
