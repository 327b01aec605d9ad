# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the marks of a plot back: compares their coordinates with values, by the ticks of the axes.

usage: read_svg.py FILE.svg PLOT FEATURE SCALE VALUE...

PLOT is the number of gnuplot's plot in the image, from 1. FEATURE is a coordinate of its marks, as in
features(). A value is in the unit of the axis, or in ns if the ticks have units. Prints "ok" if each mark
is within half a pixel of its value, and each tick within half a pixel of its number; otherwise what is
where. SCALE is that of the axis:

lin, log  linear and logarithmic
change    logarithmic in ratios, of changes in percent
tail      logarithmic in 1 / (1 - q), of quantiles in percent
span      linear, through the first and the last mark, for an axis of dates
size      marks are lengths in the ratio of the values
order     marks are in the order of the values, ascending or descending
"""
import math
import re
import sys
import xml.etree.ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
NEAR = 0.5  # pixels
UNITS = {"": 1, "%": 1, "x": 1, "ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}
SCALES = {"log": math.log, "change": lambda v: math.log1p(v / 100), "tail": lambda q: -math.log(1 - q / 100)}


def numbers(text):
    return [float(n) for n in re.findall(r"-?[0-9.]+(?:e-?[0-9]+)?", text)]


def points(text):
    found = numbers(text)
    return list(zip(found[::2], found[1::2]))


class Axis:
    """An axis through the first and the last of some places with numbers."""

    def __init__(self, ticks, scale):
        self.on = SCALES.get(scale, float)
        self.ticks = ticks
        if len(self.ticks) < 2:
            sys.exit(f"the axis has fewer than two numbers: {self.ticks}")
        (self.start, least), (to, most) = self.ticks[0], self.ticks[-1]
        self.least, self.by = self.on(least), (to - self.start) / (self.on(most) - self.on(least))

    @staticmethod
    def read(root, axis):
        """Finds the places and the numbers of the ticks: each is a path before its text."""
        anchor = "middle" if axis == "x" else "end"
        for group in root.iter(SVG + "g"):
            for path, label in zip(group, list(group)[1:]):
                text = label.findtext(SVG + "text")
                if path.tag == SVG + "path" and text and label.get("text-anchor") == anchor:
                    found = re.fullmatch(r"([-+]?[0-9.]+(?:e[-+]?[0-9]+)?) ?(\D*)", text.replace("\u2212", "-"))
                    if found and found[2] in UNITS:
                        yield numbers(path.get("d"))[axis == "y"], float(found[1]) * UNITS[found[2]]

    def place(self, value):
        return self.start + (self.on(value) - self.least) * self.by

    def wrong(self):
        return [f"tick {v} at {at}" for at, v in self.ticks if abs(self.place(v) - at) > NEAR]


def features(root, number):
    """The coordinates of the marks of a plot: of dots, boxes, lines, and lines of two points."""
    plot = next(g for g in root.iter(SVG + "g") if g.get("id") == "gnuplot_plot_" + number)
    boxes = [points(p.get("points")) for p in plot.iter(SVG + "polygon")]
    dots = [numbers(u.get("transform")) for u in plot.iter(SVG + "use")]
    lines = [points(part) for p in plot.iter(SVG + "path") for part in p.get("d").split("M") if points(part)]
    out = {}
    for i, axis in enumerate("xy"):
        out[axis] = [d[i] for d in dots]
        out["least-" + axis] = [min(p[i] for p in b) for b in boxes]
        out["most-" + axis] = [max(p[i] for p in b) for b in boxes]
        out["line-" + axis] = [p[i] for line in lines for p in line]
        out["from-" + axis] = [line[0][i] for line in lines]
        out["to-" + axis] = [line[-1][i] for line in lines]
        # An error bar is a line between the ends, and a short line across at each of them.
        out["lo-" + axis] = [line[0][i] for line in lines[::3]]
        out["hi-" + axis] = [line[-1][i] for line in lines[::3]]
    out["height-y"] = [b - a for a, b in zip(out["least-y"], out["most-y"])]
    out["color"] = [sum(numbers(p.get("fill"))) for p in plot.iter(SVG + "polygon")]
    return out


def main(file, plot, feature, scale, *values):
    root, values = ET.parse(file).getroot(), [float(v) for v in values]
    marks = features(root, plot)[feature]
    if scale == "order":
        by_mark, by_value = (sorted(range(len(values)), key=of.__getitem__) for of in (marks, values))
        print("ok" if by_mark in (by_value, by_value[::-1]) and len(marks) == len(set(marks)) else marks)
        return
    if scale == "span":
        axis = Axis([(marks[0], values[0]), (marks[-1], values[-1])], scale)
    elif scale == "size":
        axis = Axis([(0, 0), (max(marks), max(values))], scale)
    else:
        axis = Axis(list(Axis.read(root, feature[-1])), scale)
    wanted, wrong = [axis.place(v) for v in values], axis.wrong()
    if len(marks) != len(wanted):
        wrong.append(f"{len(marks)} marks, {len(wanted)} values: {marks}")
    wrong += [f"{v}: wanted {w:.2f}, drawn {m:.2f}" for v, w, m in zip(values, wanted, marks) if abs(w - m) > NEAR]
    print("; ".join(wrong) or "ok")


if __name__ == "__main__":
    main(*sys.argv[1:])
