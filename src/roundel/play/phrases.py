"""What players can say to each other: chosen, not typed, so nobody has to watch over it."""

from roundel.core.lang import N_

PHRASES = (  # only ever add at the end: logs keep the numbers
    N_("Hello!"),
    N_("Good luck!"),
    N_("Have fun!"),
    N_("Well played!"),
    N_("Thank you!"),
    N_("Oops!"),
    N_("One moment, please."),
    N_("I am back."),
    N_("Another one?"),
    N_("I have to go."),
    N_("Good game!"),
    N_("Goodbye!"),
)
