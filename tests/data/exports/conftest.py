"""The small encoder that exported files are trained on."""

from tests.encoders import embedding_cache as embedding_cache
from tests.encoders import minilm_l3_path as minilm_l3_path
