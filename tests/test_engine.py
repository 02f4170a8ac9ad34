"""The engine's house: its rooms and floors as its legend lists them, and the names other programs rely on."""

import ast
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import engine

ENGINE = Path(engine.__file__).parent
TESTS = Path(__file__).parent
MODULES = sorted(path for path in ENGINE.rglob("*.py") if path != ENGINE / "__init__.py")
FLOORS = [set(names.split(", ")) for names in re.findall(r"^ {4}\d {4}(.+)$", engine.__doc__, re.M)]
PACKAGES = sorted(path.parent.name for path in ENGINE.glob("*/__init__.py"))

# What other programs rely on: the names, and the parameters or fields that they rely on by name and order.
NAMES = """
softmax.softmax(logits, temperature, mask)
softmax.log_softmax(logits, temperature, mask)
softmax.entropy(probs)
softmax.softmax_jacobian(logits, temperature, mask)
attention.causal_mask(n_q, n_k, align)
attention.sliding_window_mask(n_q, n_k, window)
attention.padding_mask(n_tokens, n_padding, side)
attention.AttentionTrace(scores, scaled, masked, weights, out)
attention.MultiHeadTrace(q, k, v, heads, concat, contributions, out)
attention.scaled_dot_product(q, k, v, mask, bias, scale)
attention.split_heads(x, n_heads)
attention.merge_heads(x)
attention.multi_head(x, W_Q, W_K, W_V, W_O, n_heads, mask, bias, scale, active, n_kv_heads, interleaved)
attention.key_head_of_each(n_heads, n_kv_heads, interleaved)
attention.join_heads(heads)
attention.attention_by_hand(q, k, v, scores, scaled, weights)
vectors.dot(a, b)
vectors.norm(a)
vectors.cosine_similarity(a, b)
vectors.projection(a, b)
vectors.similarity_matrix(X, measure)
vectors.nearest_neighbours(similarity)
vectors.remove_mean(X)
vectors.matmul_cell(A, B, row, column)
vectors.CellTrace(a_row, b_column, products, out)
pooling.pool(hidden, mask, method)
normalization.layer_norm(x, gamma, beta, eps)
normalization.batch_norm(x, gamma, beta, eps)
normalization.rms_norm(x, gamma, eps, one_plus)
normalization.layer_norm_backward(d_out, x, gamma, eps)
normalization.NormTrace(mean, variance, normalized, out)
dropout.dropout(x, p, rng, training)
dropout.DropoutTrace(keep, scale, out)
positions.sinusoidal_table(n_positions, d_model, base, layout)
positions.rope_angles(positions, d, base)
positions.rope(x, positions, base, layout, rotary_dim, factor)
positions.ntk_base(factor, d, base)
positions.library_table(n_positions, d_model, library, base)
positions.alibi_slopes(n_heads)
positions.alibi_bias(n_q, n_k, slope)
feed_forward.ACTIVATIONS
feed_forward.Activation(function, derivative)
feed_forward.FeedForwardTrace(hidden, activated, out)
feed_forward.gated_feed_forward(x, W_gate, W_up, W_down, activation)
feed_forward.feed_forward(x, W_1, b_1, W_2, b_2, activation)
perceptron.is_separable(x, targets)
perceptron.train_perceptron(x, targets, learning_rate, max_epochs, weights, bias)
perceptron.PerceptronTrace(steps, epochs, converged, weights, bias)
losses.cross_entropy(logits, targets, mask, label_smoothing, class_weights)
losses.mean_squared_error(logits, targets, mask)
losses.LossTrace(probs, per_row, row_grads, weights, grad, loss)
mlp.init_mlp(sizes, rng)
mlp.mlp_forward(layers, x, activation)
mlp.DenseLayer(W, b)
mlp.MLPTrace(pre_activations, activations, logits)
mlp.mlp_backward(layers, x, targets, activation)
mlp.gradient_check(layers, x, targets, activation, h)
mlp.BackwardTrace(forward, loss, slopes, d_pre_activations, d_activations, d_logits, grads)
mlp.GradientCheck(analytic, numeric, relative_error, kink)
optimizers.SGD(lr, weight_decay)
optimizers.Momentum(lr, beta, nesterov, dampening, form, weight_decay)
optimizers.OPTIMIZERS
optimizers.RMSProp(lr, beta, eps, weight_decay, eps_form)
optimizers.Adam(lr, beta1, beta2, eps, weight_decay, eps_form)
optimizers.DescentTrace(points, values, grads, diverged_at)
optimizers.AdamW(lr, beta1, beta2, eps, weight_decay, eps_form, decay_times_lr)
optimizers.OptimizerStep(state, update, param)
optimizers.descend(surface, optimizer, start, n_steps)
surfaces.SURFACES
surfaces.Surface(function, gradient, hessian, bounds, start, minima)
depth.gradient_by_depth(arrangement, depth, width, batch, gain, activation, rng)
depth.DepthTrace(activation_norms, gradient_norms)
accounting.ModelConfig(vocab_size, d_model, n_layers, n_heads, n_kv_heads, d_ff, context, head_dim)
accounting.ModelConfig(gated, biases, norm, final_norm, embedding_norm, positions, token_types, pooler, tied)
accounting.ModelConfig(qk_norm, n_experts, n_active_experts, window, encoder)
accounting.PRESETS
accounting.config_of(weights)
accounting.parameter_table(config)
accounting.ParameterRow(block, name, shape, count, formula)
accounting.count_parameters(config)
accounting.forward_flops_per_token(config, context)
accounting.training_flops_per_token(config, context)
accounting.training_memory(config, precision, optimizer, batch, sequence, checkpointing, scores)
accounting.inference_memory(config, n_tokens, batch, bytes_per_weight, bytes_per_value)
accounting.kv_cache_bytes(config, n_tokens, batch, bytes_per_value)
sampling.next_token(logits, temperature, top_k, top_p, min_p, order)
sampling.draw(probs, n, rng)
sampling.SamplingTrace(stages, probs, kept, out)
tokenizers.train_bpe(word_counts, n_merges, end_mark, min_count, ties)
tokenizers.train_subword_nmt(word_counts, n_merges)
tokenizers.train_wordpiece(word_counts, n_merges)
tokenizers.encode_bpe(word, merges)
tokenizers.encode_wordpiece(word, vocabulary, unknown, max_characters)
tokenizers.trace_bpe(word, merges)
tokenizers.trace_wordpiece(word, vocabulary, unknown, max_characters)
tokenizers.MergeStep(pair, token, count, score, candidates, words)
tokenizers.TrainingTrace(steps, vocabulary)
tokenizers.EncodingTrace(steps, tokens)
tokenizers.unicode_facts(text)
weights.load_weights(source)
weights.dump_weights(weights)
weights.Weights(vocabulary, W_E, W_P, layers, W_LM_head)
weights.Layer(heads, W_O, norm_1, W_1, b_1, W_2, b_2, norm_2)
weights.Head(name, source, W_Q, W_K, W_V)
weights.Norm(gamma, beta)
weights.check_weights(weights)
weights.matrices(weights)
weights.replace_matrix(weights, name, value)
transformer.forward(weights, token_ids, causal, norm_placement, activation, n_layers, scale, active_heads)
transformer.forward(final_norm)
transformer.ForwardTrace(token_embeddings, position_embeddings, x, blocks, final_norm, logits, probs)
transformer.BlockTrace(attention, after_attention, norm_1, feed_forward, after_feed_forward, norm_2, out)
transformer.GenerationTrace(steps, token_ids)
transformer.generate(weights, token_ids, n_tokens, rng, temperature, top_k, top_p, min_p, forward_options)
training.backward(weights, token_ids, targets, mask, forward_options)
training.BackwardTrace(forward, per_token, d_logits, blocks, d_x, grads, loss)
training.gradient_check(weights, token_ids, targets, h, forward_options)
training.GradientCheck(analytic, numeric, relative_error, kink)
training.train(weights, sequences, optimizer, n_steps, trainable, forward_options)
training.TrainingTrace(losses, per_sequence, floor, grad_norms, snapshots, diverged_at, weights)
training.init_weights(vocabulary, d_model, n_heads, d_k, d_ff, n_layers, n_positions, rng, scale)
practice.practice(kind, seed)
practice.check(question, text)
practice.KINDS
"""

