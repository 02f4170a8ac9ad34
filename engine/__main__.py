"""Checks the repository's weights.toml before the app starts: python -m engine."""

import sys

from engine.accounting import config_of, count_parameters
from engine.weights import load_weights

try:
    weights = load_weights()
except ValueError as error:
    sys.exit(f"weights.toml cannot be used: {error}")
print(f"weights.toml is sound: {count_parameters(config_of(weights))} parameters, {len(weights.vocabulary)} words.")
