"""Vectors and how alike they are: dot product, cosine, projection, neighbours, clusters, and a matrix product by cells.

Read products, similarity, clusters.
"""

from engine.vectors.clusters import (
    TWO_CLUSTERS,
    TWO_CLUSTERS_LABELS,
    ClusterMeans,
    ClusterTrace,
    add_offset,
    clusters_by_offset,
    mean_within_between,
    scale_row,
)
from engine.vectors.products import CellTrace, MatmulTrace, dot, matmul, matmul_cell
from engine.vectors.similarity import (
    AngleTrace,
    angle_between,
    cosine_similarity,
    measures_by_angle,
    nearest_neighbours,
    norm,
    projection,
    remove_mean,
    similarity_matrix,
    vector_at,
)

__all__ = [
    "AngleTrace",
    "CellTrace",
    "ClusterMeans",
    "MatmulTrace",
    "ClusterTrace",
    "TWO_CLUSTERS",
    "TWO_CLUSTERS_LABELS",
    "add_offset",
    "angle_between",
    "clusters_by_offset",
    "cosine_similarity",
    "dot",
    "matmul",
    "matmul_cell",
    "mean_within_between",
    "measures_by_angle",
    "nearest_neighbours",
    "norm",
    "projection",
    "remove_mean",
    "scale_row",
    "similarity_matrix",
    "vector_at",
]
