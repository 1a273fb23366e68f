# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The places of the labels of a plot: each is beside its point, and none over another label, a point or a line.

All lengths are pixels, x to the right and y downwards. A label that finds no free place beside its point is farther
away, and a thin line, the leader, joins the two.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

FONTS = "Helvetica, Arial, 'Liberation Sans', sans-serif"  # the first three share one set of widths
WIDEST = 1.18  # by how much text is wider in DejaVu Sans or Verdana, for viewers that have none of these
# Thousandths of the font's size from "space" to "~", as Adobe's metrics of Helvetica give them.
_WIDTHS = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
)  # fmt: skip
_RISE, _FALL = 0.76, 0.24  # of the font's size above and below the line that letters stand on
NEAR = 14  # a label whose box is farther from its point than this gets a leader


def width(text: str, size: float) -> float:
    """The greatest width of a text. Characters beyond ASCII count as digits."""
    return WIDEST * sum(_WIDTHS[ord(c) - 32] if 32 <= ord(c) < 127 else 556 for c in text) * size / 1000


@dataclass(frozen=True)
class Box:
    """A rectangle, and the text of the label if it is one."""

    left: float
    top: float
    right: float
    bottom: float
    text: str = ""

    def overlap(self, other: "Box") -> float:
        """The area that both cover."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0.0, across) * max(0.0, down)

    def outside(self, other: "Box") -> float:
        """By how much it sticks out of the other."""
        over = (other.left - self.left, other.top - self.top, self.right - other.right, self.bottom - other.bottom)
        return sum(max(0.0, part) for part in over)

    def nearest(self, x: float, y: float) -> tuple[float, float]:
        """The point of the box that is nearest to (x, y)."""
        return min(max(x, self.left), self.right), min(max(y, self.top), self.bottom)

    def distance(self, x: float, y: float) -> float:
        return math.dist((x, y), self.nearest(x, y))


def text_box(text: str, size: float, left: float, base: float) -> Box:
    """The box of a text that begins at `left` and whose letters stand on the line `base`."""
    return Box(left, base - _RISE * size, left + width(text, size), base + _FALL * size, text)


def _crosses(box: Box, start: tuple[float, float], end: tuple[float, float]) -> bool:
    """Whether the line between two points runs through the box."""
    low, high = 0.0, 1.0
    for at, to, least, most in (
        (start[0], end[0], box.left, box.right),
        (start[1], end[1], box.top, box.bottom),
    ):
        step = to - at
        if abs(step) < 1e-9:
            if not least < at < most:
                return False
            continue
        first, second = sorted(((least - at) / step, (most - at) / step))
        low, high = max(low, first), min(high, second)
    return low < high


def _places(x: float, y: float, w: float, h: float, text: str) -> list[Box]:
    """Candidates around a point, the nearest first: beside it, then above and below, then all round farther off."""
    found = []
    for gap in (7, 12, 20, 30, 42, 56, 74, 96):
        for angle in (0, 180, 315, 45, 225, 135, 270, 90, 337.5, 22.5, 202.5, 157.5, 292.5, 67.5, 247.5, 112.5):
            across, down = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            cx = x + gap * across + w / 2 * (0 if abs(across) < 0.1 else math.copysign(1, across))
            cy = y + gap * down + h / 2 * (0 if abs(down) < 0.1 else math.copysign(1, down))
            found.append(Box(cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2, text))
    return found


def place(
    points: Sequence[tuple[float, float, str]], taken: Sequence[Box], frame: Box, size: float, margin: float = 2
) -> list[Box]:
    """A box for the label of each point (x, y, text) inside the frame, clear of what is taken, of all points and of
    one another wherever that is possible. Earlier points choose first; then each label in turn moves to a better place
    while there is one."""
    dots = [Box(x - 5, y - 5, x + 5, y + 5) for x, y, _ in points]
    choices = [
        _places(x, y, width(text, size) + 2 * margin, (_RISE + _FALL) * size + margin, text) for x, y, text in points
    ]
    chosen: dict[int, Box] = {}

    def clash(n: int, box: Box) -> float:
        """How much a box and its leader would cover."""
        x, y, _ = points[n]
        others = [(k, b) for k, b in chosen.items() if k != n]
        found = sum(box.overlap(b) for b in (*taken, *dots, *(b for _, b in others))) + 100 * box.outside(frame)
        own = box.distance(x, y)
        found += 30 * sum(k != n and box.distance(*p[:2]) <= own for k, p in enumerate(points))  # would seem its name
        if own > NEAR:
            end = box.nearest(x, y)
            found += 40 * sum(_crosses(b, (x, y), end) for _, b in others)
            found += 20 * sum(_crosses(b, (x, y), end) for k, b in enumerate(dots) if k != n)
        for k, other in others:
            if other.distance(*points[k][:2]) > NEAR:
                found += 40 * _crosses(box, points[k][:2], other.nearest(*points[k][:2]))
        return found

    def best(n: int) -> Box:
        """The first free box or, if none is free, the one that covers least."""
        least, found = math.inf, choices[n][0]
        for box in choices[n]:
            now = clash(n, box)
            if now < least:
                least, found = now, box
            if not now:
                break
        return found

    for _ in range(8):
        before = dict(chosen)
        for n in range(len(points)):
            chosen[n] = best(n)
        if chosen == before:
            break
    return [chosen[n] for n in range(len(points))]


def spread(heights: Sequence[float], apart: float) -> list[float]:
    """Heights of labels in one column, moved down so that they are so far apart, in the order given (downwards)."""
    found: list[float] = []
    for height in heights:
        found.append(max(height, found[-1] + apart) if found else height)
    return found
