"""todo."""
