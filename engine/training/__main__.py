"""Trains the storyteller again and lets it speak: python -m engine.training [--write]."""

import sys

from engine.training.story import PROMPTS, STORY, ending, storyteller_file, train_storyteller

run, weights = train_storyteller()
print(f"{len(run.losses) - 1} steps: loss {run.losses[0]:.4f} -> {run.losses[-1]:.4f} nats, floor {run.floor:.4f}.")
for prompt in PROMPTS:
    print(f"{prompt} ... {ending(weights, prompt)}")
text = storyteller_file(weights)
if "--write" in sys.argv[1:]:
    STORY.write_text(text, encoding="utf-8")
same = STORY.exists() and STORY.read_text(encoding="utf-8") == text
print(f"{STORY.name} holds {'the same digits' if same else 'other digits: --write puts these in their place'}.")
