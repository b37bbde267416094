"""The frozen encoder: its contract, its embeddings and the cache that holds them."""
