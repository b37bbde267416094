"""All formats, imported so that each registers itself: a new one is a file and a line here."""

from negaudit.data.formats import by_system as by_system
from negaudit.data.formats import dpr as dpr
from negaudit.data.formats import flagembedding as flagembedding
from negaudit.data.formats import gpl as gpl
from negaudit.data.formats import msmarco as msmarco
from negaudit.data.formats import native as native
from negaudit.data.formats import rocketqa as rocketqa
from negaudit.data.formats import st_labeled as st_labeled
from negaudit.data.formats import st_tuples as st_tuples
from negaudit.data.formats import synthetic as synthetic
from negaudit.data.formats import tevatron as tevatron
from negaudit.data.formats import trec_run as trec_run
