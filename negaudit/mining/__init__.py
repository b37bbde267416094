"""Mining: ranking a collection's passages for its queries, and keeping the best that are not labelled positives."""
