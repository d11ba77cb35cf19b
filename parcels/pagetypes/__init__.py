"""What a page is there for: its functional type, from what stands where on it (Bing et al. 2014, section 8)."""
