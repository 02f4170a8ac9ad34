"""The rooms of one lab."""
