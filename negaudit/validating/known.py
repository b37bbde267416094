"""All checks, imported in the order they are shown: a new one is a class in a file of its concept and, for a new file, a line here."""

# ruff: noqa: I001
from negaudit.validating import counts as counts
from negaudit.validating import empties as empties
from negaudit.validating import ids as ids
from negaudit.validating import own_record as own_record
from negaudit.validating import judged as judged
from negaudit.validating import between_records as between_records
from negaudit.validating import scores as scores
from negaudit.validating import characters as characters
from negaudit.validating import scripts as scripts
from negaudit.validating import lengths as lengths