# The few names that two rooms share: what mlp shows of a small network, training shows of the whole model; a tokenizer
# is trained too.
TWO_HOMES = {"BackwardTrace", "GradientCheck", "TrainingTrace", "gradient_check"}


def imports(path: Path) -> set[tuple[str, ...]]:
    """What a module imports from the engine: ("engine", room) or ("engine", room, module), inside functions too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {tuple(alias.name.split(".")) for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module == "engine":
            found |= {("engine", alias.name) for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and tuple(node.module.split(".")) in {("engine", p) for p in PACKAGES}:
            submodules = [a.name for a in node.names if (ENGINE / node.module.split(".")[1] / f"{a.name}.py").exists()]
            found |= {(*node.module.split("."), name) for name in submodules} or {tuple(node.module.split("."))}
        elif isinstance(node, ast.ImportFrom):
            found.add(tuple(node.module.split(".")))
    return {parts for parts in found if parts[0] == "engine"}


def room_of(path: Path) -> str:
    return path.relative_to(ENGINE).parts[0].removesuffix(".py")


def test_the_legend_lists_every_room_once():
    listed = [room for floor in FLOORS for room in floor]
    assert sorted(listed) == sorted({room_of(path) for path in MODULES})


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ENGINE)))
def test_no_arrow_leads_up(path):
    own = room_of(path)
    floor = next(number for number, rooms in enumerate(FLOORS) if own in rooms)
    below = set().union(*FLOORS[:floor])
    others = {parts for parts in imports(path) if parts[1] != own}
    assert {parts[1] for parts in others} <= below, "a room imports only from floors below its own"
    assert {len(parts) for parts in others} <= {2}, "another room is entered by its own name"


@pytest.mark.parametrize("package", PACKAGES)
def test_no_circle_in_a_room(package):
    inside = {path.stem: imports(path) for path in (ENGINE / package).glob("*.py") if path.stem != "__init__"}
    assert ("engine", package) not in set().union(*inside.values()), "a module imports from its neighbours by name"
    arrows = {name: {parts[2] for parts in found if parts[1] == package} for name, found in inside.items()}
    while free := {name for name, needs in arrows.items() if not needs & set(arrows)}:
        arrows = {name: needs for name, needs in arrows.items() if name not in free}
    assert not arrows, f"a circle: {arrows}"


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_is_its_public_names(package):
    tree = ast.parse((ENGINE / package / "__init__.py").read_text("utf-8"))
    room = importlib.import_module(f"engine.{package}")
    shown = [alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert sorted(shown) == sorted(room.__all__)
    modules = {path.stem for path in (ENGINE / package).glob("*.py")}
    assert not modules & set(shown), "a module that is named like a function would hide it"


def test_every_module_has_its_tests():
    wanted = {"_".join(path.relative_to(ENGINE).with_suffix("").parts) for path in MODULES}
    wanted -= {name for name in wanted if name.endswith(("__init__", "__main__"))}
    assert not wanted - {path.stem.removeprefix("test_") for path in TESTS.glob("test_*.py")}


@pytest.mark.parametrize("line", NAMES.split("\n")[1:-1])
def test_public_names_keep_their_place_and_parameters(line):
    room, name, wanted = re.fullmatch(r"(\w+)\.(\w+)(?:\((.*)\))?", line).groups()
    value = getattr(importlib.import_module(f"engine.{room}"), name)
    if wanted:
        parameters = list(inspect.signature(value).parameters)
        assert [parameter for parameter in parameters if parameter in wanted.split(", ")] == wanted.split(", ")


@pytest.mark.parametrize("first", ["engine.positions", "engine.positions.rotary", "engine.transformer"])
def test_names_are_functions_in_any_order_of_import(first):
    code = f"import {first}, engine.positions, engine.attention; print(callable(engine.positions.rope))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ENGINE.parent, capture_output=True).stdout == b"True\n"


def test_the_engine_says_whether_the_weights_are_sound():
    good = subprocess.run([sys.executable, "-m", "engine"], cwd=ENGINE.parent, capture_output=True, text=True)
    assert "174 parameters" in good.stdout
    broken = (
        "import engine.weights.file as f, pathlib, runpy; f.PATH = pathlib.Path('missing.toml'); "
        "runpy.run_module('engine')"
    )
    bad = subprocess.run([sys.executable, "-c", broken], cwd=ENGINE.parent, capture_output=True, text=True)
    assert bad.returncode == 1
    assert bad.stderr.startswith("weights.toml cannot be used:")
    assert "Traceback" not in bad.stderr


def test_one_name_is_one_thing():
    homes: dict[str, set[str]] = {}
    for path in MODULES:
        for node in ast.parse(path.read_text("utf-8")).body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            names = {target.id for target in targets if isinstance(target, ast.Name)}
            names |= {node.name} if isinstance(node, ast.FunctionDef | ast.ClassDef) else set()
            for name in names - {"__all__"}:
                homes.setdefault(name, set()).add(str(path))
    assert {name for name, found in homes.items() if len(found) > 1} == TWO_HOMES
