"""Seeded arguments for the engine's functions, and the list of these functions as the packages name them."""

import dataclasses
import importlib
import inspect
import pkgutil

import numpy as np

import engine
from engine import accounting, losses, mlp, optimizers, perceptron
from engine.surfaces import SURFACES


def public_functions():
    """Every public function of every room but the tools, and every settings class, as "room.name" -> callable."""
    found = {}
    for room in pkgutil.iter_modules(engine.__path__):
        if room.name in ("__main__", "checks", "exact"):
            continue
        module = importlib.import_module(f"engine.{room.name}")
        for name, value in vars(module).items():
            own = getattr(value, "__module__", "").startswith(module.__name__) and not name.startswith("_")
            settings = inspect.isclass(value) and dataclasses.is_dataclass(value) and not inspect.isabstract(value)
            if own and (inspect.isfunction(value) or settings):
                found[f"{room.name}.{name}"] = value
    return found


class Draw:
    """Numbers of a seeded call: sizes of 1 … 4, entries of ordinary size."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.n, self.m, self.d, self.k = (int(size) for size in self.rng.integers(2, 5, 4))

    def a(self, *shape):
        return self.rng.normal(0, 2, shape)

    def mask(self, *shape):
        keep = self.rng.random(shape) < 0.7
        keep[..., 0] = True
        return keep

    def ids(self, n, high):
        return self.rng.integers(0, high, n)

    def one(self, *values):
        return values[self.rng.integers(len(values))]

    def probs(self, *shape):
        p = self.rng.random(shape) + 0.01
        return p / p.sum(axis=-1, keepdims=True)

    def whole(self, low, high):
        return int(self.rng.integers(low, high + 1))

    def config(self):
        return accounting.PRESETS[self.one(*accounting.PRESETS)]

    def layers(self):
        return mlp.init_mlp([self.d, self.m, self.k], self.rng)

    def batch(self):
        """The network, rows and targets that the functions of mlp take."""
        kinds = self.one("relu", "tanh", "gelu")
        return {"layers": self.layers(), "x": self.a(self.n, self.d), "targets": self.ids(self.n, self.k)} | {
            "activation": kinds
        }

    def loss(self):
        return losses.cross_entropy(self.a(self.n, self.k), self.ids(self.n, self.k))

    def surface(self):
        return SURFACES[self.one(*SURFACES)]

    def optimizer(self, lr=0.01):
        return optimizers.OPTIMIZERS[self.one(*optimizers.OPTIMIZERS)](lr=lr)

    def perceptron(self):
        return perceptron.train_perceptron(self.a(self.n, 2), self.ids(self.n, 2), max_epochs=3)

    def qkv(self):
        return {"q": self.a(self.n, self.d), "k": self.a(self.m, self.d), "v": self.a(self.m, self.k)}

    def sublayer(self):
        d_ff = self.m + 1
        return {
            "x": self.a(self.n, self.d),
            "W_1": self.a(self.d, d_ff),
            "b_1": self.a(d_ff),
            "W_2": self.a(d_ff, self.k),
            "b_2": self.a(self.k),
        }

    def normed(self):
        return {"x": self.a(self.n, self.d), "gamma": self.a(self.d), "beta": self.a(self.d), "eps": 1e-5}
