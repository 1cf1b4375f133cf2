"""What is compared: the task, the views of both outputs, and what a judge saw of them."""
