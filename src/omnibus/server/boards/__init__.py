"""What-if boards: from any position, lines are played on in branches, by hand, by bots and by chance."""
