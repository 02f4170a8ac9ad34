"""What does a transformer do, in one picture: words in, attention between them, the next word out?"""

import numpy as np
import streamlit as st

from engine.training import SENTENCES, storyteller
from engine.transformer import forward
from ui import catalogue, charts
from ui.app.passing import passing
from ui.page import controls
from ui.words import told

STORIES = {text.split()[1]: text.split() for text in reversed(SENTENCES)}  # the first about each
SUBJECTS = ["cat", "dog", "bird", "fish", "sun", "moon"]


def show() -> None:
    """The picture under its two controls, and the way to the whole of it."""
    weights = storyteller()
    st.markdown(
        f"Move the numbers inside a transformer and see what happens. This small one has learned {len(SENTENCES)} "
        "sentences: drag, and it reads on."
    )
    left, right = st.columns([5, 4], gap="medium")
    with left:
        subject = controls.choice("about", "A story about the", SUBJECTS, wide=True)
    with right:
        read = controls.slider("read", "Words read", 1, 6, 5)
    story = STORIES[subject]
    ids = [weights.vocabulary.index(word) for word in story[:read]]
    trace = forward(weights, ids)
    maps, probs = trace.blocks[0].attention.maps, trace.probs[-1]
    order = np.argsort(-probs, kind="stable")
    best = [(weights.vocabulary[i], float(probs[i])) for i in order]
    looks = [int(one[-1].argmax()) for one in maps]
    now = told(
        said=" ".join(story[:read]),
        last=story[read - 1],
        best=best[0][0],
        prob=best[0][1],
        seen=[story[j] for j in looks],
        weights=[one[-1, j] for one, j in zip(maps, looks, strict=True)],
    )
    positions = [*story, "the"][: len(weights.W_P)]  # after a full stop the next story begins
    alt = (
        f"After “{now.said!s}” the model's next word is “{now.best!s}” with {now.prob}. From “{now.last!s}” "
        f"head 0 looks most at “{now.seen[0]!s}” ({now.weights[0]}), head 1 at “{now.seen[1]!s}” ({now.weights[1]})."
    )
    words_read = lambda click: click["point"] + 1 if click["curve"] == 0 else None
    charts.show("pass", passing(positions, read, maps, best), alt, read=words_read)
    st.page_link(
        catalogue.BY_SLUG["forward_pass"].file,
        label=f"**Open the whole forward pass** with “{now.said}”: every number on the way",
        icon=":material/play_arrow:",
        query_params={
            "forward_pass.weights": "storyteller",
            "forward_pass.tokens": " ".join(story[:read]),
            "forward_pass.step": "Predict",
        },
    )
