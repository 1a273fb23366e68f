# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The plots: speed against code size, ours and the published; speed by message length on the host; and the picture of
the README, our fastest kernels beside the best published ones.

Every function returns the text of an SVG file. Published figures and other libraries are grey, and ours are coloured.
Labels are beside what they name (labels.py). A style sheet inside the file exchanges the colours for readers who prefer
a dark page.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

import altair as alt
import vl_convert

from bench.made.cache import kept
from bench.reported.labels import FONTS, NEAR, WIDEST, Box, place, spread, width

PAPER, GREY, DARK, OURS, FRONT, GRID, AXIS = (
    "#ffffff", "#6e757e", "#3d434b", "#0f766e", "#99c7c2", "#edeff2", "#c4c8ce",
)  # fmt: skip
# The same on a dark page.
_AT_NIGHT = {
    PAPER: "#0d1117", GREY: "#9aa3ad", DARK: "#d5dae0", OURS: "#4fd1c0", FRONT: "#2b6a63", GRID: "#21262d",
    AXIS: "#4a525c",
}  # fmt: skip
WIDTH, HEIGHT, FONT = 700, 440, 11

# name, x, y, ours, hollow
Point = tuple[str, float, float, bool, bool]


@kept
def against_size(
    points: list[Point], rules: list[tuple[str, float]], title: str, subtitle: list[str], y: str,
    x: str = "bytes of code",
) -> str:  # fmt: skip
    """Cycles per byte against bytes of code, or y against x, with the Pareto front of all points that are not hollow.

    rules: names and speeds of figures without a size, which are drawn as lines."""
    points = _merged(points)
    xs = _span([p[1] for p in points], WIDTH)
    ys = _span([p[2] for p in points] + [r[1] for r in rules], HEIGHT, down=True)
    front = _front([p for p in points if not p[4]])
    steps = []
    if front and len(points) > 1:  # the front extends a little at both ends
        (left, top), (right, bottom) = front[0], front[-1]
        steps = [(left, ys.data(ys.pixel(top) - 40)), *front, (xs.data(xs.pixel(right) + 40), bottom)]
    rows = [{"x": p[1], "y": p[2], "kind": "ours" if p[3] else "published", "hollow": p[4]} for p in points]
    axes = {"x": _axis(alt.X, xs, x, grid=True), "y": _axis(alt.Y, ys, y, grid=True)}
    colour = alt.Color("kind:N", scale=alt.Scale(domain=["ours", "published"], range=[OURS, GREY]), legend=None)
    layers = [
        alt.Chart(_rows([{"x": a, "y": b} for a, b in steps]))
        .mark_line(interpolate="step-after", color=FRONT, strokeWidth=2)
        .encode(**axes, order=alt.value(0)),
        alt.Chart(_rows([{"y": speed} for _, speed in rules]))
        .mark_rule(color=GREY, strokeDash=[5, 4])
        .encode(y=axes["y"]),
        alt.Chart(_rows(rows))
        .mark_point(size=60, strokeWidth=1.8, opacity=1)
        .encode(**axes, color=colour, fill=alt.condition("datum.hollow", alt.value(PAPER), colour)),
    ]
    layers += _labels(points, steps, rules, xs, ys, axes)
    layers.append(_ends([(name, speed, False) for name, speed in rules], xs, ys, axes))
    return _svg(alt.layer(*layers), title, subtitle, beyond=[name for name, _ in rules])


@kept
def by_length(
    curves: list[tuple[str, bool, list[tuple[int, float]]]], title: str, subtitle: list[str], y: str, x: str = "bytes of message", step: int = 4
) -> str:
    """Costs by message length, or by another number x, whose axis has the powers of `step`; a curve is its name, whether it is
    ours, and its points."""
    xs = _Scale(1, max(n for _, _, points in curves for n, _ in points), WIDTH, False)
    ys = _span([speed for _, _, points in curves for _, speed in points], HEIGHT, down=True)
    data = [
        {"x": n, "y": speed, "name": name, "kind": "ours" if ours else "peer"}
        for name, ours, points in curves
        for n, speed in points
    ]
    axes = {
        "x": _axis(alt.X, xs, x, values=[step**k for k in range(9) if step**k <= xs.hi]),
        "y": _axis(alt.Y, ys, y, grid=True),
    }
    colour = alt.Color("kind:N", scale=alt.Scale(domain=["ours", "peer"], range=[OURS, GREY]), legend=None)
    layers = [
        alt.Chart(_rows(data)).mark_line(strokeWidth=1.8).encode(**axes, color=colour, detail="name:N"),
        _ends([(f"{name}: {points[-1][1]:.2f}", points[-1][1], ours) for name, ours, points in curves], xs, ys, axes),
    ]
    return _svg(alt.layer(*layers), title, subtitle, beyond=[f"{name}: 0.00" for name, _, _ in curves])


