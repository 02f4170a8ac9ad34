"""What does layer normalisation do to one row, stage by stage, and which γ and β undo it?"""

from engine import normalization
from engine.normalization import layer_norm, layer_norm_slopes, layer_norm_stages, restoring_parameters
from engine.vectors import largest_difference, scaled_and_shifted
from ui import charts
from ui.labs.layer_normalisation import in_numbers, lines, points_of, reach, slope, spread, steepest, summed, sums
from ui.page import controls, lab
from ui.page.matrices import matrix, shown_as
from ui.questions.layer_normalisation import QUESTIONS
from ui.words import noise, power, told

NAMES = ["x0", "x1", "x2", "x3", "x4", "x5"]
ROW = [[5.0, -1.0, 2.0, 6.0, 0.0, 3.0]]
GAMMA_BETA = [[1.0, 1.0, 3.0, 0.5, 1.0, 2.0], [0.0, 0.0, 2.0, 0.0, -2.0, 2.0]]
EPS = [0.0, *(10.0**k for k in range(-8, 1))]

lab.begin(__file__, QUESTIONS)
with lab.panel():
    scale = controls.slider("scale", "Scale of the row", 0.05, 1.5, 1.0, step=0.05, help="The row is multiplied by it.")
    shift = controls.slider("shift", "Shift of the row", -2.0, 2.0, 0.0, step=0.25, help="Added to all six alike.")
    eps = controls.stops("eps", "ε", EPS, 1e-5, show=power, help="Added to the variance under the root.")
    about = "γ = √(σ² + ε) and β = μ, in place of those typed below."
    restore = controls.toggle("restore", "γ and β that restore the row", help=about)
    i = controls.slider("feature", "Feature to follow", 0, 5, 2, help="A click on a point or a cell sets it.")
    j = controls.slider("input", "Input it answers to", 0, 5, 0, help="A click on a gradient sets it.")
    (row,) = matrix("row", "The row", ROW, limit=100, columns=NAMES)
    with lab.group("typed", not restore):
        typed = matrix("gamma_beta", "γ, then β", GAMMA_BETA, limit=100, rows=["γ", "β"], columns=NAMES)

x = scaled_and_shifted(row, scale=scale, shift=shift)
restoring = lab.attempt(restoring_parameters, x, eps=eps)
gamma, beta = restoring if restore else typed
trace = layer_norm_stages(x, gamma, beta, eps=eps)
stages = [x, trace.centred, trace.normalized, trace.out]
moments = normalization.moments(stages)
slopes = lab.attempt(layer_norm_slopes, x, i, gamma, eps=eps)
largest = steepest(slopes, x, trace, gamma[i], eps)
twice = layer_norm(scaled_and_shifted(x, scale=2), eps=eps)
(by_torch,), (by_keras,), (by_bert,) = normalization.variance_after([x], [1e-5, 1e-3, 1e-12])
now = told(
    mean=trace.mean[0],
    hat=trace.normalized[i],
    hat_variance=moments.row_variance[2, 0],
    gamma=restoring.gamma[0],
    beta=restoring.beta[0],
    unmoved=largest_difference(twice.normalized, trace.normalized),
    here=layer_norm(x).normalized[i],
    annotated=normalization.sample_layer_norm(x).normalized[i],
    by_torch=by_torch,
    by_keras=by_keras,
    by_bert=by_bert,
    by_rms=normalization.rms_norm(x).normalized[i],
    constant=layer_norm([7.0] * 6).normalized[0],
)

alt = f"The row with mean {now.mean}, centred, scaled to variance {now.hat_variance}, and after γ and β."
figure = lines(stages, moments, columns=NAMES, chosen=i, limit=reach(x, *typed))
held = shown_as("row", scale, shift)
charts.show("stages", figure, alt, drags=points_of(x), feature="point")
alt = f"The row at each stage in numbers, and the gradient of output {i}, whose largest entry is {largest}."
charts.show(
    "numbers",
    in_numbers(stages, slopes, NAMES, held, (i, j)),
    alt,
    feature=lambda clicked: None if clicked["panel"] else clicked["column"],
    input=lambda clicked: clicked["column"] if clicked["panel"] else None,
)

lab.say(
    "The grey bar reaches one standard deviation to each side of the mean. The axis is the same for all four lines."
)
lab.step(f"The sums behind feature {i}", *sums(x, gamma, beta, eps, trace, i))
constant = (x == x[0]).all()
if constant:
    why = "the centred row is all zeros and the result is β alone. Without ε it would be 0 / 0."
    lab.say(f"All six numbers are equal: {why}")
lab.write_out(slope(trace, gamma, eps, i, j, slopes[j]))

same = "Twice this row has the same x̂"
back = largest_difference(layer_norm(x, *restoring, eps=eps).out, x)
lab.notice(
    f"After the division the row has mean **{noise(trace.normalized.mean())}** and variance **{now.hat_variance:6}**: "
    "σ² / (σ² + ε), so never above 1.",
    f"γ = **{now.gamma}** and β = **{now.beta}** for every feature give the row back; the largest difference is "
    f"**{noise(back, abs(x).max())}**.",
    *spread(x, trace.normalized, layer_norm(ROW[0], eps=eps).normalized),
    (now.unmoved < 0.01 and not constant, f"{same} to within **{now.unmoved:6}**: the norm takes the scale out."),
    (now.unmoved >= 0.01, f"{same} only to within **{now.unmoved}**: beside so small a variance ε is no longer small."),
    f"The gradients of y{i} sum to 0, here to {summed(slopes, x, trace, gamma[i], eps)}: layer norm takes the mean "
    "out, so adding the same to all six numbers changes nothing. RMS norm, which keeps the mean, has no such rule. "
    f"The largest of them is **{largest}** in size.",
    "Mean and variance are those of this row alone: no other row, no batch and no running average takes part, so "
    "training and evaluation compute the same.",
)
lab.conventions(
    (
        f"Variance and where ε goes: x̂{i} with ε = 1e-5",
        f"divided by n, ε under the root: {now.here}",
        f"The Annotated Transformer, by n − 1, ε added to the deviation: {now.annotated}",
    ),
    (
        "ε where nobody chose one, and the variance it leaves this row",
        f"PyTorch, 1e-5: {now.by_torch:6}",
        f"Keras, 1e-3: {now.by_keras:6}; BERT, 1e-12: {now.by_bert:6}",
    ),
    (
        "A constant row, before γ and β",
        f"zeros with ε = 1e-5: {now.constant}; with ε = 0 a refusal",
        "PyTorch with ε = 0: 0 / 0, undefined",
    ),
    (
        f"Is the mean taken out? x̂{i}",
        f"yes: {now.hat}",
        f"RMS norm, as in Llama and T5, with ε = 1e-6: no, {now.by_rms}",
    ),
    (
        "Where the norm stands in a block",
        "not decided here: one row comes in, one goes out",
        "before each sublayer: GPT-2, Llama; after the residual sum: Vaswani et al. 2017, BERT",
    ),
)
lab.take_away(trace._asdict() | {"slopes": slopes}, x=x, gamma=gamma, beta=beta, eps=eps, i=i)
lab.source(layer_norm_stages, restoring_parameters)
