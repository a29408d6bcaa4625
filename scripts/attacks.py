"""One visitor tries to stop the others; another plays meanwhile, and is timed.

    python -m scripts.attacks [NAME ...]

The server has its default limits. The attacker has one address, 127.0.0.2, the other visitor
127.0.0.3. What is measured: how long an action of theirs takes to be acknowledged, and how long
level 1 of the computer takes to answer. `nothing` is the same visitor without an attacker.
"""
