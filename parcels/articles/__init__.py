"""Articles and main content: from a page to its title, date, authors, images and text."""
