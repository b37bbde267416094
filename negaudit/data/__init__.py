"""Records, sources and collections: what everything else reads and writes."""
