"""Define the spiders: news, directory and focused."""
