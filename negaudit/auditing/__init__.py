"""The audit: which sources depart from the genuine ones, and whether each can be used."""
