"""Many matches between players of any kind: who is stronger, and how sure is that?

players    players as text, and what chooses their actions
engine     a program that speaks the engine protocol, in a process of its own
schedule   which matches are played; it follows from its seed alone
match      one match, from its opening to its record
workers    several matches at once
store      the folder that keeps them
rating     Elo with error bars, for two to four players
sprt       the sequential test of two players
report     the table, as text, JSON and CSV
"""
