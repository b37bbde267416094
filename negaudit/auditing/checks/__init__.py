"""The checks: what can be wrong with a source's negatives, one file each, on one contract."""
