# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The plots: speed against code size, ours and the published, and speed by message length on the host.

Every function answers an Altair chart; draw() writes it as SVG, unless the same chart was drawn before. Published
figures and peers are grey, ours coloured; labels stand beside what they name.
"""

import math
from itertools import pairwise
from pathlib import Path

import altair as alt
import vl_convert

from bench.made.build import BUILD, digest

GREY, DARK, OURS, FRONT = "#868c95", "#3d434b", "#0f766e", "#99c7c2"
WIDTH, HEIGHT, FONT = 640, 400, 11
_CHARACTER = 0.53 * FONT  # pixels, on average, in the fonts that viewers take for sans-serif

# name, x, y, ours, hollow
Point = tuple[str, float, float, bool, bool]


def draw(chart: alt.Chart, path: Path) -> bool:
    """Writes the chart to path; False if it stood there already."""
    spec = chart.to_json()
    stamp = BUILD / "plots" / f"{path.stem}.sha256"
    state = digest(spec, vl_convert.__version__)
    if path.exists() and stamp.exists() and stamp.read_text() == digest(state, path):
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(vl_convert.vegalite_to_svg(spec).rstrip() + "\n")
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(digest(state, path))
    return True


def against_size(
    points: list[Point], rules: list[tuple[str, float]], title: str, subtitle: list[str], y: str,
    x: str = "bytes of code",
) -> alt.Chart:  # fmt: skip
    """Cycles per byte against bytes of code, or y against x; the Pareto front of what is not hollow as a step.

    rules: names and speeds of what has no size, drawn as lines."""
    xs = _span([p[1] for p in points], WIDTH)
    ys = _span([p[2] for p in points] + [r[1] for r in rules], HEIGHT, down=True)
    front = _front([p for p in points if not p[4]])
    steps = []
    if front and len(points) > 1:  # the front goes on for a little at both ends
        (left, top), (right, bottom) = front[0], front[-1]
        steps = [(left, ys.data(ys.pixel(top) - 40)), *front, (xs.data(xs.pixel(right) + 40), bottom)]
    data = [{"x": p[1], "y": p[2], "kind": "ours" if p[3] else "published", "hollow": p[4]} for p in points]
    labels = [
        {"x": xs.data(px), "y": ys.data(py), "name": p[0], "ours": p[3], "align": align}
        for p, (px, py, align) in zip(points, _place(points, steps, [r[1] for r in rules], xs, ys), strict=True)
    ]
    axes = {"x": _axis(alt.X, xs, x, grid=True), "y": _axis(alt.Y, ys, y, grid=True)}
    colour = alt.Color("kind:N", scale=alt.Scale(domain=["ours", "published"], range=[OURS, GREY]), legend=None)
    layers = [
        alt.Chart(_rows([{"x": a, "y": b} for a, b in steps]))
        .mark_line(interpolate="step-after", color=FRONT, strokeWidth=2)
        .encode(**axes, order=alt.value(0)),
        alt.Chart(_rows([{"y": speed} for _, speed in rules]))
        .mark_rule(color=GREY, strokeDash=[5, 4])
        .encode(y=axes["y"]),
        alt.Chart(_rows(_rule_labels(rules, xs, ys)))
        .mark_text(align="right", baseline="bottom", dx=-4, dy=-3, color=DARK, fontSize=FONT)
        .encode(**axes, text="name:N"),
        alt.Chart(_rows(data))
        .mark_point(size=70, strokeWidth=1.8, opacity=1)
        .encode(
            **axes,
            color=colour,
            fill=alt.condition("datum.hollow", alt.value("white"), colour),
        ),
    ]
    for align in sorted({label["align"] for label in labels}):
        layers.append(
            alt.Chart(_rows([label for label in labels if label["align"] == align]))
            .mark_text(align=align, baseline="middle", fontSize=FONT)
            .encode(**axes, text="name:N", color=alt.condition("datum.ours", alt.value(OURS), alt.value(DARK)))
        )
    return _finish(alt.layer(*layers), title, subtitle)


def by_length(
    curves: list[tuple[str, bool, list[tuple[int, float]]]], title: str, subtitle: list[str], y: str
) -> alt.Chart:
    """Cycles per byte by message length; a curve is its name, whether it is ours, and its points."""
    xs = _Scale(1, max(n for _, _, points in curves for n, _ in points), WIDTH, False)
    ys = _span([speed for _, _, points in curves for _, speed in points], HEIGHT, down=True)
    data = [
        {"x": n, "y": speed, "name": name, "kind": "ours" if ours else "peer"}
        for name, ours, points in curves
        for n, speed in points
    ]
    ends, last = [], -math.inf
    for name, ours, points in sorted(curves, key=lambda c: ys.pixel(c[2][-1][1])):
        last = max(ys.pixel(points[-1][1]), last + FONT + 4)  # labels do not touch
        text = f"{name}  {points[-1][1]:.2f}"
        ends.append({"x": xs.hi, "y": ys.data(last), "name": text, "kind": "ours" if ours else "peer"})
    axes = {
        "x": _axis(alt.X, xs, "bytes of message", values=[4**k for k in range(9)]),
        "y": _axis(alt.Y, ys, y, grid=True),
    }
    colour = alt.Color("kind:N", scale=alt.Scale(domain=["ours", "peer"], range=[OURS, GREY]), legend=None)
    layers = [
        alt.Chart(_rows(data)).mark_line(strokeWidth=1.8).encode(**axes, color=colour, detail="name:N"),
        alt.Chart(_rows(ends))
        .mark_text(align="left", baseline="middle", dx=6, fontSize=FONT)
        .encode(**axes, text="name:N", color=colour),
    ]
    return _finish(alt.layer(*layers), title, subtitle)


# ---- Helpers.


class _Scale:
    """A logarithmic axis: from data to pixels and back."""

    def __init__(self, lo: float, hi: float, pixels: int, down: bool) -> None:
        self.lo, self.hi, self.pixels, self.down = lo, hi, pixels, down

    def pixel(self, value: float) -> float:
        part = math.log(value / self.lo) / math.log(self.hi / self.lo)
        return self.pixels * (1 - part if self.down else part)

    def data(self, pixel: float) -> float:
        part = pixel / self.pixels
        return self.lo * (self.hi / self.lo) ** (1 - part if self.down else part)

    def ticks(self) -> list[float]:
        """1, 2, 5 in every decade, or more where those are too few."""
        for digits in ((1, 2, 5), (1, 1.5, 2, 3, 5, 7)):
            ticks = [d * 10.0**k for k in range(-2, 7) for d in digits if self.lo <= d * 10.0**k <= self.hi]
            if len(ticks) > 2:
                break
        return ticks


def _span(values: list[float], pixels: int, down: bool = False) -> _Scale:
    """A scale that holds the values with a margin, over a factor of six at least."""
    lo, hi = (min(values), max(values)) if values else (1, 10)
    margin = max((hi / lo) ** 0.1, 1.35, (6 * lo / hi) ** 0.5)
    return _Scale(lo / margin, hi * margin, pixels, down)


def _rows(rows: list[dict]) -> alt.Data:
    return alt.Data(values=[{k: round(v, 4) if isinstance(v, float) else v for k, v in row.items()} for row in rows])


def _axis(channel: type, scale: _Scale, title: str, grid: bool = False, values: list[float] | None = None):
    return channel(
        f"{'x' if channel is alt.X else 'y'}:Q",
        scale=alt.Scale(type="log", domain=[scale.lo, scale.hi], nice=False),
        axis=alt.Axis(title=title, values=values or scale.ticks(), format=",~r", grid=grid),
    )


def _front(points: list[Point]) -> list[tuple[float, float]]:
    """The points that no other beats in both, smallest code first."""
    front: list[tuple[float, float]] = []
    for x, y in sorted((p[1], p[2]) for p in points):
        if not front or y < front[-1][1]:
            front.append((x, y))
    return front


def _rule_labels(rules: list[tuple[str, float]], xs: _Scale, ys: _Scale) -> list[dict]:
    """At the right end, one left of the other where the rules lie close together."""
    labels, above, end = [], -math.inf, WIDTH
    for name, speed in sorted(rules, key=lambda rule: -rule[1]):
        y = ys.pixel(speed)
        end = end if y - above < FONT + 6 else WIDTH
        labels.append({"x": xs.data(end), "y": speed, "name": name})
        above, end = y, end - _CHARACTER * len(name) - 16
    return labels


def _place(
    points: list[Point], steps: list[tuple[float, float]], rules: list[float], xs: _Scale, ys: _Scale
) -> list[tuple[float, float, str]]:
    """Where each label stands, in pixels, and its alignment: the nearest place that is free; ours choose first."""
    at = [(xs.pixel(p[1]), ys.pixel(p[2])) for p in points]
    taken = [(x - 6, y - 6, x + 6, y + 6) for x, y in at]
    taken += [(0, ys.pixel(r) - FONT - 4, WIDTH, ys.pixel(r) + 1) for r in rules]
    corners = [(xs.pixel(x), ys.pixel(y)) for x, y in steps]
    for (x0, y0), (x1, y1) in pairwise(corners):  # along, then down
        taken += [(x0, y0 - 1.5, x1, y0 + 1.5), (x1 - 1.5, min(y0, y1), x1 + 1.5, max(y0, y1))]
    places: dict[int, tuple[float, float, str]] = {}
    for i in sorted(range(len(points)), key=lambda i: (not points[i][3], -points[i][2])):
        (x, y), w, h = at[i], _CHARACTER * len(points[i][0]), FONT + 2

        def box(place: tuple[float, float, str]) -> tuple[float, float, float, float]:
            left = place[0] - {"left": 0, "center": w / 2, "right": w}[place[2]]
            return left, place[1] - h / 2, left + w, place[1] + h / 2

        def clash(place: tuple[float, float, str]) -> float:
            left, top, right, bottom = box(place)
            over = sum(
                max(0, min(right, c) - max(left, a)) * max(0, min(bottom, d) - max(top, b)) for a, b, c, d in taken
            )
            return over + 50 * (max(0, -left) + max(0, right - WIDTH) + max(0, -top) + max(0, bottom - HEIGHT))

        choices = [(x + 9, y, "left"), (x - 9, y, "right")]
        for rise in (1.0, 1.5, 2.2, 3.0):
            for dy in (-rise * h, rise * h):
                choices += [(x + 5, y + dy, "left"), (x - 5, y + dy, "right"), (x, y + dy, "center")]
        places[i] = next((place for place in choices if clash(place) < 1), min(choices, key=clash))
        taken.append(box(places[i]))
    return [places[i] for i in range(len(points))]


def _finish(chart: alt.LayerChart, title: str, subtitle: list[str]) -> alt.LayerChart:
    heading = alt.Title(
        title, subtitle=subtitle, anchor="start", fontSize=15, subtitleColor=GREY, color=DARK, offset=14
    )
    return (
        chart.properties(width=WIDTH, height=HEIGHT, title=heading, background="white", padding=16)
        .configure_view(stroke=None)
        .configure_axis(
            gridColor="#edeff2",
            domainColor="#c4c8ce",
            tickColor="#c4c8ce",
            labelColor=DARK,
            titleColor=DARK,
            titleFontWeight="normal",
            labelFontSize=FONT,
            titleFontSize=FONT + 1,
        )  # fmt: skip
    )