@kept
def beside_published(
    groups: list[tuple[str, list[tuple[str, float, float | None]]]], title: str, subtitle: list[str], x: str
) -> str:
    """A line for each cipher of each machine: our figure, and the best published one if there is one. groups: the
    machine, and for each cipher its name, our figure and theirs."""
    xs = _span([v for _, lines in groups for _, *both in lines for v in both if v], WIDTH - 200)
    rows, texts, at = [], [], -22.0
    for machine, lines in groups:
        at += 34
        texts.append({"px": 0, "y": at, "name": machine, "kind": "machine"})
        for cipher, ours, theirs in lines:
            at += 21
            far = max(ours, theirs or ours)
            rows.append({"y": at, "ours": ours, "theirs": theirs, "far": far})
            texts.append({"px": 12, "y": at, "name": cipher, "kind": "cipher"})
            said = f"{theirs / ours:.2f} × faster" if theirs else "nothing published"
            if theirs and theirs / ours >= 10:
                said = f"{theirs / ours:.0f} × faster"
            texts.append({"px": 150 + xs.pixel(far) + 10, "y": at, "name": said, "kind": "ratio" if theirs else "none"})
    height = at + 18
    whole = {"scale": alt.Scale(domain=[0, WIDTH], nice=False), "axis": None}
    down = alt.Y("y:Q", scale=alt.Scale(domain=[height, 0], nice=False), axis=None)
    speed = {
        "scale": alt.Scale(type="log", domain=[xs.lo, xs.hi], range=[150, WIDTH - 50], nice=False),
        "axis": alt.Axis(title=x, values=xs.ticks(), format=",~r", grid=True, titleAnchor="end"),
    }
    both = [row for row in rows if row["theirs"]]
    layers = [
        alt.Chart(_rows(both))
        .mark_rule(color=FRONT, strokeWidth=3)
        .encode(x=alt.X("ours:Q", **speed), x2="theirs:Q", y=down),
        alt.Chart(_rows(both)).mark_point(size=70, filled=True, opacity=1, color=GREY)
        .encode(x=alt.X("theirs:Q", **speed), y=down),
        alt.Chart(_rows(rows)).mark_point(size=70, filled=True, opacity=1, color=OURS)
        .encode(x=alt.X("ours:Q", **speed), y=down),
    ]  # fmt: skip
    for kind, colour, weight in (
        ("machine", DARK, "bold"), ("cipher", DARK, "normal"), ("ratio", OURS, "bold"), ("none", GREY, "normal"),
    ):  # fmt: skip
        layers.append(
            alt.Chart(_rows([text for text in texts if text["kind"] == kind]))
            .mark_text(align="left", baseline="middle", fontSize=FONT + 1, color=colour, fontWeight=weight)
            .encode(x=alt.X("px:Q", **whole), y=down, text="name:N")
        )
    chart = alt.layer(alt.layer(*layers[:3]), alt.layer(*layers[3:])).resolve_scale(x="independent")
    return _svg(chart, title, subtitle, height)


