"""What an operator does to a store: forget, back up, migrate, watch."""
