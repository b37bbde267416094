"""Measured comparisons: what negaudit costs next to the plain way, as ratios within one run."""
