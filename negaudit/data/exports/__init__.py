"""The formats that sources are written in for others: one file per target."""
