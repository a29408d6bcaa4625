"""What our kernels and our server are measured beside: the same work with nothing around it."""
