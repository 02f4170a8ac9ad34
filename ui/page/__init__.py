"""What every page is made of: its anatomy, its controls, what is typed, what is taken away."""
