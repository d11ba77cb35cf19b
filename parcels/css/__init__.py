"""Style sheets: parse them, match them, cascade them into the computed style of every node."""
