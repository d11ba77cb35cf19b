"""The experiments of the papers, and how settings were chosen."""
