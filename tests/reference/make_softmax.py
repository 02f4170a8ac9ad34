"""Frozen softmax values of PyTorch: pip install torch==2.13.0, then python tests/reference/make_softmax.py."""

import torch
from store import store

torch.manual_seed(0)
cases = []
for n, temperature in [(1, 1.0), (5, 0.5), (8, 1.0), (8, 100.0), (3, 0.01)]:
    logits = torch.randn(4, n, dtype=torch.float64) * 5
    cases.append(
        {
            "logits": logits,
            "temperature": temperature,
            "probs": torch.softmax(logits / temperature, -1),
            "log_probs": torch.log_softmax(logits / temperature, -1),
            "jacobian": torch.autograd.functional.jacobian(
                lambda z, t=temperature: torch.softmax(z / t, -1), logits[0]
            ),
            "entropy": torch.distributions.Categorical(logits=logits / temperature).entropy(),
        }
    )
logits, mask, target = torch.tensor([0.5, 2.0, 1.0], dtype=torch.float64, requires_grad=True), [False, True, True], 0
loss = torch.nn.functional.cross_entropy(
    logits.masked_fill(~torch.tensor(mask), -torch.inf)[None], torch.tensor([target])
)
seen = torch.where(torch.tensor(mask), logits.detach(), -torch.inf).requires_grad_()
torch.nn.functional.cross_entropy(seen[None], torch.tensor([target])).backward()
masked = {"logits": logits.detach(), "mask": mask, "target": target, "loss": loss.item(), "grad": seen.grad}
store("softmax", {"torch": torch.__version__, "cases": cases, "masked_target": masked})
