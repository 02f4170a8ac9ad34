import numpy as np

vocab_size, d_model, n_layers, n_heads, n_kv_heads, d_ff, context, head_dim = 50257, 768, 12, 12, 12, 3072, 1024, 64
gated, biases, norm, final_norm, embedding_norm = False, "all", "layer_norm", True, False
positions, token_types, pooler, tied, qk_norm = "learned", 0, False, True, False
n_experts, n_active_experts, window, encoder = 1, 1, None, False
sequence, batch, precision, checkpointing, scores = 1024, 1, "mixed", "none", "fused"
width, states, state_width = 2, 2, 4
# --- The inputs above are examples; the program begins here.
queries, keys, b = n_heads * head_dim, n_kv_heads * head_dim, width
vector = 2 if norm == "layer_norm" else 1
widening = (3 if gated else 2) * d_model * d_ff
table = vocab_size * d_model
has_head = not tied or not (encoder or pooler)
layer = {
    "attention matrices": d_model * (2 * queries + 2 * keys),
    "attention biases": (queries + 2 * keys) * (biases in ("all", "qkv")) + d_model * (biases == "all"),
    "norms": vector * (2 * d_model + 2 * head_dim * qk_norm),
    "router": d_model * n_experts * (n_experts > 1),
    "feed-forward matrices": n_experts * widening,
    "feed-forward biases": n_experts * ((2 if gated else 1) * d_ff + d_model) * (biases in ("all", "feed_forward")),
}
ends = {
    "token embedding": table,
    "position embedding": context * d_model * (positions == "learned"),
    "segment embedding": token_types * d_model,
    "pooler matrices": pooler * d_model**2,
    "pooler biases": pooler * d_model * (biases == "all"),
    "output head": (not tied) * table,
}
first_norm, last_norm = (outer * vector * d_model for outer in (embedding_norm, final_norm))
parts = {name: n_layers * n for name, n in layer.items()} | ends
parts["norms"] += first_norm + last_norm
blocks = {
    "embedding": sum(ends[f"{name} embedding"] for name in ("token", "position", "segment")) + first_norm,
    "each layer": n_layers * sum(layer.values()),
    "output": ends["pooler matrices"] + ends["pooler biases"] + ends["output head"] + last_norm,
}
parameters = sum(parts.values())
asleep = n_experts - n_active_experts
active = parameters - n_layers * asleep * (layer["feed-forward matrices"] + layer["feed-forward biases"]) // n_experts
awake = n_active_experts * widening + layer["router"]
multiplying = n_layers * (layer["attention matrices"] + awake) + has_head * table

seen = min(sequence, window or sequence)
forward = {
    "queries, keys, values": 2 * n_layers * d_model * (queries + 2 * keys),
    "scores q·k": 2 * n_layers * seen * queries,
    "weights × values": 2 * n_layers * seen * queries,
    "attention output": 2 * n_layers * queries * d_model,
    "feed-forward": 2 * n_layers * awake,
    "pooler": pooler * 2 * d_model**2 / sequence,
    "output head": has_head * 2 * table,
}
forward_total = sum(forward.values())
training_total = 3 * forward_total

tokens = batch * sequence
all_scores = tokens * (2 * b + 1) * n_heads * sequence
rows = (4 if gated else 2) * n_active_experts
layer_activations = tokens * (d_model * (4 * b + 2) + 2 * b * (queries + keys) + b * rows * d_ff)
layer_activations += all_scores * (scores == "stored")
full = checkpointing == "full"
memory = {
    "weights": b * parameters,
    "gradients": b * parameters,
    "master weights": 4 * parameters * (precision == "mixed"),
    "optimizer": state_width * states * parameters,
    "activations": n_layers * (b * tokens * d_model if full else layer_activations),
    "recomputed layer": full * layer_activations + all_scores * (scores == "selective"),
    "embedding and logits": tokens
    * (d_model * (1 + b * (embedding_norm + final_norm + has_head)) + 4 * vocab_size * has_head),
}
memory_total = sum(memory.values())
memory_share = np.array([*memory.values()], float) / memory_total
memory_gib = memory_total / 2**30
kv_cache = 0 if encoder else 2 * n_layers * keys * seen * batch * b
inference = {"weights": b * parameters, "KV cache": kv_cache}
inference_total = sum(inference.values())
