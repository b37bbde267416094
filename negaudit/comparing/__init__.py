"""Holding scored sources against each other: intervals, ties, agreement with transfer, matching on psi, stability, slices."""
