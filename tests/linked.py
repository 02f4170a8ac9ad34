"""What a page says of where its numbers come from, checked against the numbers it shows."""

import math

import numpy as np


def named(charts: dict) -> dict[str, np.ndarray]:
    """The numbers of every matrix by its name for links."""
    found = {}
    for chart in charts.values():
        called = chart.layout.get("meta", {}).get("matrices", [])
        for one, values in zip(called, chart.heatmaps, strict=bool(called)):
            if "name" in one:
                if one["name"] in found:  # two pictures of one matrix
                    np.testing.assert_allclose(found[one["name"]], values, rtol=1e-6)
                found[one["name"]] = values
    return found


def inner(charts: dict) -> dict[str, list[int]]:
    """Rows and columns of those that have means or sums beside them, which links do not speak of."""
    called = [one for chart in charts.values() for one in chart.layout.get("meta", {}).get("matrices", ())]
    return {one["name"]: one["inner"] for one in called if "name" in one and "inner" in one}


def links(charts: dict) -> list[dict]:
    """Every link of a page."""
    return [link for chart in charts.values() for link in chart.layout.get("meta", {}).get("links", ())]


def span(sign: str, r: int, c: int, n: int) -> slice:
    """The rows or columns that a sign means for the cell (r, c)."""
    if sign == "*":
        return slice(0, n)
    if ":" in sign:
        return slice(*map(int, sign.split(":")))
    place = {"r": r, "c": c}.get(sign[0])
    at = int(sign) if place is None else place + int(sign[1:] or 0)
    return slice(at, at + 1) if 0 <= at < n else slice(0, 0)


def covers(link: dict, r: int, c: int, n: int, m: int) -> bool:
    """Whether a link speaks of the cell (r, c) of its matrix, which is n by m."""
    rows, columns = link.get("part", "**")
    return r in range(n)[span(rows, r, c, n)] and c in range(m)[span(columns, r, c, m)]


def check(charts: dict) -> int:
    """Every cell of every linked matrix is made as its link says; gives how many could be computed."""
    matrices, computed, insides = named(charts), 0, inner(charts)
    for link in links(charts):
        assert link["of"] in matrices, link
        n, m = insides.get(link["of"], matrices[link["of"]].shape)
        whole = matrices[link["of"]][:n, :m]
        for (r, c), value in np.ndenumerate(whole):
            if not covers(link, r, c, *whole.shape):
                continue
            read = [
                matrices[of][span(rows, r, c, len(matrices[of])), span(columns, r, c, matrices[of].shape[1])]
                for of, rows, columns in link["from"]
            ]
            assert all(part.size or "r-" in of[1] for part, of in zip(read, link["from"], strict=True)), (link, r, c)
            parts = [part.ravel() for part in read]
            if (
                not link["op"]
                or not math.isfinite(value)
                or not all(np.isfinite(part).all() for part in parts if link["op"] not in ("softmax", "sum"))
            ):
                continue
            if link["op"] == "softmax":
                (row,) = parts
                shown = matrices[link["from"][0][0]][r, c]
                made = np.exp(shown) / np.exp(row[np.isfinite(row)]).sum() if np.isfinite(shown) else 0.0
            else:
                made = {
                    "dot": lambda parts=parts: parts[0] @ parts[1] + sum(part.item() for part in parts[2:]),
                    "sum": lambda parts=parts: sum(np.nansum(part) for part in parts),
                    "times": lambda parts=parts: math.prod(part.item() for part in parts),
                    "over": lambda parts=parts, link=link: parts[0].item() / link["by"],
                }[link["op"]]()
            assert abs(made - value) <= 2e-3 * max(1, abs(value)), (link, r, c, made, value)
            computed += 1
    return computed
