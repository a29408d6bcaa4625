"""The layouts of 56 tiles, drawn: a name, then # for a tile, at most 14 columns and 8 rows.

The rectangle is rebuilt, because the sheet's figures are lost; the other layouts are our own. This
is a module and not a text file so that compiled code is made anew when a drawing changes.
"""

DRAWINGS = """
rectangle
########
########
########
########
########
########
########

sieve
#########
##.###.##
#########
#.##.##.#
#########
##.###.##
#########

octagon
...####...
..######..
.########.
##########
##########
.########.
..######..
...####...

strip
##############
##############
##############
##############
"""
