# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measures the texts of plots, which are SVG files."""

import re
from itertools import combinations
from xml.etree import ElementTree

from bench.reported.labels import Box, text_box, width


def boxes(svg):
    """The boxes of all texts of an SVG file, in its own coordinates, and the file's width and height."""
    found = []

    def walk(node, x, y, turned):
        for name, inside in re.findall(r"(\w+)\(([^)]*)\)", node.get("transform", "")):
            numbers = [float(n) for n in inside.split(",")]
            if name == "translate":
                across, down = (*numbers, 0)[:2]
                x, y = (x + down, y - across) if turned else (x + across, y + down)
            elif name == "rotate":
                assert numbers == [-90]  # the title of an axis
                turned = True
        if node.tag.endswith("}text") and (node.text or "").strip():
            size = float(node.get("font-size").removesuffix("px"))
            back = {"start": 0, "middle": 0.5, "end": 1}[node.get("text-anchor", "start")]
            box = text_box(node.text, size, -back * width(node.text, size), 0)
            if turned:
                box = Box(x + box.top, y - box.right, x + box.bottom, y - box.left, box.text)
            else:
                box = Box(x + box.left, y + box.top, x + box.right, y + box.bottom, box.text)
            found.append(box)
        for child in node:
            walk(child, x, y, turned)

    root = ElementTree.fromstring(svg)
    walk(root, 0, 0, False)
    return found, float(root.get("width")), float(root.get("height"))


def collisions(svg):
    """Pairs of texts that lie over each other, and texts that extend beyond the picture."""
    found, across, down = boxes(svg)
    assert len(found) > 5
    over = [(a.text, b.text) for a, b in combinations(found, 2) if a.overlap(b) > 1]
    return over + [box.text for box in found if box.outside(Box(0, 0, across, down)) > 0.5]
