import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from near import close

from engine.sampling import (
    FILTERS,
    draw,
    draw_sequence,
    expected_counts,
    last_of_tied_top_p,
    next_token,
    penalised,
    short_top_p,
    tied_top_k,
)
from engine.softmax import softmax


def kept(probs, **options):
    return int(next_token(np.log(probs), **options).kept.sum())


def test_agrees_with_transformers(reference):
    for case in reference("sampling")["cases"]:
        trace = next_token(case["logits"], **case["settings"], order=case["order"])
        close(trace.out, case["out"], 1e-14)


@pytest.mark.parametrize(
    ("t", "expected"),
    [
        (0, [1, 0, 0]),
        (0.5, [0.86681, 0.11731, 0.01588]),
        (1, [0.66524, 0.24473, 0.09003]),
        (2, [0.50648, 0.30720, 0.18632]),
        (100, [0.33667, 0.33332, 0.33001]),
        (5e-324, [1, 0, 0]),
        (1e308, [1 / 3, 1 / 3, 1 / 3]),
    ],
)
def test_temperature(t, expected):  # gemma#562, transformers#36896
    trace = next_token([2, 1, 0], temperature=t)
    close(trace.out, expected)
    close(trace.probs, expected)


def test_greedy_takes_the_lowest_of_tied_tokens():  # tpu-inference#3580
    assert next_token([1, 3, 3], temperature=0).out.tolist() == [0, 1, 0]
    assert next_token([1, 3, 3], top_k=1).out.tolist() == [0, 1, 0]
    assert tied_top_k([1, 3, 3], 1).tolist() == [False, True, True]


@pytest.mark.parametrize("order", [FILTERS, FILTERS[::-1], ("top_p", "temperature", "min_p", "top_k")])
def test_greedy_stays_greedy_in_any_order(order):
    trace = next_token([0, 2, 2, 1], temperature=0, top_k=3, top_p=0.5, min_p=0.1, order=order)
    assert trace.out.tolist() == [0, 1, 0, 0]


@pytest.mark.parametrize(
    ("probs", "p", "n"),
    [
        ([0.5, 0.3, 0.15, 0.05], 0.6, 2),
        ([0.4, 0.3, 0.2, 0.1], 0.8, 3),
        ([0.5, 0.41, 0.09], 0.9, 2),
        ([0.5, 0.35, 0.10, 0.05], 0.9, 3),
        ([0.5, 0.3, 0.2], 0.5, 1),
        ([0.5, 0.3, 0.2], 1e-8, 1),
        ([0.5, 0.3, 0.2], 1e-300, 1),
        ([0.5, 0.3, 0.2], 0, 1),
        ([1 - 3e-13, 2e-13, 1e-13], 1, 3),
        ([0.25, 0.25, 0.25, 0.25], 0.5, 2),
    ],
)
def test_top_p_keeps_the_token_that_crosses(probs, p, n):  # esm#360, fish-speech#1171, C2C#21, mlx-lm#1912
    assert kept(probs, top_p=p) == n


def test_top_p_renormalises():
    assert next_token(np.log([0.5, 0.3, 0.2]), top_p=0.5).out.tolist() == [1, 0, 0]
    close(next_token(np.log([0.5, 0.3, 0.2]), top_p=0.6).out, [0.625, 0.375, 0], 1e-15)


def test_top_k_keeps_exactly_k(reference):  # vllm#50979, sglang#33539
    logits = [1, 2, 2, 2, 3]
    assert next_token(logits, top_k=3).kept.tolist() == [False, True, True, False, True]
    assert tied_top_k(logits, 3).tolist() == reference("sampling")["tied_kept"]


def test_of_tied_tokens_transformers_keeps_the_later(reference):
    for case in reference("sampling")["tied_at_p"]:
        assert last_of_tied_top_p(case["logits"], case["p"]).tolist() == case["kept"], case
    assert last_of_tied_top_p([0.0, -np.inf], 1).tolist() == [True, False]
    assert next_token([0.0] * 4, top_p=0.1).kept.tolist() == [True, False, False, False]


