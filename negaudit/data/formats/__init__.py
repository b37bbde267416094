"""The files people already have: one reader per format, each found by what the file holds."""
