"""Topics by layout: what a page is about, told by its areas, and which of its links lead to more of that."""
