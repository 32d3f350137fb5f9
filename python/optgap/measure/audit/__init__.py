"""Does a reward score what is right, and nothing else? Attacks as data, rates with bounds, and a hill-climbing attacker."""
