"""What one lab alone draws or says, a room or a package of rooms each."""