def test_a_penalty_for_what_was_said_is_that_of_transformers(reference):
    logits, frozen = reference("sampling")["penalised"].values()
    for said, out in enumerate(frozen):
        close(softmax(penalised(logits, said, factor=1.2)), out, 1e-14)
    assert penalised([2.0, -1.0], 1, discount=1.2).tolist() == [2.0, -2.2]
    for wrong, name in (
        ({"said": 2}, "said"),
        ({"said": 0, "factor": 0.5}, "factor"),
        ({"said": 0, "discount": -1}, "d"),
    ):
        with pytest.raises(ValueError, match=name):
            penalised([1.0, 2.0], **wrong)


@pytest.mark.parametrize("k", [5, 9, 10**6])
def test_top_k_beyond_the_vocabulary_cuts_nothing(k, rng):  # TransformerLens#1347, mlx-lm#1377
    logits = rng.normal(size=5)
    close(next_token(logits, top_k=k).out, softmax(logits), 0)


def test_top_k_ranks_by_logit_where_probabilities_underflow():
    assert next_token([0, -2000, -1000], top_k=2).kept.tolist() == [True, False, True]


def test_min_p():
    assert kept([0.5, 0.3, 0.15, 0.05], min_p=0.3) == 3
    assert kept([0.4, 0.4, 0.2], min_p=1) == 2
    assert kept([0.5, 0.25, 0.25], min_p=0.5) == 3
    assert next_token([0, -2000], min_p=0).kept.all()


def test_whole_vocabulary_counts():  # poloclub/transformer-explainer
    logits = -2 * np.log(np.arange(1, 50_258))
    probs = next_token(logits, temperature=10).out
    close(probs[0], 1.39e-4, 5e-7)
    close(probs[:50].sum(), 0.0039, 5e-5)
    close(next_token(logits, temperature=10, top_k=50).out[0], 0.0356, 5e-5)


def test_impossible_tokens_stay_impossible():
    trace = next_token([0, -np.inf, 0], top_k=3, top_p=1, min_p=0)
    assert trace.out.tolist() == [0.5, 0, 0.5]
    assert not trace.kept[1]


def test_order_matters():
    logits = np.log([0.4, 0.3, 0.2, 0.1])
    cut_first = next_token(logits, top_k=2, top_p=0.55, order=("top_k", "top_p", "temperature", "min_p"))
    cut_last = next_token(logits, top_k=2, top_p=0.55, order=("top_p", "top_k", "temperature", "min_p"))
    assert (cut_first.kept.sum(), cut_last.kept.sum()) == (1, 2)
    hot = next_token(logits, temperature=5, top_p=0.55)
    late = next_token(logits, temperature=5, top_p=0.55, order=("top_p", "temperature", "top_k", "min_p"))
    assert (hot.kept.sum(), late.kept.sum()) == (3, 2)
    close(late.out[:2], softmax(logits[:2] / 5), 1e-15)


def test_stages_tell_what_each_filter_saw_and_left():
    trace = next_token(np.log([0.2, 0.5, 0.3]), top_k=2, top_p=0.6)
    assert [stage.name for stage in trace.stages] == list(FILTERS)
    assert [stage.setting for stage in trace.stages] == [1.0, 2, 0.6, None]
    top_p = trace.stages[2]
    close(top_p.before, [0, 0.625, 0.375], 1e-15)
    assert top_p.order.tolist() == [1, 2]
    close(top_p.cumulative, [0.625, 1], 1e-15)
    assert top_p.kept.tolist() == [False, True, False]
    for earlier, later in zip(trace.stages, trace.stages[1:], strict=False):
        assert (earlier.after == later.before).all()
    assert (trace.stages[-1].after == trace.out).all()


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.integers(-40, 40), min_size=1, max_size=8),
    st.sampled_from([0, 1e-3, 0.7, 1, 30]),
    st.sampled_from([None, 1, 2, 5]),
    st.sampled_from([None, 0, 0.3, 0.9, 1]),
    st.sampled_from([None, 0, 0.2, 1]),
    st.permutations(FILTERS),
)
def test_always_a_distribution_that_keeps_the_best(logits, t, k, p, m, order):
    trace = next_token(logits, temperature=t, top_k=k, top_p=p, min_p=m, order=order)
    close(trace.out.sum(), 1, 1e-12)
    assert trace.kept[np.argmax(logits)]
    assert not trace.out[~trace.kept].any()
    close(trace.out, np.where(trace.kept, trace.probs, 0) / trace.probs[trace.kept].sum(), 1e-12)


