import numpy as np

start, minimum, lr, adam_lr, beta = np.array([-1.5, 1.0]), (0.0, 0.0), 0.083, 0.2, 0.8
share, nesterov, decay = 1.0, False, 0.0
# --- The inputs above are examples; the program begins here.


def f(x, y):
    return (x**2 + 20 * y**2) / 2


def slope(p):  # by a tiny imaginary step: exact but for rounding, which tells only on a chaotic path
    return np.array([f(p[0] + 1e-30j, p[1]).imag, f(p[0], p[1] + 1e-30j).imag]) / 1e-30


def path(step, memory, apart=0.0):
    points = [start]
    for t in range(1, 61):
        p = points[-1]
        update, memory = step(slope(p) + (0.0 if apart else decay) * p, memory, t)
        update = update - apart * p
        if not (np.abs(points[-1] + update) <= 1e6).all():
            break
        points.append(points[-1] + update)
    return np.array(points)


def with_velocity(g, v, t):
    v = beta * v + share * g
    return -lr * (g + beta * v if nesterov else v), v


def per_coordinate(g, means, t):
    m, v = 0.9 * means[0] + 0.1 * g, 0.999 * means[1] + 0.001 * g**2
    return -adam_lr * m / (1 - 0.9**t) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8), (m, v)


sgd = path(lambda g, nothing, t: (-lr * g, nothing), None)
momentum = path(with_velocity, 0.0)
adam = path(per_coordinate, (0.0, 0.0), apart=adam_lr * decay)
ways = {"SGD": sgd, "Momentum": momentum, "Adam": adam}
above = {name: np.maximum(f(*points.T) - f(*minimum), 0.0) for name, points in ways.items()}
