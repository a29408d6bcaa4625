"""The table in the browser: a server over `roundel.play`, with a store that loses nothing."""
