"""What is known of a request before it is answered: who asks, how often, what is wrong with it."""
