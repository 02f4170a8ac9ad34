"""What each lab's subject is for in a transformer, in one sentence."""

PURPOSES = {
    "architecture_ingredients": "All that a transformer has learned stands in matrices like these; the rest of it is "
    "fixed arithmetic.",
    "forward_pass": "Each word that a language model writes comes out of one such pass: the words so far in, a "
    "distribution over the next one out.",
    "transformer_deep_dive": "Numbers small enough for paper, to be sure of every step that a large model takes "
    "millions of times.",
    "dot_product_and_cosine": "Attention compares a query with a key by their dot product; semantic search compares "
    "embeddings by their cosine.",
    "matrix_multiplication": "Nearly all the work of a transformer is this: queries, keys, values, the feed-forward "
    "layer and the logits are products.",
    "dot_product_against_cosine": "Semantic search ranks texts by one of these two, and which one it is decides what "
    "is found.",
    "pooling": "It makes one vector of a whole sentence, for search, clustering or classification.",
    "attention_matrix": "It is how words learn of each other: the one step of a transformer in which anything moves "
    "between positions.",
    "softmax": "It makes weights of scores inside attention, and next-token probabilities of logits at the end.",
    "heads_split_and_mixed": "Several heads let one word look at several others at once, each head in its own way.",
    "sinusoidal_table": "Attention without a mask does not see the order of words; a row of this table, added to each "
    "embedding, tells it.",
    "rope_and_alibi": "They tell attention how far apart two words are, where it compares them: Llama by rotating, "
    "BLOOM by a penalty.",
    "positions_compared": "Attention needs to know how far apart two words are, wherever they stand: three ways to "
    "tell it.",
    "layer_normalisation": "It keeps the numbers that go from layer to layer in one range, so that a deep stack can be "
    "trained.",
    "rows_normalised": "Transformers norm each token by itself, so that a token never depends on what else is in the "
    "batch.",
    "tokens_expanded": "It works on each word alone, after attention has mixed them; four times as wide, it holds two "
    "thirds of a block's weights.",
    "dropout": "While a transformer is trained it stops units from relying on each other, against overfitting; in use "
    "it is off.",
    "perceptron": "The hidden units of a feed-forward layer descend from it: the same weighted sum, with a curve in "
    "place of the threshold.",
    "cross_entropy_against_mse": "Cross-entropy is what training a language model lowers: its surprise at the token "
    "that really comes next.",
    "forward_and_backward": "Training needs the slope of the loss by every weight; one pass back gives all of them.",
    "optimizers": "The optimizer decides how far a gradient moves each weight; most transformers are trained with "
    "AdamW.",
    "model_learns": "It shows training from beginning to end, on a transformer that is small enough to show all of it.",
    "gradient_by_depth": "Residual paths and norms are in every block so that the gradient still reaches the first of "
    "many layers.",
    "parameters_flops_memory": "Whether a model fits a GPU, and what it costs to train and to run, follows from these "
    "counts.",
    "one_distribution_one_token": "The model only gives probabilities; a rule like these picks the word, and makes the "
    "text dull or wild.",
    "bpe_against_wordpiece": "A model reads tokens, not letters: its tokenizer cuts any text into pieces of one fixed "
    "vocabulary.",
}
