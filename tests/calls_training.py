"""A valid call of every public function of the room training, for the property tests."""

from engine.training import flatten, storyteller
from engine.weights import load_weights

MODEL = load_weights()
LEARN = {"causal": True, "final_norm": False}
TRAINING = {
    "gradient_check": lambda c: {"weights": MODEL, "token_ids": [0, 1], "targets": [1, 2], "mask": None, "h": 1e-5},
    "central_difference": lambda c: (
        {"weights": MODEL, "sequences": [[0, 1, 2]], "name": "W_LM_head", "cell": (0, 1), "h": 1e-5}
    ),
    "write_on": lambda c: {"weights": MODEL, "token_ids": [0], "n_tokens": 2},
    "backward": lambda c: LEARN | {"weights": MODEL, "token_ids": [0, 1], "targets": [1, 2], "mask": c.mask(2)},
    "loss_floor": lambda c: {"sequences": [[0, 1, 2], [0, 2]]},
    "train": lambda c: (
        {"weights": MODEL, "sequences": [[0, 1, 2]], "optimizer": c.optimizer(), "n_steps": 1}
        | {"trainable": None, "most_operations": 1_000_000}
    ),
    "work_of": lambda c: {"weights": MODEL, "sequences": [[0, 1, 2]], "n_steps": 1},
    "init_weights": lambda c: (
        {"vocabulary": ["a", "b"], "d_model": 4, "n_heads": 2, "d_k": 2, "d_ff": 4, "n_layers": 1}
        | {"n_positions": 3, "rng": c.rng, "scale": 0.5}
    ),
    "ending": lambda c: {"weights": storyteller(), "prompt": "the cat"},
    "train_storyteller": lambda c: {},
    "flatten": lambda c: {"weights": MODEL},
    "unflatten": lambda c: {"numbers": flatten(MODEL), "like": MODEL},
}
ROOMS = {"training": TRAINING}