def test_first_ten_draws():  # LLMs-from-scratch#57
    draws = draw_sequence([0.5, 0.3, 0.2], 10, np.random.default_rng(0))
    assert draws.tolist() == [1, 0, 0, 0, 2, 2, 1, 1, 1, 2]


def test_a_thousand_draws_inside_their_band():
    counts = draw([0.5, 0.3, 0.2], 1000, np.random.default_rng(1))
    mean, deviation = expected_counts([0.5, 0.3, 0.2], 1000)
    close(mean, [500, 300, 200], 1e-12)
    close(deviation, [15.8, 14.5, 12.6], 0.06)
    assert counts.sum() == 1000
    assert (np.abs(counts - mean) < 3 * deviation).all()


def test_draws_never_leave_the_support():
    class Edge(np.random.Generator):
        def random(self, n):
            return np.array([0.0, np.nextafter(1, 0)])[:n]

    rng = Edge(np.random.PCG64(0))
    assert draw_sequence([0, 0.3, 0.7, 0], 2, rng).tolist() == [1, 2]
    assert draw_sequence(np.append(np.full(10, 0.1), 0), 2, rng).tolist() == [0, 9]
    assert draw([1.0], 0, rng).tolist() == [0]


@pytest.mark.parametrize("bad", [[], [1, np.nan], [np.inf, 0], [-np.inf], [[1, 2]], "abc", None, 3])
def test_refuses_bad_logits(bad):
    with pytest.raises(ValueError, match="logits"):
        next_token(bad)
    with pytest.raises(ValueError, match="logits"):
        tied_top_k(bad, 1)


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        *(("temperature", bad) for bad in (-1, np.nan, np.inf, "1", None, True)),
        *(("top_k", bad) for bad in (0, -1, 1.5, True, "2")),
        *((name, bad) for name in ("top_p", "min_p") for bad in (-0.1, 1.1, np.nan, "x", True)),
        *(("order", bad) for bad in ((), "top_k", ("top_k", "top_k"), ("top",), (1,), None)),
    ],
)
def test_refuses_bad_settings(name, bad):
    with pytest.raises(ValueError, match=name):
        next_token([1, 2], **{name: bad})


def test_an_order_may_leave_out_only_what_is_off():
    close(next_token([2, 1], top_k=1, order=["top_k"]).out, [1, 0], 0)
    with pytest.raises(ValueError, match="order must list temperature too"):
        next_token([2, 1], temperature=0, order=["top_k"])
    with pytest.raises(ValueError, match="order must list top_p too, since it is set to 0.5"):
        next_token([2, 1], top_p=0.5, order=["temperature"])


@pytest.mark.parametrize("probs", [[], [0.5, 0.4], [1.5, -0.5], [np.nan, 1], [0, 0], [[1.0]], None, "a"])
def test_refuses_what_is_no_distribution(probs, rng):
    with pytest.raises(ValueError, match="probs"):
        draw(probs, 1, rng)
    with pytest.raises(ValueError, match="probs"):
        expected_counts(probs, 1)


def test_refuses_bad_counts_and_generators(rng):
    for bad in (-1, 1.5, True, None, 10**9):
        with pytest.raises(ValueError, match="n must be"):
            draw([1.0], bad, rng)
    for bad in (None, 0, np.random):
        with pytest.raises(ValueError, match="rng"):
            draw([1.0], 1, bad)
    with pytest.raises(ValueError, match="k must be"):
        tied_top_k([1, 2], 0)


@pytest.mark.parametrize(
    ("probs", "p", "n"), [([0.5, 0.3, 0.15, 0.05], 0.6, 1), ([0.4, 0.3, 0.2, 0.1], 0.7, 2), ([0.5, 0.5], 0.1, 1)]
)
def test_the_short_top_p_drops_the_token_that_crosses(probs, p, n):
    assert short_top_p(np.log(probs), p).sum() == n
    assert short_top_p(np.log(probs), 1).all()


def test_survivors_and_stages_by_name():
    trace = next_token([2.0, 1.0, 0.0, 3.0], top_k=2)
    assert trace.survivors.tolist() == np.flatnonzero(trace.kept).tolist() == [0, 3]
    assert trace.stage("top_k").setting == 2
    with pytest.raises(ValueError, match="name must be one of"):
        trace.stage("top-k")
