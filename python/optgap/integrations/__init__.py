"""Former names (optgap/_former.py). Two of them are files, since configurations of verl and OpenRLHF may give their paths."""
