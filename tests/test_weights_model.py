import copy

import numpy as np
import pytest

from engine.weights import (
    Head,
    Layer,
    Norm,
    Weights,
    as_rows,
    changed_matrices,
    check_weights,
    dump_weights,
    largest_shape,
    load_weights,
    matrices,
    numbers_from,
    replace_matrix,
)
from engine.weights.file import PATH

TEXT = PATH.read_text(encoding="utf-8")


def model(rng, *, words=5, positions=5, d=3, n_layers=1, n_heads=1, d_k=2, d_ff=4, digits=2):
    def drawn(*shape):
        return rng.normal(size=shape).round(digits)

    def norm():
        return Norm(drawn(d), drawn(d))

    def layer():
        heads = tuple(Head(f"h{h}", "random", drawn(d, d_k), drawn(d, d_k), drawn(d, d_k)) for h in range(n_heads))
        wide = drawn(d, d_ff), drawn(d_ff), drawn(d_ff, d), drawn(d)
        return Layer(heads, drawn(n_heads * d_k, d), norm(), *wide, norm())

    layers = tuple(layer() for _ in range(n_layers))
    return Weights(tuple(f"w{i}" for i in range(words)), drawn(words, d), drawn(positions, d), layers, drawn(d, words))


def same(a, b):
    ours, theirs = matrices(a), matrices(b)
    names = [(head.name, head.source) for layer in a.layers for head in layer.heads]
    return (
        a.vocabulary == b.vocabulary
        and names == [(head.name, head.source) for layer in b.layers for head in layer.heads]
        and list(ours) == list(theirs)
        and all((ours[name] == theirs[name]).all() for name in ours)
    )


def test_shapes_of_the_document():
    w = load_weights()
    assert {name: array.shape for name, array in matrices(w).items()} == {
        "W_E": (5, 3),
        "W_P": (5, 3),
        **{f"layers[0].heads[{h}].{name}": (3, 2) for h in range(3) for name in ("W_Q", "W_K", "W_V")},
        "layers[0].W_O": (6, 3),
        "layers[0].norm_1.gamma": (3,),
        "layers[0].norm_1.beta": (3,),
        "layers[0].W_1": (3, 6),
        "layers[0].b_1": (6,),
        "layers[0].W_2": (6, 3),
        "layers[0].b_2": (3,),
        "layers[0].norm_2.gamma": (3,),
        "layers[0].norm_2.beta": (3,),
        "W_LM_head": (3, 5),
    }
    assert sum(array.size for array in matrices(w).values()) == 174


def test_rows_of_the_document():
    w = load_weights()
    layer = w.layers[0]
    head = layer.heads[0]
    assert w.W_E[0].tolist() == [0.43, 0.15, 0.89]
    assert w.W_E[4].tolist() == [0.77, 0.25, 0.10]
    assert w.W_P[3].tolist() == [1.09, -1.22, 0.04]
    assert head.W_Q.tolist() == [[0.5, -0.2], [0.1, 0.8], [-0.4, 0.3]]
    assert head.W_K.tolist() == [[-0.3, 0.6], [0.7, -0.1], [0.2, 0.5]]
    assert head.W_V.tolist() == [[0.4, -0.3], [0.1, 0.8], [-0.5, 0.2]]
    assert layer.W_O[1].tolist() == [-0.6, 0.1, 0.4]
    assert layer.W_1[2].tolist() == [0.5, 0.3, 0.9, -0.2, 0.1, 0.4]
    assert layer.W_2[4].tolist() == [-0.6, 0.5, 0.2]
    assert w.W_LM_head[2].tolist() == [0.4, 0.3, -0.6, 0.5, -0.7]
    for norm in (layer.norm_1, layer.norm_2):
        assert norm.gamma.tolist() == [1, 1, 1]
        assert norm.beta.tolist() == [0, 0, 0]
    assert not layer.b_1.any()
    assert not layer.b_2.any()


def test_what_is_ours_is_marked():
    w = load_weights()
    assert w.vocabulary == ("Your", "journey", "starts", "with", "one")
    assert [head.source == "illustrative" for head in w.layers[0].heads] == [False, True, True]
    assert w.layers[0].heads[1].W_K.tolist() == [[0.8, 1.5], [-0.7, -2.0], [1.8, -1.9]]
    assert w.layers[0].heads[2].W_V.tolist() == [[0.5, 0.2], [-0.4, 0.6], [0.3, -0.2]]


def test_numbers_stand_as_printed():
    for row in ("[0.77, 0.25, 0.10]", "[-0.10, -0.36,  0.08]", "gamma = [1.0, 1.0, 1.0]", "b_1 = [0, 0, 0, 0, 0, 0]"):
        assert row in TEXT


def test_arrays_are_read_only():
    for array in matrices(load_weights()).values():
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_dump_gives_the_repository_file_back():
    assert dump_weights(load_weights()) == TEXT


@pytest.mark.parametrize(
    "source", [str(PATH), PATH, TEXT.encode(), b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode()]
)
def test_every_kind_of_source(source):
    assert same(load_weights(source), load_weights())


@pytest.mark.parametrize(
    "size",
    [
        {},
        {"digits": 17},
        {"words": 64, "d": 4, "positions": 10},
        {"words": 2, "positions": 2, "d": 64, "d_k": 1, "d_ff": 1, "digits": 1},
        {"n_layers": 3, "n_heads": 2, "d": 4, "d_k": 5, "d_ff": 3},
        {"n_layers": 12, "d": 2, "d_k": 1, "d_ff": 1},
        {"n_heads": 12, "d": 2, "d_k": 1},
        {"words": 1, "positions": 1, "d": 1, "d_k": 1, "d_ff": 1},
        {"d": 1, "d_k": 64},
        {"positions": 64, "d_ff": 100},
    ],
)
def test_any_consistent_model_goes_out_and_in(rng, size):
    w = check_weights(model(rng, **size))
    assert same(load_weights(dump_weights(w).encode()), w)


