# SPDX-License-Identifier: GPL-3.0-or-later
"""decisions.py OLD.csv NEW.csv OLD.json NEW.json: prints how many pairs asv and pyperf call different, and their number.

The tables have the same benchmarks, also as files of pyperf. asv decides by the functions of its command
compare, with its default factor; pyperf by its command compare_to.
"""

import csv
import re
import subprocess
import sys

from asv.commands.compare import _is_result_better
from asv_runner.statistics import compute_stats


def read(path):
    samples = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            samples.setdefault(row["bench"], []).append(float(row["value"]))
    return samples


def asv_summary(values):
    median, stats = compute_stats(values, 1)
    return median, (stats, values)


def asv_differs(old, new, factor=1.1):
    (a, a_stats), (b, b_stats) = asv_summary(old), asv_summary(new)
    return _is_result_better(a, b, a_stats, b_stats, factor) or _is_result_better(b, a, b_stats, a_stats, factor)


def pyperf_hidden(old, new):
    command = [sys.executable, "-m", "pyperf", "compare_to", old, new]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    hidden = re.search(r"hidden because not significant \((\d+)\)", said)
    return int(hidden.group(1)) if hidden else 0


old, new = read(sys.argv[1]), read(sys.argv[2])
print("asv", sum(asv_differs(old[b], new[b]) for b in old), len(old))
print("pyperf", len(old) - pyperf_hidden(*sys.argv[3:5]), len(old))
