"""What whoever runs the server watches: health, readiness, numbers for Prometheus."""
