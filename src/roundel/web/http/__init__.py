"""What is asked over HTTP: the gate before everything, the routes, the page and its files."""
