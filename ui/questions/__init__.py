"""The questions of each lab, as data: what to predict, the state it starts from, what changes, and why."""
