import numpy as np

angle_a, length_a = 75.0, 3.0
angle_b, length_b = 20.0, 3.5
# --- The inputs above are examples; the program begins here.
a = length_a * np.array([np.cos(np.radians(angle_a)), np.sin(np.radians(angle_a))])
b = length_b * np.array([np.cos(np.radians(angle_b)), np.sin(np.radians(angle_b))])
dot = a @ b
lengths = np.linalg.norm(a) * np.linalg.norm(b)
cosine = dot / lengths if lengths > 0 else 0.0
angle = np.degrees(np.arctan2(abs(a[0] * b[1] - a[1] * b[0]), dot))
projection = dot / (b @ b) * b if b.any() else np.zeros(2)
