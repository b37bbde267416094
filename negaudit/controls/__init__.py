"""Control sources: sets of negatives made bad in a known way, to prove that a measurement reacts."""
