import random

from roundel import games

rng = random.Random(1)


def greedy(position):
    """The action after which I am furthest ahead, by the game's own points."""

    def lead(action):
        points = list(position.play(action).points)
        return points.pop(position.player) - max(points)

    return max(rng.sample(position.legal(), len(position.legal())), key=lead)


def anything(position):
    return rng.choice(position.legal())


wins = [0, 0]
for _ in range(10):
    position = games.load("ringgz").start()
    while not position.over:
        bot = (greedy, anything)[position.player]
        position = position.play(bot(position))
    for player in position.outcome:
        wins[player] += 1
print(f"greedy {wins[0]}, anything {wins[1]}")