@kept
def ranked(rows: list[tuple[str, float, bool]], title: str, subtitle: list[str], x: str) -> str:
    """A line for each name in the order given: its value, coloured if it is ours."""
    xs = _span([value for _, value, _ in rows], WIDTH - 200)
    data = [{"y": 21 * n + 14, "name": name, "value": value, "far": xs.pixel(value) + 210, "said": f"{value:.2f}",
             "ours": ours} for n, (name, value, ours) in enumerate(rows)]  # fmt: skip
    height = 21 * len(rows) + 8
    down = alt.Y("y:Q", scale=alt.Scale(domain=[height, 0], nice=False), axis=None)
    whole = {"scale": alt.Scale(domain=[0, WIDTH], nice=False), "axis": None}
    value = alt.X(
        "value:Q", scale=alt.Scale(type="log", domain=[xs.lo, xs.hi], range=[200, WIDTH], nice=False),
        axis=alt.Axis(title=x, values=xs.ticks(), format=",~r", grid=True, titleAnchor="end"),
    )  # fmt: skip
    colour = alt.condition("datum.ours", alt.value(OURS), alt.value(GREY))
    text = alt.condition("datum.ours", alt.value(OURS), alt.value(DARK))
    points = alt.Chart(_rows(data)).mark_point(size=60, filled=True, opacity=1).encode(x=value, y=down, color=colour)
    labels = [
        alt.Chart(_rows([row | {"px": row[where] if where else 0} for row in data]))
        .mark_text(align="left", baseline="middle", fontSize=FONT)
        .encode(x=alt.X("px:Q", **whole), y=down, text=f"{said}:N", color=text)
        for said, where in (("name", ""), ("said", "far"))
    ]
    chart = alt.layer(points, alt.layer(*labels)).resolve_scale(x="independent")
    return _svg(chart, title, subtitle, height)


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
        """1, 2 and 5 in every decade, or more numbers where those are too few."""
        for digits in ((1, 2, 5), (1, 1.5, 2, 3, 5, 7)):
            ticks = [d * 10.0**k for k in range(-2, 7) for d in digits if self.lo <= d * 10.0**k <= self.hi]
            if len(ticks) > 2:
                break
        return ticks


def _span(values: list[float], pixels: int, down: bool = False) -> _Scale:
    """A scale that holds the values with a margin and spans at least a factor of six."""
    lo, hi = (min(values), max(values)) if values else (1, 10)
    margin = max((hi / lo) ** 0.1, 1.35, (6 * lo / hi) ** 0.5)
    return _Scale(lo / margin, hi * margin, pixels, down)


def _rows(rows: list[dict]) -> alt.Data:
    return alt.Data(values=[{k: float(f"{v:.6g}") if isinstance(v, float) else v for k, v in r.items()} for r in rows])


def _axis(channel: type, scale: _Scale, title: str, grid: bool = False, values: list[float] | None = None):
    return channel(
        f"{'x' if channel is alt.X else 'y'}:Q",
        scale=alt.Scale(type="log", domain=[scale.lo, scale.hi], nice=False),
        axis=alt.Axis(title=title, values=values or scale.ticks(), format=",~r", grid=grid),
    )


def _front(points: list[Point]) -> list[tuple[float, float]]:
    """The points that no other point beats in both, smallest code first."""
    front: list[tuple[float, float]] = []
    for x, y in sorted((p[1], p[2]) for p in points):
        if not front or y < front[-1][1]:
            front.append((x, y))
    return front


def _merged(points: list[Point]) -> list[Point]:
    """Unites points of one kind at one place; the united point has all their names."""
    at: dict[tuple, list[str]] = {}
    for name, *rest in points:
        at.setdefault(tuple(rest), []).append(name)
    return [(", ".join(dict.fromkeys(names)), *rest) for rest, names in at.items()]


