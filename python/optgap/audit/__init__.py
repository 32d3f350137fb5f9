"""Does a reward pay what is right, and nothing else? Attacks as data, rates with bounds, and a hill-climbing attacker."""
