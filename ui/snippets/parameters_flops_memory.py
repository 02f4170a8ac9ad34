import numpy as np

vocab_size, d_model, n_layers, n_heads, n_kv_heads, d_ff, context, head_dim = 50257, 768, 12, 12, 12, 3072, 1024, 64
gated, biases, norm, final_norm, embedding_norm = False, "all", "layer_norm", True, False
positions, token_types, pooler, tied = "learned", 0, False, True
sequence, batch, width, states, checkpointing = 1024, 1, 2, 2, "none"
# --- The inputs above are examples; the program begins here.
queries, keys, b = n_heads * head_dim, n_kv_heads * head_dim, width
matrices = d_model * (2 * queries + 2 * keys) + (3 if gated else 2) * d_model * d_ff
vector = d_model * (2 if norm == "layer_norm" else 1)
biases_1 = (queries + 2 * keys + d_model) * (biases == "all")
biases_2 = ((2 if gated else 1) * d_ff + d_model) * (biases != "none")
tables = d_model * (vocab_size + context * (positions == "learned") + token_types)
ends = vector * (embedding_norm + final_norm) + pooler * (d_model**2 + d_model * (biases == "all"))
head = 0 if pooler else vocab_size * d_model
parameters = (
    tables + n_layers * (matrices + biases_1 + biases_2 + 2 * vector) + ends + (not tied) * vocab_size * d_model
)
multiplying = n_layers * matrices + head
forward_total = 2 * multiplying + 4 * n_layers * sequence * queries + pooler * 2 * d_model**2 / sequence
training_total = 3 * forward_total
tokens = batch * sequence
layer_activations = tokens * (
    d_model * (4 * b + 2) + 2 * b * (queries + keys) + (2 * b + 1) * n_heads * sequence + b * (4 if gated else 2) * d_ff
)
kept = n_layers * b * tokens * d_model + layer_activations if checkpointing == "full" else n_layers * layer_activations
outer = tokens * (d_model * (1 + b * (embedding_norm + final_norm + (not pooler))) + 4 * vocab_size * (not pooler))
memory_total = parameters * (2 * b + 4 * (b == 2) + 4 * states) + kept + outer
kv_cache = 2 * n_layers * keys * tokens * b
