"""The annotator: a web page that shows stored pages with their blocks and labels, and saves labels by people."""
