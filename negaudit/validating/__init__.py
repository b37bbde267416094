"""What is wrong with a file of negatives, told without an encoder: one check per concept, all in one pass."""
