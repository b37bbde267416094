"""Hard negatives written by a language model: prompts, back ends, the checks no answer is spared, and the journal."""
