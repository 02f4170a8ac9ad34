"""Frozen losses and gradients of PyTorch: pip install torch==2.13.0, then python tests/reference/make_losses.py."""

import torch
from store import store
from torch.nn.functional import cross_entropy, mse_loss, one_hot

torch.manual_seed(0)
INF = float("inf")


def row(loss, logits):
    """The loss as a number and its gradient."""
    (grad,) = torch.autograd.grad(loss, logits)
    return {"loss": loss.item(), "grad": grad}


cases = []
for n, k, smoothing, scale in [(1, 2, 0.0, 1), (4, 5, 0.0, 5), (4, 5, 0.1, 5), (3, 4, 1.0, 1), (6, 3, 0.3, 300)]:
    logits = (torch.randn(n, k, dtype=torch.float64) * scale).requires_grad_()
    targets = torch.randint(0, k, (n,))
    mask = torch.rand(n) < 0.6
    mask[0] = True
    seen = torch.where(mask, targets, -100)
    probs = logits.softmax(-1)
    cases.append(
        {
            "logits": logits.detach(),
            "targets": targets,
            "mask": mask,
            "label_smoothing": smoothing,
            "per_row": cross_entropy(logits, targets, reduction="none", label_smoothing=smoothing).detach(),
            "cross_entropy": row(cross_entropy(logits, seen, label_smoothing=smoothing), logits),
            "mse": row(mse_loss(probs[mask], one_hot(targets, k).double()[mask]), logits),
        }
    )
weighted = []
for n, k, smoothing, weights in [
    (2, 3, 0.0, [2.0, 4.0, 6.0]),
    (5, 4, 0.1, [0.5, 1.0, 0.0, 3.0]),
    (6, 2, 1.0, [1.0, 9.0]),
]:
    logits = (torch.randn(n, k, dtype=torch.float64) * 3).requires_grad_()
    targets = torch.randint(0, k, (n,))
    targets[0], mask = 0, torch.rand(n) < 0.6
    mask[0] = True
    options = {"weight": torch.tensor(weights, dtype=torch.float64), "label_smoothing": smoothing}
    weighted.append(
        {
            "logits": logits.detach(),
            "targets": targets,
            "mask": mask,
            "options": {"label_smoothing": smoothing, "class_weights": weights},
            "per_row": cross_entropy(logits, targets, reduction="none", **options).detach(),
            **row(cross_entropy(logits, torch.where(mask, targets, -100), **options), logits),
        }
    )
impossible = torch.tensor([[-INF, 0.0, 1.0], [0.0, -INF, -INF]], dtype=torch.float64, requires_grad=True)
targets = torch.tensor([1, 0])
store(
    "losses",
    {
        "torch": torch.__version__,
        "cases": cases,
        "weighted": weighted,
        "impossible": {
            "logits": [["-inf", 0.0, 1.0], [0.0, "-inf", "-inf"]],
            "targets": targets,
            **row(cross_entropy(impossible, targets), impossible),
        },
    },
)
