"""The mathematics of the labs: numpy and the standard library, nothing else. This is the legend to all of it.

Symbols
    n          tokens of one sequence, or rows of a batch where a lab is about a batch
    n_q, n_k   queries and keys: those of one sequence, or a query's own and the keys it has in store
    d_model    width of a token's vector on its way through the model
    n_heads    heads of one attention layer; n_kv_heads of them keep keys and values
    d_k, d_v   width of a head's queries and keys, and of its values; d_model / n_heads unless a model says otherwise
    d_ff       width of the hidden layer between W_1 and W_2
    d_in, d_out, d    widths of one matrix where it stands alone
    K          classes; in a language model the words of the vocabulary
    W_E, W_P   tables of token and position embeddings; W_LM_head leads back to the vocabulary
    W_Q, W_K, W_V, W_O    projections into a head and out of all of them
    W_1, b_1, W_2, b_2    the feed-forward sublayer
    γ, β, ε    a norm's stretch, shift and the number that keeps it from 0/0: gamma, beta, eps
    T, p, lr   temperature, probability (of dropout, or of top-p), learning rate
    θ, g, λ    a parameter, its gradient, weight decay
    δ          d loss / d z of a layer, z what it hands to its activation
    d_name     d loss / d name, of the shape of `name` (d_x, d_W, d_z); d_model, d_k, d_v and d_ff alone are widths

Shapes
    Written in brackets, (n, d_model); … stands for any axes in front. float64 throughout.
    One sequence at a time: there is no batch axis except where a lab is about a batch.

Laws
    Row vectors: x @ W with W (d_in, d_out), so a column of W is one output.
    A mask is boolean and True means "takes part"; 0/1 integers are refused, because other libraries differ.
    Masking happens before exp, with −∞. A row with nothing left gets weights 0 and output 0.
    A logit may be −∞; NaN and +∞ are refused, under a mask too. 0·log 0 is 0, in gradients too.
    A function that a page opens up returns a NamedTuple …Trace: every array between input and result in the order of
    computation, the result last. There is no second, "plain" implementation beside it.
    Settings are frozen dataclasses, keyword-only; bundles of parameters are NamedTuples. Fields are read by name.
    Chance comes in as an argument, rng: np.random.Generator; there is no global seed. Nothing is edited in place.
    Bad input raises ValueError: what was expected, what came, what to do. Nothing is repaired in silence. Finite input
    gives finite output or a ValueError, whatever its type; where ∞ is an answer, the docstring says so.
    One call ends within a second: an array holds at most 2²² numbers (`checks.MAX_NUMBERS`), a matrix product takes at
    most 2²⁹ multiplications, and a docstring names what is less. No result shares memory that can be written with what
    was given.
    Logarithms are natural, information is in nats, memory in bytes, and a multiply-add is 2 FLOPs.
    How many rows or digits a screen shows is no business of the engine.

Rooms, by floors: a room imports only from floors below it, and a package is entered by its own name.
    1    checks, exact
    2    vectors, softmax, positions, normalization, feed_forward, dropout, perceptron, surfaces, tokenizers, weights
    3    attention, losses, sampling, pooling, depth, optimizers, accounting
    4    mlp, transformer, practice, __main__
    5    training

To read it: vectors, softmax, attention, positions, feed_forward, normalization, then transformer, which is all of these
with the numbers of weights.toml; sampling and tokenizers for its two ends; losses, perceptron, mlp, optimizers and
depth for learning, and training, where the whole model learns. checks holds the wording of every refusal.
"""
