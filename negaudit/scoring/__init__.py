"""Per-pair scores and the statistics of a source, without training."""
