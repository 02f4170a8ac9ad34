import pytest
from near import within

from engine.optimizers import Adam, AdamW, RMSProp, descend
from engine.surfaces import SURFACES

close = within(5e-7)


def one_step(optimizer, grad):
    return optimizer.step([1.0], [grad], optimizer.initial_state([1.0]))


def test_states_by_hand():
    rmsprop = one_step(RMSProp(lr=0.1), 2.0)
    close(rmsprop.state.mean_square, 0.04, 1e-15)
    close(rmsprop.state.rates, 0.5, 1e-7)
    adam = one_step(Adam(lr=0.1), 2.0).state
    close([adam.m, adam.v, adam.m_hat, adam.v_hat, adam.rates], [[0.2], [0.004], [2], [4], [0.05]], 1e-9)


@pytest.mark.parametrize(("form", "expected"), [("outside", 0.9004975), ("inside", 0.9001248), ("hat", 0.9136527)])
def test_where_adams_eps_goes(form, expected):  # pytorch#41477, tensorflow#9047
    close(one_step(Adam(lr=0.1, eps=1e-2, eps_form=form), 2.0).param, expected, 5e-8)
    close(one_step(Adam(lr=0.1, eps_form=form), 2.0).param, 0.9, 2e-8)


@pytest.mark.parametrize(("form", "expected"), [("inside", [0.80388, 0.64812]), ("outside", [0.83333, 0.70101])])
def test_where_rmsprops_eps_goes(form, expected):  # pytorch#23796
    path = descend(SURFACES["bowl"], RMSProp(lr=0.1, eps=1, eps_form=form), (1, 0), 2)
    close(path.points[1:, 0], expected, 5e-6)


def test_decay_coupled_decoupled_and_not_times_lr():  # NVIDIA/apex#1849, tensorflow/addons#2282
    close(one_step(Adam(lr=0.1, weight_decay=0.1), 0.0).param, 0.9)
    close(one_step(AdamW(lr=0.1, weight_decay=0.1), 0.0).param, 0.99, 1e-15)
    close(one_step(AdamW(lr=0.1, weight_decay=0.1, decay_times_lr=False), 0.0).param, 0.9, 1e-15)


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        (RMSProp, {"eps": 0}),
        (RMSProp, {"beta": -0.1}),
        (RMSProp, {"eps_form": "hat"}),
        (RMSProp, {"weight_decay": -1}),
        (Adam, {"beta1": 1}),
        (Adam, {"beta2": 1.5}),
        (Adam, {"eps": 0.0}),
        (Adam, {"eps_form": "none"}),
        (AdamW, {"weight_decay": "x"}),
        (AdamW, {"decay_times_lr": None}),
    ],
)
def test_refuses_bad_settings(kind, settings):
    with pytest.raises(ValueError, match="|".join(settings)):
        kind(lr=0.1, **settings)