def test_hard_numbers_and_words_go_out_and_in(rng):
    w = model(rng)
    w = replace_matrix(w, "layers[0].W_O", [[1e-300, -1.7e308, 1e16], [5e-324, -0.0, 1 / 3]])
    w = replace_matrix(w, "layers[0].b_1", [-0.0, 123456789.125, 1e22, 0.1 + 0.2])
    w = w._replace(vocabulary=('"', "\\", "ü", "👩‍🚀", "#]"))
    back = load_weights(dump_weights(w).encode())
    assert same(back, w)
    assert np.signbit(back.layers[0].b_1[0])


def test_replace_matrix_leaves_the_rest_alone():
    w = load_weights()
    new = replace_matrix(w, "layers[0].heads[1].W_Q", np.ones((3, 2)))
    assert new.layers[0].heads[1].W_Q.tolist() == [[1, 1]] * 3
    assert w.layers[0].heads[1].W_Q[0, 0] == 1.6
    assert new.W_E is w.W_E
    with pytest.raises(ValueError, match=r"layers\[0\].W_O must have shape \(6, 3\).*got \(3, 2\)"):
        replace_matrix(w, "layers[0].W_O", np.ones((3, 2)))
    with pytest.raises(ValueError, match=r"layers\[0\].W_O needs a finite number"):
        replace_matrix(w, "layers[0].W_O", np.full((6, 3), np.nan))
    with pytest.raises(ValueError, match="name must be one of W_E, "):
        replace_matrix(w, "W_Q", np.ones((3, 2)))


def test_sizes_beyond_the_caps(rng):
    for size, name in [
        ({"d": 65}, "d_model"),
        ({"d_k": 65}, "d_k"),
        ({"d_ff": 257}, "d_ff"),
        ({"positions": 65}, "positions"),
    ]:
        with pytest.raises(ValueError, match=rf"^{name} .* from 1 to (64|256); got (65|257)"):
            check_weights(model(rng, **size))


def test_layers_of_one_shape(rng):
    w = model(rng, n_layers=3, n_heads=2)
    odd = model(rng, n_heads=1).layers[0]
    with pytest.raises(ValueError, match=r"layers\[2\].heads must hold 2 heads"):
        check_weights(w._replace(layers=(*w.layers[:2], odd)))
    odd = model(rng, n_heads=2, d_ff=5).layers[0]
    with pytest.raises(ValueError, match=r"layers\[1\].W_1 must have shape \(3, 4\)"):
        check_weights(w._replace(layers=(w.layers[0], odd, w.layers[2])))


def test_refuses_a_bundle_of_something_else(rng):
    w = load_weights()
    layer = w.layers[0]
    for bad in (
        None,
        3,
        tuple(w),
        w._replace(layers=list(w.layers)),
        w._replace(layers=()),
        w._replace(layers=(None,)),
    ):
        with pytest.raises(ValueError, match="layers|Weights"):
            dump_weights(bad)
    for change in ({"heads": ()}, {"heads": (None,)}, {"norm_1": None}, {"W_1": None}, {"b_1": "x"}, {"W_2": 3}):
        with pytest.raises(ValueError, match="layers|heads"):
            check_weights(w._replace(layers=(layer._replace(**change),)))
    with pytest.raises(ValueError, match="at most 8,192 bytes"):
        dump_weights(model(rng, words=64, d=64))


def test_a_checked_model_is_not_checked_again(monkeypatch):
    weights = load_weights()
    monkeypatch.setattr("engine.weights.model._read_only", None)
    assert check_weights(weights) is weights
    assert list(matrices(weights)) == list(matrices(Weights(*weights)))


@pytest.mark.parametrize(
    "derive",
    [
        lambda w: w._replace(W_P=np.full((5, 3), np.nan)),
        lambda w: w._make([*w[:2], np.full((5, 3), np.nan), *w[3:]]),
        lambda w: spoilt(copy.deepcopy(w)),
        lambda w: spoilt(copy.copy(w)._replace(W_P=w.W_P.copy())),
    ],
)
def test_what_is_derived_from_a_checked_model_is_checked(derive):
    with pytest.raises(ValueError, match="W_P needs a finite number"):
        check_weights(derive(load_weights()))


def test_a_read_only_view_of_what_may_change_is_copied():
    base = np.array(load_weights().W_P)
    view = base[:]
    view.setflags(write=False)
    weights = check_weights(load_weights()._replace(W_P=view))
    base[0, 0] = np.nan
    assert np.isfinite(weights.W_P).all()


def spoilt(weights):
    weights.W_P[0, 0] = np.nan
    return weights


def test_what_is_changed_ours_and_largest():
    weights = load_weights()
    changed = replace_matrix(replace_matrix(weights, "W_P", weights.W_P + 1), "layers[0].b_1", weights.layers[0].b_1)
    assert changed_matrices(changed, weights) == ("W_P",)
    assert changed_matrices(changed._replace(layers=weights.layers * 2), weights)[-1] == "layers[1].norm_2.beta"
    assert numbers_from(weights, "illustrative") == 36
    assert numbers_from(weights, "nobody") == 0
    shapes = [np.atleast_2d(m).shape for m in matrices(weights).values()]
    assert largest_shape(matrices(weights).values()) == tuple(np.max(shapes, axis=0))
    assert as_rows([1, 2]).tolist() == [[1, 2]]
    assert as_rows(weights.W_E) is weights.W_E
    with pytest.raises(ValueError, match="at least one matrix"):
        largest_shape([])
    with pytest.raises(ValueError, match="array must be"):
        as_rows(1.0)
