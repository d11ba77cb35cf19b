"""Files that `parcels init` copies into a new project: one folder per kind of project."""
