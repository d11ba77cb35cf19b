"""What `parcels init` puts into a new project: a folder of plain files a kind."""