def _labels(
    points: list[Point], steps: list[tuple[float, float]], rules: list[tuple[str, float]], xs: _Scale, ys: _Scale, axes
) -> list[alt.Chart]:
    """The names of points and rules, with leaders where a name stands apart from its point."""
    taken, said = [], []
    corners = [(xs.pixel(x), ys.pixel(y)) for x, y in steps]
    for (x0, y0), (x1, y1) in pairwise(corners):  # to the right, then down
        taken += [Box(x0, y0 - 2, x1, y0 + 2), Box(x1 - 2, min(y0, y1), x1 + 2, max(y0, y1))]
    taken += [Box(0, ys.pixel(speed) - 1, WIDTH, ys.pixel(speed) + 1) for _, speed in rules]
    order = sorted(points, key=lambda p: (not p[3], -p[2]))
    found = place([(xs.pixel(p[1]), ys.pixel(p[2]), p[0]) for p in order], taken, Box(0, 0, WIDTH, HEIGHT), FONT)
    leaders = []
    for p, box in zip(order, found, strict=True):
        x, y = xs.pixel(p[1]), ys.pixel(p[2])
        align, at = _anchor(box, x)
        middle = ys.data((box.top + box.bottom) / 2)
        said.append({"x": xs.data(at), "y": middle, "name": p[0], "ours": p[3], "align": align})
        if box.distance(x, y) > NEAR:
            far = box.nearest(x, y)
            part = 6 / math.dist((x, y), far)  # the leader begins at the edge of the point
            near = (x + part * (far[0] - x), y + part * (far[1] - y))
            leaders.append({
                "x": xs.data(near[0]), "y": ys.data(near[1]), "x2": xs.data(far[0]), "y2": ys.data(far[1]),
            })  # fmt: skip
    return [
        alt.Chart(_rows(leaders)).mark_rule(color=GREY, strokeWidth=0.8).encode(**axes, x2="x2:Q", y2="y2:Q"),
        *(
            alt.Chart(_rows([label for label in said if label["align"] == align]))
            .mark_text(align=align, baseline="middle", fontSize=FONT)
            .encode(**axes, text="name:N", color=alt.condition("datum.ours", alt.value(OURS), alt.value(DARK)))
            for align in dict.fromkeys(label["align"] for label in said)
        ),
    ]


def _anchor(box: Box, x: float) -> tuple[str, float]:
    """Alignment and place of a label: its side towards its point stays there in fonts of other widths."""
    if box.left >= x:
        return "left", box.left + 2
    if box.right <= x:
        return "right", box.right - 2
    return "center", (box.left + box.right) / 2


def _ends(lines: list[tuple[str, float, bool]], xs: _Scale, ys: _Scale, axes) -> alt.Chart:
    """The names of lines, right of where they end: name, height, whether it is ours."""
    lines = sorted(lines, key=lambda line: ys.pixel(line[1]))
    heights = spread([ys.pixel(height) for _, height, _ in lines], FONT + 4)
    ends = [
        {"x": xs.hi, "y": ys.data(at), "name": name, "ours": ours}
        for (name, _, ours), at in zip(lines, heights, strict=True)
    ]
    return (
        alt.Chart(_rows(ends))
        .mark_text(align="left", baseline="middle", dx=6, fontSize=FONT)
        .encode(**axes, text="name:N", color=alt.condition("datum.ours", alt.value(OURS), alt.value(DARK)))
    )


def _svg(
    chart: alt.LayerChart, title: str, subtitle: list[str], height: float = HEIGHT, beyond: Sequence[str] = ()
) -> str:
    """The chart with its title, in the colours of day and night. beyond: texts that begin right of the frame and need
    room in the widest font."""
    room = max((width(text, FONT) * (1 - 1 / WIDEST) for text in beyond), default=0)
    heading = alt.Title(
        title, subtitle=subtitle, anchor="start", fontSize=15, subtitleColor=GREY, color=DARK, offset=14
    )
    chart = (
        chart.properties(
            width=WIDTH, height=height, title=heading, background=PAPER,
            padding={"left": 16, "top": 16, "bottom": 16, "right": 16 + room},
        )  # fmt: skip
        .configure(font=FONTS)
        .configure_view(stroke=None)
        .configure_axis(
            gridColor=GRID,
            domainColor=AXIS,
            tickColor=AXIS,
            labelColor=DARK,
            titleColor=DARK,
            titleFontWeight="normal",
            labelFontSize=FONT,
            titleFontSize=FONT + 1,
            titlePadding=12,
        )  # fmt: skip
    )
    night = "".join(f'[fill="{day}"]{{fill:{it}}}[stroke="{day}"]{{stroke:{it}}}' for day, it in _AT_NIGHT.items())
    svg = vl_convert.vegalite_to_svg(chart.to_json()).rstrip()
    start = svg.index(">") + 1
    return f"{svg[:start]}<style>@media (prefers-color-scheme:dark){{{night}}}</style>{svg[start:]}\n"
