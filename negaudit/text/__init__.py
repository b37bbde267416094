"""Tokens, inverse document frequencies, lexical residuality and folded text."""
